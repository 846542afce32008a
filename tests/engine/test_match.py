"""The books of a match: seats, dealers, points, the end, the standings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shisanzhi.engine import game_logic
from shisanzhi.engine import match as match_room
from shisanzhi.engine.cards import STANDARD_DECK, Card, format_cards, parse_cards
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.engine.match import (
    FinishReason,
    Match,
    MatchStart,
    advance_match,
    draw_seats,
    next_dealer,
    start_match,
)
from shisanzhi.engine.questions import AdvanceMatchQuestion, DealRoundQuestion, StartMatchQuestion
from shisanzhi.engine.rulesets import BONUS, CLASSIC, RULESETS
from tests import generators, oracle
from tests.generators import raw_match
from tests.vectors import Case, cases, every_case, ruleset_of

PLAYERS = ("ann", "bob", "cho", "dee")
EVEN = (0, 0, 0, 0)

Units = tuple[int, ...]


def opened(number: int = CLASSIC.number, seed: bytes = bytes(16)) -> Match:
    return game_logic.start_match(StartMatchQuestion(number, seed, (), PLAYERS)).match


def played(match: Match, *rounds: Units) -> Match:
    """Add rounds to a match, as a platform does: each answer is the next question."""
    for units in rounds:
        match = game_logic.advance_match(AdvanceMatchQuestion(raw_match(match), units))
    return match


def histories(number: int) -> st.SearchStrategy[list[tuple[Units, Match]]]:
    """Draw a match as its rounds and what each left, the start first (with no units)."""
    rounds = st.lists(generators.round_units(), max_size=20)
    return st.builds(
        lambda seed, units: history(opened(number, seed), units), generators.seeds, rounds
    )


def history(match: Match, rounds: Sequence[Units]) -> list[tuple[Units, Match]]:
    """Play until the match is over or no rounds are left."""
    lines: list[tuple[Units, Match]] = [((), match)]
    for units in rounds:
        if match.finished:
            break
        match = played(match, units)
        lines.append((units, match))
    return lines


classic_histories = histories(CLASSIC.number)
any_histories = st.sampled_from(list(RULESETS)).flatmap(histories)


# Units and points


@given(classic_histories)
def test_points_are_conserved(lines: list[tuple[Units, Match]]) -> None:
    """Whoever is out has paid in full."""
    assert [12_400] * len(lines) == [sum(match.points) for _, match in lines]


@given(any_histories)
def test_the_books_are_the_sum_of_the_rounds(lines: list[tuple[Units, Match]]) -> None:
    units = [sum(column) for column in zip(*(won for won, _ in lines[1:]), strict=True)]
    match = lines[-1][1]
    assert tuple(units or EVEN) == match.units
    assert len(lines) == match.next_round
    assert lines[0][1].player_ids == match.player_ids


@given(classic_histories)
def test_a_unit_moves_twenty_points(lines: list[tuple[Units, Match]]) -> None:
    assert lines[0][1].points == (3100, 3100, 3100, 3100)
    for (_, before), (units, after) in pairwise(lines):
        moved = tuple(new - old for old, new in zip(before.points, after.points, strict=True))
        assert tuple(20 * won for won in units) == moved


@given(histories(BONUS.number))
def test_bonus_counts_no_points(lines: list[tuple[Units, Match]]) -> None:
    assert {EVEN} == {match.points for _, match in lines}


def test_points_can_go_below_zero() -> None:
    match = played(opened(), (75, -25, -25, -25), (393, -131, -131, -131))
    assert match.points == (12_460, -20, -20, -20)


# The dealer


@given(histories(BONUS.number))
def test_in_bonus_the_deal_moves_one_seat_counter_clockwise(
    lines: list[tuple[Units, Match]],
) -> None:
    for (_, before), (_, after) in pairwise(lines):
        assert {0: 1, 1: 2, 2: 3, 3: 0}[before.dealer] == after.dealer


@given(classic_histories)
def test_in_classic_the_biggest_winner_deals(lines: list[tuple[Units, Match]]) -> None:
    """Of equal ones the first met counter-clockwise from the dealer, the dealer included."""
    assert lines[0][1].dealer == 0
    for (_, before), (units, after) in pairwise(lines):
        expected = before.dealer
        while units[expected] < max(units):
            expected = (expected + 1) % 4
        assert expected == after.dealer


@pytest.mark.parametrize(
    ("dealer", "units", "expected"),
    [
        (0, (1, -3, 1, 1), 0),
        (1, (1, -3, 1, 1), 2),
        (2, (1, -3, 1, 1), 2),
        (3, (1, 1, -3, 1), 3),
        (3, (2, 2, -2, -2), 0),
        (2, (2, 2, -2, -2), 0),
        (1, (2, 2, -2, -2), 1),
        (2, (-6, 18, -6, -6), 1),
        (0, EVEN, 0),
        (3, EVEN, 3),
    ],
)
def test_of_equal_winners_the_first_from_the_dealer_deals(
    dealer: int, units: Units, expected: int
) -> None:
    """With all even the dealer deals again."""
    assert expected == next_dealer(CLASSIC, dealer, units)


@given(generators.seeds, generators.player_seeds)
def test_the_first_dealer_of_bonus_is_the_one_that_the_deal_draws(
    seed: bytes, player_seeds: list[bytes]
) -> None:
    match = start_match(BONUS, seed, player_seeds, PLAYERS).match
    dealt = game_logic.deal_round(DealRoundQuestion(BONUS.number, seed, player_seeds, 1))
    assert dealt.dealer == match.dealer


def test_every_seat_of_bonus_can_deal_first() -> None:
    dealers = {opened(BONUS.number, bytes([first]) * 16).dealer for first in range(40)}
    assert {0, 1, 2, 3} == dealers


# The end


@given(classic_histories)
def test_a_match_is_over_after_sixteen_rounds_or_when_a_seat_has_no_points_left(
    lines: list[tuple[Units, Match]],
) -> None:
    """Lost points are the reason, whichever round it was."""
    for rounds, (_, match) in enumerate(lines):
        expected = FinishReason.ROUNDS_PLAYED if rounds == 16 else None
        if any(points <= 0 for points in match.points):
            expected = FinishReason.POINTS_LOST
        assert (expected, expected is not None) == (match.finish_reason, match.finished)


def test_fifteen_rounds_are_not_the_end_and_sixteen_are() -> None:
    match = played(opened(), *[EVEN] * 15)
    assert (match.next_round, match.finish_reason) == (16, None)
    match = played(match, EVEN)
    assert (match.next_round, match.finish_reason) == (17, FinishReason.ROUNDS_PLAYED)


@pytest.mark.parametrize(
    ("units", "points", "reason"),
    [
        ((-154, 154, 0, 0), 20, None),
        ((-155, 155, 0, 0), 0, FinishReason.POINTS_LOST),
        ((-156, 156, 0, 0), -20, FinishReason.POINTS_LOST),
    ],
)
def test_a_seat_is_out_at_zero_points(
    units: Units, points: int, reason: FinishReason | None
) -> None:
    match = played(opened(), units)
    assert (points, reason) == (match.points[0], match.finish_reason)


def test_a_seat_with_a_point_left_is_not_out() -> None:
    """Whatever a unit is worth."""
    ruleset = replace(CLASSIC, starting_points=2, points_per_unit=1)
    match = start_match(ruleset, bytes(16), (), PLAYERS).match
    assert advance_match(ruleset, match, (-1, 1, 0, 0)).finish_reason is None
    assert advance_match(ruleset, match, (-2, 2, 0, 0)).finish_reason is FinishReason.POINTS_LOST


def test_points_lost_in_the_last_round_are_the_reason() -> None:
    match = played(opened(), *[EVEN] * 15, (155, -155, 0, 0))
    assert (match.next_round, match.finish_reason) == (17, FinishReason.POINTS_LOST)


def test_no_round_follows_the_last() -> None:
    match = played(opened(), (-155, 155, 0, 0))
    with pytest.raises(InvalidRequestError) as caught:
        played(match, EVEN)
    assert [(fault.reason.name, fault.path) for fault in caught.value.faults] == [
        ("MATCH_FINISHED", "match.finished")
    ]


def test_a_bonus_match_goes_on() -> None:
    match = played(opened(BONUS.number), *[(-200, 200, 0, 0)] * 30)
    assert (match.next_round, match.finish_reason, match.units[0]) == (31, None, -6000)


# Standings


@given(any_histories)
def test_a_place_counts_those_who_have_more(lines: list[tuple[Units, Match]]) -> None:
    """Equal ones share a place, the lower seat listed first."""
    for _, match in lines:
        expected = sorted(
            (
                1 + sum(other > match.units[seat] for other in match.units),
                seat,
                match.player_ids[seat],
                match.units[seat],
                match.points[seat],
            )
            for seat in range(4)
        )
        assert expected == [tuple(line) for line in match.standings]


@pytest.mark.parametrize(
    ("units", "places", "seats"),
    [
        (EVEN, [1, 1, 1, 1], [0, 1, 2, 3]),
        ((0, -5, 5, 0), [1, 2, 2, 4], [2, 0, 3, 1]),
        ((3, 3, -3, -3), [1, 1, 3, 3], [0, 1, 2, 3]),
        ((-9, 3, 3, 3), [1, 1, 1, 4], [1, 2, 3, 0]),
        ((-4, 1, 2, 1), [1, 2, 2, 4], [2, 1, 3, 0]),
        ((1, 2, 3, -6), [1, 2, 3, 4], [2, 1, 0, 3]),
    ],
)
def test_equal_points_share_a_place(units: Units, places: list[int], seats: list[int]) -> None:
    standings = played(opened(), units).standings
    assert (places, seats) == (
        [line.place for line in standings],
        [line.seat for line in standings],
    )


# Seats


@every_case("seats")
def test_a_seed_seats_the_players_as_the_golden_file_says(case: Case) -> None:
    start = start_match(CLASSIC, bytes.fromhex(case["seed"]), (), PLAYERS)
    assert case["draws"] == drawn(start)
    assert [PLAYERS[player] for player in case["player_in_seat"]] == list(start.match.player_ids)
    assert start.match.dealer == 0


def drawn(start: MatchStart) -> list[str]:
    """List the draws, each as four cards, of players 0 to 3."""
    return [format_cards(four) for four in zip(*(draw.cards for draw in start.draws), strict=True)]


@given(generators.seeds, generators.player_seeds)
def test_seats_are_those_that_the_oracle_draws(seed: bytes, player_seeds: list[bytes]) -> None:
    draws, player_in_seat = oracle.seats(seed, player_seeds)
    start = start_match(CLASSIC, seed, player_seeds, PLAYERS)
    assert [" ".join(four) for four in draws] == drawn(start)
    assert [PLAYERS[player] for player in player_in_seat] == list(start.match.player_ids)
    assert [player_in_seat.index(player) for player in range(4)] == [
        draw.seat for draw in start.draws
    ]


@given(generators.seeds)
def test_only_the_last_draw_has_four_different_ranks_and_it_decides(seed: bytes) -> None:
    start = start_match(CLASSIC, seed, (), PLAYERS)
    *redrawn, last = ([card.rank for card in parse_cards(four)] for four in drawn(start))
    assert all(len(set(ranks)) < 4 for ranks in redrawn)
    by_seat = [last[PLAYERS.index(player)] for player in start.match.player_ids]
    assert sorted(set(last), reverse=True) == by_seat


class StackedStream:
    """Stands in for the stream: lays the deck out as told, one order after the other."""

    orders: Iterator[Sequence[Card]]
    shuffled: list[list[Card]]

    def __init__(self, *_: object, **__: object) -> None:
        """Take whatever a stream takes."""

    def shuffle(self, items: list[Card]) -> None:
        self.shuffled.append(list(items))
        items[:] = next(self.orders)


def test_a_deck_that_is_used_up_is_shuffled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirteen draws of four equal ranks use it up; the same deck is shuffled, not a new one."""
    by_rank = sorted(STANDARD_DECK, key=lambda card: (card.rank, card.suit))
    StackedStream.orders = iter([by_rank, STANDARD_DECK])
    StackedStream.shuffled = []
    monkeypatch.setattr(match_room, "Stream", StackedStream)
    draws = draw_seats(CLASSIC, bytes(16))
    assert [list(STANDARD_DECK), by_rank] == StackedStream.shuffled
    assert [len(draw.cards) for draw in draws] == [14, 14, 14, 14]
    assert parse_cards("2c 3c 4c 5c") == tuple(draw.cards[-1] for draw in draws)
    assert [draw.seat for draw in draws] == [3, 2, 1, 0]


def test_a_seed_that_uses_up_the_deck_is_among_the_golden_cases() -> None:
    assert max(len(case["draws"][0]["cards"].split()) for case in cases("match")) > 13


@given(generators.match_questions)
def test_a_match_opens_with_nothing_won(question: StartMatchQuestion) -> None:
    """All four players are seated, in BONUS as they were named."""
    start = game_logic.start_match(question)
    match = start.match
    assert (match.next_round, match.units, match.finish_reason) == (1, EVEN, None)
    assert sorted(question.player_ids) == sorted(match.player_ids)
    assert (question.seed, oracle.commitment(question.seed)) == (start.seed, start.commitment)
    assert [draw.player for draw in start.draws] == [0, 1, 2, 3]
    for draw in start.draws:
        assert question.player_ids[draw.player] == match.player_ids[draw.seat]
    if question.ruleset == BONUS.number:
        assert question.player_ids == match.player_ids
        assert {()} == {draw.cards for draw in start.draws}


# The service's view


@given(any_histories)
def test_a_match_handed_back_unchanged_is_never_found_at_fault(
    lines: list[tuple[Units, Match]],
) -> None:
    """And what the service adds is what the fold adds."""
    for (_, before), (units, after) in pairwise(lines):
        assert advance_match(RULESETS[before.ruleset], before, units) == after


@given(st.data())
def test_a_match_with_any_part_altered_is_refused(data: st.DataObject) -> None:
    """Points, standings, and whether and why it is over follow from the rest."""
    lines = data.draw(any_histories)
    raw = raw_match(lines[-1][1])
    part = data.draw(st.sampled_from(["points", "standings", "finished", "finish_reason"]))
    altered: dict[str, Any] = {
        "points": [raw.points[0] + 1, *raw.points[1:]],
        "standings": raw.standings[::-1],
        "finished": not raw.finished,
        "finish_reason": ((raw.finish_reason or 0) + 1) % 3,
    }
    question = AdvanceMatchQuestion(raw._replace(**{part: altered[part]}), EVEN)
    with pytest.raises(InvalidRequestError) as caught:
        game_logic.advance_match(question)
    paths = {fault.path for fault in caught.value.faults}
    assert {"points": "match.points[0]"}.get(part, f"match.{part}") in paths


# Golden matches


@every_case("match")
def test_a_match_keeps_the_golden_books(case: Case) -> None:
    player_seeds = tuple(map(bytes.fromhex, case["player_seeds"]))
    seed, player_ids = bytes.fromhex(case["seed"]), tuple(case["player_ids"])
    start = start_match(ruleset_of(case), seed, player_seeds, player_ids)
    draws = [{"cards": format_cards(draw.cards), "seat": draw.seat} for draw in start.draws]
    assert case["draws"] == draws
    matches = [match for _, match in history(start.match, list(map(tuple, case["rounds"])))]
    assert case["matches"] == list(map(described, matches))


def described(match: Match) -> Mapping[str, Any]:
    """Write a match as the golden file does."""
    return {
        "player_ids": list(match.player_ids),
        "next_round": match.next_round,
        "dealer": match.dealer,
        "units": list(match.units),
        "points": list(match.points),
        "finished": match.finished,
        "finish_reason": match.finish_reason.name if match.finish_reason else None,
        "standings": [{"place": line.place, "seat": line.seat} for line in match.standings],
    }


def test_the_golden_matches_leave_nothing_out() -> None:
    """Each ruleset, each way to end, a drawn-again seat, player seeds."""
    golden = cases("match")
    reasons = {(case["ruleset"], case["matches"][-1]["finish_reason"]) for case in golden}
    assert {
        ("bonus", None),
        ("classic", None),
        ("classic", "ROUNDS_PLAYED"),
        ("classic", "POINTS_LOST"),
    } == reasons
    assert {len(case["draws"][0]["cards"].split()) > 2 for case in golden} == {True, False}
    assert {bool(case["player_seeds"]) for case in golden} == {True, False}
    for case in golden:
        assert len(case["rounds"]) + 1 == len(case["matches"])
