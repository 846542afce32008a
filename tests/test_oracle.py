"""The oracle agrees with the golden cases, and the random rounds leave nothing out."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests import oracle
from tests.oracle import OracleRound, UnanswerableError
from tests.random_rounds import Round, random_round

VECTORS = Path(__file__).parent / "vectors"
ROUNDS = 20_000
PAIR_RESULTS = {
    (3, 0, 0): "rows 3-0",
    (2, 0, 1): "rows 2-0-1",
    (1, 0, 2): "rows 1-0-2",
    (2, 1, 0): "rows 2-1",
    (1, 1, 1): "rows 1-1-1",
    (0, 0, 3): "rows 0-0-3",
}


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


@pytest.mark.parametrize("name", ["evaluate", "order", "validate", "score", "deal", "seats"])
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


@pytest.mark.parametrize("ruleset", ["bonus", "classic"])
def test_random_rounds_make_every_occurrence(ruleset: str) -> None:
    """Whatever the rules tell apart happens within 20,000 rounds."""
    counts = count_occurrences(ruleset, ROUNDS, seed=2026)
    missing = [name for name in required_occurrences(ruleset) if not counts[name]]
    assert missing == [], counts


# Occurrences -------------------------------------------------------------------------------------


def random_rounds(ruleset: str, count: int, seed: int) -> Iterator[Round]:
    """Make rounds from a seed."""
    rng = Random(seed)  # noqa: S311 - a test wants rounds that it can repeat
    for _ in range(count):
        yield random_round(rng, ruleset)


def required_occurrences(ruleset: str) -> list[str]:
    """List what random rounds must contain."""
    royalties = oracle.BONUS_ROYALTIES if ruleset == "bonus" else oracle.CLASSIC_ROYALTIES
    common = ["foul", "legal", "home run", *PAIR_RESULTS.values()]
    common += [f"tied {row}" for row in oracle.ROWS]
    common += [f"royalty {row} {category}" for row, category in royalties]
    common.append("front equals middle as far as it goes")
    if ruleset == "bonus":
        return [
            *common,
            "mutual gunshot",
            "two home runs at once",
            "middle equals back",
            "royalty row WON, pair even, paid",
            "royalty row WON, pair won, paid",
            "royalty row TIED, pair even, unpaid",
            "royalty row TIED, pair won, unpaid",
            "royalty row LOST, pair even, unpaid",
            "royalty row LOST, pair lost, unpaid",
        ]
    return [
        *common,
        "royalty row WON, pair won, paid",
        "royalty row TIED, pair won, paid",
        "royalty row LOST, pair won, paid",
        "royalty row WON, pair even, unpaid",
        "royalty row TIED, pair even, unpaid",
        "royalty row LOST, pair even, unpaid",
        "royalty row WON, pair lost, unpaid",
        "royalty row LOST, pair lost, unpaid",
        "one dragon",
        "two dragons, neither in one suit",
        "two dragons, one in one suit",
        "two dragons, both in one suit",
        "two dragons, gunshot between the others",
        "two dragons, royalty between the others",
        "four dragons",
        "dragon royalty",
        "dragon with its rows out of order",
    ]


def count_occurrences(ruleset: str, count: int, seed: int) -> Counter[str]:
    """Count the rounds in which each thing occurs, and check that every round adds up."""
    counts: Counter[str] = Counter()
    for dealt in random_rounds(ruleset, count, seed):
        try:
            result = oracle.score(ruleset, dealt.cut, dealt.dealer, dealt.arrangements)
        except UnanswerableError:
            counts["foul"] += 1
            continue
        assert_units_add_up(result)
        found = {"legal", *what_happened(result)}
        found |= how_rows_met(result)
        found |= what_dragons_did(result, dealt)
        found |= set(what_royalty_rows_earned(ruleset, result))
        counts.update(found)
    return counts


def what_happened(result: OracleRound) -> Iterator[str]:
    """Name the gunshots, home runs and royalties of a round."""
    if result.home_runs:
        yield "home run"
    if len(result.home_runs) > 1:
        yield "two home runs at once"
    if any((opponent, seat) in result.gunned for seat, opponent in result.gunned):
        yield "mutual gunshot"
    for pair in result.pairs.values():
        for paid in pair.royalties:
            yield f"royalty {paid.row} {paid.category}" if paid.row else "dragon royalty"


def what_royalty_rows_earned(ruleset: str, result: OracleRound) -> Iterator[str]:
    """Name the fates of rows in the royalty table: the won, the tied and the lost, paid or not."""
    table = oracle.BONUS_ROYALTIES if ruleset == "bonus" else oracle.CLASSIC_ROYALTIES
    for (seat, _), pair in result.pairs.items():
        paid_rows = {paid.row for paid in pair.royalties if paid.payee == seat}
        for row, (category, _), outcome in zip(
            oracle.ROWS, result.values[seat], pair.outcomes, strict=True
        ):
            if outcome and (row, category) in table:
                paid = "paid" if row in paid_rows else "unpaid"
                beaten = {1: "won", 0: "even", -1: "lost"}[sign(pair.pair + pair.gunshot)]
                yield f"royalty row {outcome}, pair {beaten}, {paid}"


def sign(number: int) -> int:
    """Give -1, 0 or 1."""
    return (number > 0) - (number < 0)


def how_rows_met(result: OracleRound) -> set[str]:
    """Name the ties and the pair results, and the close calls within a seat."""
    found = set()
    for pair in result.pairs.values():
        won, lost, tied = (pair.outcomes.count(word) for word in ("WON", "LOST", "TIED"))
        found.add(PAIR_RESULTS.get((won, lost, tied), "any other"))
        for row, outcome in zip(oracle.ROWS, pair.outcomes, strict=True):
            if outcome == "TIED":
                found.add(f"tied {row}")
    for front, middle, back in result.values:
        if middle == back:
            found.add("middle equals back")
        if front[0] == middle[0] and front[1] == middle[1][: len(front[1])]:
            found.add("front equals middle as far as it goes")
    return found


def what_dragons_did(result: OracleRound, dealt: Round) -> set[str]:
    """Name the dragons of a round, and what the other two seats did meanwhile."""
    dragons = [seat for seat in oracle.SEATS if result.dragons[seat]]
    if len(dragons) != 2:
        found = {{0: "no dragon", 1: "one dragon", 4: "four dragons"}[len(dragons)]}
    else:
        suited = [seat for seat in dragons if in_one_suit(dealt.arrangements[seat])]
        found = {f"two dragons, {['neither', 'one', 'both'][len(suited)]} in one suit"}
        one, other = (seat for seat in oracle.SEATS if seat not in dragons)
        if result.pairs[one, other].gunshot:
            found.add("two dragons, gunshot between the others")
        if result.pairs[one, other].royalties:
            found.add("two dragons, royalty between the others")
    for seat in dragons:
        values = result.values[seat]
        if any(oracle.compare_values(low, high) >= 0 for low, high in pairwise(values)):
            found.add("dragon with its rows out of order")
    return found


def in_one_suit(rows: oracle.Arrangement) -> bool:
    """Tell whether all thirteen cards are of one suit."""
    return len({card[1] for row in rows for card in row}) == 1


def assert_units_add_up(result: OracleRound) -> None:
    """No unit is lost: parts make totals, pairs make totals, and all sum to zero."""
    assert sum(result.total) == 0
    assert sorted(result.place) == [1, 2, 3, 4]
    for seat in oracle.SEATS:
        parts = (result.pair, result.gunshot, result.home_run, result.royalty)
        assert result.total[seat] == sum(part[seat] for part in parts)
        opponents = [other for other in oracle.SEATS if other != seat]
        assert result.total[seat] == sum(result.pairs[seat, other].total for other in opponents)
        for other in opponents:
            assert result.pairs[seat, other].total == -result.pairs[other, seat].total
