"""A match that comes back is one that was handed out, as far as its parts can tell."""

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.engine.match import Match, write_up
from shisanzhi.engine.match_checks import MAX_POINTS
from shisanzhi.engine.questions import AdvanceMatchQuestion, RawMatch, StartMatchQuestion
from shisanzhi.engine.rulesets import BONUS, CLASSIC, RULESETS
from tests.generators import raw_match

BONUS_NUMBER, CLASSIC_NUMBER = 1, 2
UINT32, INT32 = 2**32, 2**31
"""What the contract's numbers are below."""
EVEN = (0, 0, 0, 0)
PLAYERS = ("ann", "bob", "cho", "dee")
CLASSIC_ROUNDS = 16
TOO_LONG = "x" * 129

Units = tuple[int, ...]


def opened(ruleset: int) -> Match:
    start = StartMatchQuestion(ruleset, bytes(16), (), PLAYERS)
    return game_logic.start_match(start).match


def books(next_round: int = 1, units: Units = EVEN, players: tuple[str, ...] = PLAYERS) -> Match:
    """Write up a CLASSIC match in which all follows from these, whatever they are."""
    return write_up(CLASSIC, players, next_round=next_round, dealer=0, units=units)


def refused(match: RawMatch | Match | None, units: Units) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as raised:
        game_logic.advance_match(AdvanceMatchQuestion(match, units))
    return [(fault.reason.name, fault.path) for fault in raised.value.faults]


CONTRADICTORY = "MATCH_CONTRADICTORY"
BAD: dict[str, tuple[RawMatch | Match | None, Units, list[tuple[str, str]]]] = {
    "no match": (None, EVEN, [("MATCH_REQUIRED", "match")]),
    "a match of no ruleset": (
        books()._replace(ruleset=0),
        EVEN,
        [("RULESET_REQUIRED", "match.ruleset")],
    ),
    "a dealer who has no seat": (
        books()._replace(dealer=4),
        EVEN,
        [("SEAT_UNKNOWN", "match.dealer")],
    ),
    "a player twice": (
        books(players=("ann", "bob", "ann", "dee")),
        EVEN,
        [("PLAYER_ID_REPEATED", "match.player_ids[2]")],
    ),
    "a name twice that is too long to be read": (
        books(players=("ann", TOO_LONG, TOO_LONG, "dee")),
        EVEN,
        [("PLAYER_ID_SIZE", f"match.player_ids[{seat}]") for seat in (1, 2)],
    ),
    "units for all": (books(), (1, 1, 1, 1), [("UNIT_SUM", "units")]),
    "units before the first round": (
        books(1, (-6, 6, 0, 0)),
        EVEN,
        [(CONTRADICTORY, "match.units")],
    ),
    "the round before the first": (books(0), EVEN, [(CONTRADICTORY, "match.next_round")]),
    "the round after the last": (
        books(CLASSIC_ROUNDS + 1),
        EVEN,
        [("MATCH_FINISHED", "match.finished")],
    ),
    "a round later still": (
        books(CLASSIC_ROUNDS + 2),
        EVEN,
        [(CONTRADICTORY, "match.next_round"), ("MATCH_FINISHED", "match.finished")],
    ),
    "a match that goes on, called over": (
        raw_match(books())._replace(finished=True),
        EVEN,
        [(CONTRADICTORY, "match.finished")],
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_match_that_was_not_handed_out_gets_every_fault(name: str) -> None:
    match, units, faults = BAD[name]
    assert refused(match, units) == faults


def test_what_is_won_back_is_no_total_out_of_range() -> None:
    match = write_up(BONUS, PLAYERS, next_round=2, dealer=1, units=(INT32 - 1, 1 - INT32, 0, 0))
    question = AdvanceMatchQuestion(match, (-1, 1, 0, 0))
    assert game_logic.advance_match(question).units == (INT32 - 2, 2 - INT32, 0, 0)


@pytest.mark.parametrize(("next_round", "dealer"), [(1, 1), (2, 0), (2, 3)])
def test_the_first_dealers_of_classic_follow_from_the_units(next_round: int, dealer: int) -> None:
    start = StartMatchQuestion(2, bytes(16), (), ("ann", "bob", "cho", "dee"))
    match = game_logic.start_match(start).match
    if next_round == 2:
        match = game_logic.advance_match(AdvanceMatchQuestion(match, (-25, 75, -25, -25)))
    altered = match._replace(dealer=dealer)
    with pytest.raises(InvalidRequestError) as refused:
        game_logic.advance_match(AdvanceMatchQuestion(altered, (0, 0, 0, 0)))
    faults = [(fault.reason.name, fault.path) for fault in refused.value.faults]
    assert faults == [("MATCH_CONTRADICTORY", "match.dealer")]


def test_a_later_dealer_of_classic_cannot_be_known_and_is_taken() -> None:
    start = StartMatchQuestion(2, bytes(16), (), ("ann", "bob", "cho", "dee"))
    match = game_logic.start_match(start).match
    for units in ((-25, 75, -25, -25), (6, -6, 0, 0)):
        match = game_logic.advance_match(AdvanceMatchQuestion(match, units))
    altered = match._replace(dealer=3)
    assert game_logic.advance_match(AdvanceMatchQuestion(altered, (0, 0, 0, 0))).dealer == 3


def test_a_match_without_end_goes_on_as_long_as_its_rounds_can_be_numbered() -> None:
    last = opened(BONUS_NUMBER)._replace(next_round=UINT32 - 2)
    ended = game_logic.advance_match(AdvanceMatchQuestion(last, EVEN))
    assert ended.next_round == UINT32 - 1
    assert refused(ended, EVEN) == [("MATCH_CONTRADICTORY", "match.next_round")]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_units_may_grow_as_long_as_units_and_points_can_be_written(
    ruleset: int, sign: int, seat: int
) -> None:
    per_unit = RULESETS[ruleset].points_per_unit
    most = (MAX_POINTS - CLASSIC.starting_points) // per_unit if per_unit else INT32 - 1
    match, other = opened(ruleset), (seat + 1) % 4

    def units(won: int) -> tuple[int, ...]:
        return tuple({seat: sign * won, other: -sign * won}.get(each, 0) for each in range(4))

    advanced = game_logic.advance_match(AdvanceMatchQuestion(match, units(most)))
    numbers = (*advanced.units, *advanced.points)
    assert all(-INT32 <= number < INT32 for number in numbers)
    faults = [("UNIT_OUT_OF_RANGE", f"units[{each}]") for each in sorted((seat, other))]
    assert refused(match, units(most + 1)) == faults
