"""The oracle agrees with the golden cases, and random rounds are dealt from one deck."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests import oracle
from tests.occurrences import assert_units_add_up
from tests.oracle import UnanswerableError
from tests.random_rounds import random_rounds

VECTORS = Path(__file__).parent / "vectors"


def golden(name: str) -> pytest.MarkDecorator:
    """Parametrize a test over the lines of a golden file; a missing file fails."""
    lines = (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [
        pytest.param(json.loads(line), id=f"{name}-{number}")
        for number, line in enumerate(lines, start=1)
    ]
    return pytest.mark.parametrize("case", cases)


def rows_of(arrangement: dict[str, str]) -> oracle.Arrangement:
    """Read a golden arrangement."""
    return arrangement["front"].split(), arrangement["middle"].split(), arrangement["back"].split()


@golden("evaluate")
def test_a_row_has_its_category_and_ranks(case: dict[str, Any]) -> None:
    """A row takes the greatest category that fits it."""
    expected = case["category"], tuple(case["ranks"])
    assert expected == oracle.category_and_ranks(case["ruleset"], case["cut"], case["row"].split())


@golden("order")
def test_rows_compare_by_category_then_rank_by_rank(case: dict[str, Any]) -> None:
    """Each row of an ascending list is below every later one, and equals itself."""
    ruleset, cut = case["ruleset"], case["cut"]
    rows = [row.split() for row in case["ascending"]]
    for lower, greater in combinations(rows, 2):
        assert oracle.compare(ruleset, cut, lower, greater) == -1, (lower, greater)
        assert oracle.compare(ruleset, cut, greater, lower) == 1, (greater, lower)
    for row in rows:
        assert oracle.compare(ruleset, cut, row, row) == 0, row


@golden("validate")
def test_every_fault_of_an_arrangement_is_named(case: dict[str, Any]) -> None:
    """Sizes, copies, the hand and the order of rows are judged together."""
    hand = None if case["hand"] is None else case["hand"].split()
    found = oracle.faults(case["ruleset"], case["cut"], rows_of(case), hand)
    assert set(case["reasons"]) == set(found)
    assert case["legal"] == (not found)
    if hand is None:
        assert case["legal"] == oracle.legal(case["ruleset"], case["cut"], *rows_of(case))


@golden("score")
def test_a_round_scores_as_the_golden_case_says(case: dict[str, Any]) -> None:
    """Every part of every seat, the total, the place and the points."""
    arrangements = [rows_of(arrangement) for arrangement in case["arrangements"]]
    result = oracle.score(case["ruleset"], case["cut"], case["dealer"], arrangements)
    for part in ("gunshot", "home_run", "royalty", "pair", "total", "place"):
        assert case[part] == getattr(result, part), part
    points_per_unit = 20 if case["ruleset"] == "classic" else 0
    assert [units * points_per_unit for units in case["total"]] == result.points
    assert_units_add_up(result)


@golden("pairs")
def test_two_seats_settle_as_the_golden_case_says(case: dict[str, Any]) -> None:
    """Rows, units, and who guns whom, for each pair of seats."""
    arrangements = [rows_of(arrangement) for arrangement in case["arrangements"]]
    result = oracle.score(case["ruleset"], case["cut"], case["dealer"], arrangements)
    assert list(combinations(range(4), 2)) == [
        (pair["seat"], pair["opponent"]) for pair in case["pairs"]
    ]
    for pair in case["pairs"]:
        found = result.pairs[pair["seat"], pair["opponent"]]
        assert (pair["front"], pair["middle"], pair["back"]) == found.outcomes
        for part in ("pair", "gunshot", "home_run", "royalty", "total", "guns", "gunned"):
            assert pair[part] == getattr(found, part), part


@golden("deal")
def test_a_seed_deals_the_golden_round(case: dict[str, Any]) -> None:
    """The deal is fixed to the bit."""
    seed = bytes.fromhex(case["seed"])
    player_seeds = [bytes.fromhex(player_seed) for player_seed in case["player_seeds"]]
    dealt = oracle.deal(
        case["ruleset"], seed, player_seeds, case["round"], case["dealer_named"], case["cuts"]
    )
    assert case["commitment"] == oracle.commitment(seed).hex()
    assert [hand.split() for hand in case["hands"]] == dealt.hands
    for name in ("dealer", "first_receiver", "cut_card", "turned_up_card"):
        assert case[name] == getattr(dealt, name), name


@golden("seats")
def test_a_seed_draws_the_golden_seats(case: dict[str, Any]) -> None:
    """While two ranks are equal, all four draw again; the highest rank sits first."""
    drawn, players = oracle.seats(bytes.fromhex(case["seed"]))
    assert [draw.split() for draw in case["draws"]] == drawn
    assert case["player_in_seat"] == players


@pytest.mark.parametrize("name", sorted(path.stem for path in VECTORS.glob("*.jsonl")))
def test_every_field_is_documented(name: str) -> None:
    """Whoever reads the golden files in another language finds each field explained."""
    readme = (VECTORS / "README.md").read_text(encoding="utf-8")
    section = readme.split(f"## `{name}.jsonl`")[1].split("\n## ")[0]
    for line in (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        undocumented = [key for key in json.loads(line) if f"| `{key}` |" not in section]
        assert undocumented == []


def test_a_foul_is_refused() -> None:
    """There is no foul penalty: the round cannot be scored."""
    case = json.loads((VECTORS / "score.jsonl").read_text(encoding="utf-8").splitlines()[0])
    arrangements = [rows_of(arrangement) for arrangement in case["arrangements"]]
    front, middle, back = arrangements[2]
    arrangements[2] = front, back, middle
    with pytest.raises(UnanswerableError, match="seat 2"):
        oracle.score(case["ruleset"], case["cut"], case["dealer"], arrangements)


def test_a_card_played_by_two_seats_is_refused() -> None:
    """Four legal arrangements may still hold more copies of a card than the deck."""
    case = json.loads((VECTORS / "score.jsonl").read_text(encoding="utf-8").splitlines()[0])
    same_cards = [rows_of(case["arrangements"][0])] * 4
    with pytest.raises(UnanswerableError, match="more copies"):
        oracle.score(case["ruleset"], case["cut"], case["dealer"], same_cards)


@pytest.mark.parametrize("ruleset", ["bonus", "classic"])
def test_a_random_round_is_dealt_from_one_deck(ruleset: str) -> None:
    """Hands are disjoint, complete, and hold the cards of their arrangements."""
    for dealt in random_rounds(ruleset, 1_000, seed=1):
        every_card = [card for hand in dealt.hands for card in hand]
        cut = [] if dealt.cut is None else [dealt.cut]
        assert Counter(oracle.deck(ruleset)) == Counter(every_card + cut)
        for hand, rows in zip(dealt.hands, dealt.arrangements, strict=True):
            assert len(hand) == {"bonus": 16, "classic": 13}[ruleset]
            assert [len(row) for row in rows] == [3, 5, 5]
            assert not Counter(card for row in rows for card in row) - Counter(hand)


def test_a_seed_repeats_its_rounds() -> None:
    """Nothing but the given random numbers decides a round."""
    assert list(random_rounds("bonus", 50, seed=7)) == list(random_rounds("bonus", 50, seed=7))
