"""The engine and the oracle play thousands of random rounds and agree on every unit."""

from collections import Counter
from collections.abc import Iterator

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.questions import RawArrangement, ScoreQuestion, ValidateQuestion
from shisanzhi.engine.scoring.results import PairResult, RoundResult
from tests import generators, oracle
from tests.generators import PlayedRound
from tests.occurrences import assert_units_add_up, occurrences, required_occurrences
from tests.oracle import OraclePair, OracleRound
from tests.random_rounds import random_rounds

ROUNDS = pytest.mark.parametrize("rounds", [5_000, pytest.param(20_000, marks=pytest.mark.census)])
FOULS = {"FRONT_NOT_BELOW_MIDDLE": "front", "MIDDLE_NOT_BELOW_BACK": "middle"}
"""The row that is blamed for a foul."""


@pytest.mark.slow
@ROUNDS
@pytest.mark.parametrize("ruleset", ["bonus", "classic"])
def test_engine_and_oracle_agree_on_random_rounds(ruleset: str, rounds: int) -> None:
    """Rounds in which everything occurs that can: few are enough, more meet it in more company."""
    counts: Counter[str] = Counter()
    for dealt in random_rounds(ruleset, rounds, seed=2026):
        played = generators.played(dealt)
        faults = [
            oracle.faults(ruleset, dealt.cut, rows, hand)
            for rows, hand in zip(dealt.arrangements, dealt.hands, strict=True)
        ]
        assert faults == judged(played)
        if any(faults):
            assert expected_refusal(faults) == refusal(played)
            counts.update({"foul", *(reason for found in faults for reason in found)})
        else:
            expected = oracle.score(ruleset, dealt.cut, dealt.dealer, dealt.arrangements)
            assert_units_add_up(expected)
            assert_same_round(expected, game_logic.score(question(played)))
            counts.update(occurrences(dealt, expected))
    missing = [name for name in (*required_occurrences(ruleset), *FOULS) if not counts[name]]
    assert missing == [], counts


def question(played: PlayedRound) -> ScoreQuestion:
    return ScoreQuestion(
        played.ruleset.number,
        played.cut_card or 0,
        [RawArrangement(*arrangement) for arrangement in played.arrangements],
        played.dealer,
        played.hands,
    )


def judged(played: PlayedRound) -> list[list[str]]:
    """Validate each seat by itself, with its hand; give the reasons, by seat."""
    answers = [
        game_logic.validate(
            ValidateQuestion(
                played.ruleset.number, played.cut_card or 0, RawArrangement(*arrangement), hand
            )
        )
        for arrangement, hand in zip(played.arrangements, played.hands, strict=True)
    ]
    return [[violation.reason.name for violation in answer.violations] for answer in answers]


def expected_refusal(faults: list[list[str]]) -> list[tuple[str, str]]:
    """Say which reasons, and which paths, Score must give."""
    return [
        (reason, f"arrangements[{seat}].{FOULS[reason]}")
        for seat, found in enumerate(faults)
        for reason in found
    ]


def refusal(played: PlayedRound) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as refused:
        game_logic.score(question(played))
    return [(fault.reason.name, fault.path) for fault in refused.value.faults]


def assert_same_round(expected: OracleRound, result: RoundResult) -> None:
    assert expected.showing_order == list(result.showing_order)
    for seat, found in enumerate(result.seats):
        assert found.seat == seat
        values = tuple(map(category_and_ranks, (found.front, found.middle, found.back)))
        assert expected.values[seat] == values
        assert (
            expected.dragons[seat],
            expected.pair[seat],
            expected.gunshot[seat],
            expected.home_run[seat],
            expected.royalty[seat],
            expected.total[seat],
            expected.place[seat],
            expected.points[seat],
        ) == (
            found.dragon,
            found.pair_units,
            found.gunshot_units,
            found.home_run_units,
            found.royalty_units,
            found.total_units,
            found.place,
            found.points,
        )
    seats = [(seat, opponent) for seat, opponent in expected.pairs if seat < opponent]
    assert seats == [(pair.seat, pair.opponent) for pair in result.pairs]
    for pair in result.pairs:
        assert_same_pair(expected.pairs[pair.seat, pair.opponent], pair)


def category_and_ranks(value: RowValue) -> oracle.Value:
    return value.category.name, value.ranks


def assert_same_pair(expected: OraclePair, pair: PairResult) -> None:
    outcomes = (pair.front, pair.middle, pair.back)
    assert expected.outcomes == tuple(outcome and outcome.name for outcome in outcomes)
    assert (expected.guns, expected.gunned) == (pair.guns, pair.gunned)
    assert (expected.pair, expected.gunshot, expected.home_run, expected.total) == (
        pair.pair_units,
        pair.gunshot_units,
        pair.home_run_units,
        pair.total_units,
    )
    assert sorted(map(tuple, expected.royalties), key=repr) == sorted(royalties(pair), key=repr)


def royalties(pair: PairResult) -> Iterator[tuple[int, int, str | None, str | None, int]]:
    for royalty in pair.royalties:
        row = None if royalty.row is None else royalty.row.name
        category = None if royalty.category is None else royalty.category.name
        yield royalty.payee, royalty.payer, row, category, royalty.units
