"""A match that comes back is one that was handed out, as far as its parts can tell."""

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.engine.match import Match
from shisanzhi.engine.match_checks import MAX_POINTS
from shisanzhi.engine.questions import AdvanceMatchQuestion, StartMatchQuestion
from shisanzhi.engine.rulesets import CLASSIC, RULESETS

BONUS_NUMBER, CLASSIC_NUMBER = 1, 2
UINT32, INT32 = 2**32, 2**31
"""What the contract's numbers are below."""
EVEN = (0, 0, 0, 0)


def opened(ruleset: int) -> Match:
    start = StartMatchQuestion(ruleset, bytes(16), (), ("ann", "bob", "cho", "dee"))
    return game_logic.start_match(start).match


def refused(match: Match, units: tuple[int, ...]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as raised:
        game_logic.advance_match(AdvanceMatchQuestion(match, units))
    return [(fault.reason.name, fault.path) for fault in raised.value.faults]


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
