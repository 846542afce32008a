"""The solver: its model says what scoring does, its search misses nothing, it never fouls."""

import importlib.util
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from hashlib import sha256
from itertools import combinations, pairwise, product
from math import comb, prod
from operator import and_
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from shisanzhi.engine.arrangement import Arrangement, bonus_rank_of, is_dragon, judge
from shisanzhi.engine.cards import Card, Rank, Suit, format_cards, parse_cards
from shisanzhi.engine.categories import Category
from shisanzhi.engine.deal import deal
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from shisanzhi.engine.scoring.round import score
from shisanzhi.engine.solver import arranger as solver
from shisanzhi.engine.solver import expected_units, model, search
from shisanzhi.engine.solver.arranger import (
    COMPILED,
    Arranged,
    Arranger,
    Arranging,
    arrange,
    dragon_chance,
    start,
)
from shisanzhi.engine.solver.classes import STEPS, classes
from shisanzhi.engine.solver.expected_units import Odds, ints
from shisanzhi.engine.solver.model import chances, earnings
from shisanzhi.engine.solver.row_counts import RowCounts, by_class, counts, name, row_counts
from tests.every_split import EverySplit
from tests.generators import played
from tests.random_rounds import random_rounds

RULESETS = pytest.mark.parametrize("ruleset", [BONUS, CLASSIC], ids=lambda ruleset: ruleset.key)
HANDS_OF_A_PART = 32
PARTS = 10
SHORT_PARTS = {BONUS.key: 2, CLASSIC.key: PARTS}
"""Parts that are quick enough to be tried each time; of 16 cards every split takes a second."""
HANDS = pytest.mark.parametrize(
    "count",
    [5_000 if COMPILED else 400, pytest.param(20_000, marks=pytest.mark.census)],
)
TOLERANCE = 1e-9


class Dealt(NamedTuple):
    """One hand, and the cut card of its round."""

    hand: tuple[Card, ...]
    cut_card: Card | None


def hands(ruleset: Ruleset, count: int, label: str) -> Iterator[Dealt]:
    """Deal rounds from seeds; give their hands."""
    for number in range(-(-count // 4)):
        dealt = deal(ruleset, sha256(f"{label} {number}".encode()).digest())
        yield from (Dealt(hand, dealt.cut_card) for hand in dealt.hands)


def beside_dragons(ruleset: Ruleset, dealt: Dealt, units: float, opponents: int = 3) -> float:
    """Allow for an opponent's dragon, as the solver does."""
    chance = opponents * dragon_chance(ruleset, dealt.hand)
    scoring = ruleset.scoring
    takes = scoring.gunshot_units + scoring.home_run_units + scoring.dragon_units
    return (1 - chance) * units - chance * takes


# The search misses nothing


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "part"),
    [
        pytest.param(
            ruleset,
            part,
            marks=() if part < SHORT_PARTS[ruleset.key] else pytest.mark.census,
            id=f"{ruleset.key}-{part}",
        )
        for ruleset in (BONUS, CLASSIC)
        for part in range(PARTS)
    ],
)
def test_no_split_of_a_hand_is_worth_more(ruleset: Ruleset, part: int) -> None:
    every_split = EverySplit(ruleset, row_counts(ruleset))
    for dealt in hands(ruleset, HANDS_OF_A_PART, f"exhaustive {part}"):
        arranged = arrange(ruleset, *dealt)
        if not arranged.dragon:
            best = beside_dragons(ruleset, dealt, every_split.best(*dealt))
            assert arranged.suggestions[0].expected_units == pytest.approx(best, abs=TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row_category",
    [
        (Row.BACK, Category.TRIPS),
        (Row.BACK, Category.PAIR),
        (Row.MIDDLE, Category.PAIR),
        (Row.FRONT, Category.HIGH_CARD),
    ],
    ids=str,
)
@RULESETS
def test_no_split_is_worth_more_where_lesser_rows_earn_royalties(
    ruleset: Ruleset, row_category: tuple[Row, Category]
) -> None:
    """The greater the row the more it earns: true in CLASSIC, not in BONUS, not needed."""
    odd = replace(ruleset, royalties={**ruleset.royalties, row_category: 4})
    every_split = EverySplit(odd, row_counts(ruleset))
    for dealt in hands(ruleset, 120 if ruleset is CLASSIC else 4, "odd royalties"):
        arranged = arrange(odd, *dealt)
        if not arranged.dragon:
            best = beside_dragons(ruleset, dealt, every_split.best(*dealt))
            assert arranged.suggestions[0].expected_units == pytest.approx(best, abs=TOLERANCE)


@pytest.mark.parametrize("opponents", [1, 2])
@RULESETS
def test_no_split_is_worth_more_against_fewer_opponents(ruleset: Ruleset, opponents: int) -> None:
    every_split = EverySplit(ruleset, row_counts(ruleset), opponents)
    arranger = Arranger(ruleset, counts(ruleset), opponents)
    for dealt in hands(ruleset, 40 if ruleset is CLASSIC else 4, "fewer opponents"):
        arranged = arranger.arrange(*dealt)
        if not arranged.dragon:
            best = beside_dragons(ruleset, dealt, every_split.best(*dealt), opponents)
            assert arranged.suggestions[0].expected_units == pytest.approx(best, abs=TOLERANCE)


@pytest.mark.parametrize("opponents", [0, 4])
def test_there_are_one_to_three_opponents(opponents: int) -> None:
    with pytest.raises(ValueError, match=f"expected 1 to 3 opponents, got {opponents}"):
        Arranger(CLASSIC, counts(CLASSIC), opponents)


@RULESETS
def test_twenty_suggestions_are_the_twenty_best_of_all_splits(ruleset: Ruleset) -> None:
    """Distinct in their values, and each with its own expected units."""
    every_split = EverySplit(ruleset, row_counts(ruleset))
    for dealt in [*hands(ruleset, 4, "twenty"), *strong_hands(ruleset, 4)]:
        if is_dragon(ruleset, dealt.hand):
            continue
        arranged = arrange(ruleset, *dealt, max_suggestions=20)
        found = [each.expected_units for each in arranged.suggestions]
        best = best_of_distinct_values(every_split, dealt, 20)
        assert found == pytest.approx([beside_dragons(ruleset, dealt, u) for u in best], abs=1e-9)
        rows = {(each.front, each.middle, each.back) for each in arranged.suggestions}
        assert len(rows) == len(found)


def best_of_distinct_values(every_split: EverySplit, dealt: Dealt, count: int) -> list[float]:
    """Give the greatest units, one for each three row values; equal values have equal units."""
    worth: dict[tuple[int, ...], float] = {}
    for splits in every_split.splits(*dealt):
        units = np.where(splits.legal, splits.units, -np.inf)
        least = sorted(worth.values(), reverse=True)[:count][-1] if len(worth) >= count else -1e9
        rows = np.broadcast_arrays(splits.front, splits.middle, splits.back)
        for at in zip(*np.nonzero(units > least), strict=True):
            worth[tuple(int(row[at]) for row in rows)] = float(units[at])
    return sorted(worth.values(), reverse=True)[:count]


# The model says what scoring does


@pytest.mark.parametrize("opponents", [1, 2, 3])
@pytest.mark.parametrize("royal", [False, True], ids=["plain hand", "royalties on both sides"])
@RULESETS
def test_expected_units_are_what_settling_all_rounds_comes_to(
    ruleset: Ruleset, opponents: int, *, royal: bool
) -> None:
    """Against a field of two values a row, three opponents play 512 rounds; settle them all.

    One of the two values is our own best row's, so all rows can tie.
    """
    hand = {
        ("bonus", False): "As Ah Ad Ac Ks Kd 9h 9d 8c 7c 5d 5h 4h 3d 2s Tc",
        ("bonus", True): "As Ah Ad 7s 7c 7h Ks Kd Kc 9h 9d 4c 4h 4d 4s 2c",
        ("classic", False): "As Ah Ad Ac Ks Kd 9h 9d 8c 7c 5d 4h 3d",
        ("classic", True): "As Ah Ad 4c 4h 4d 4s Ks Kd Kc Kh 2c 8d",
    }[ruleset.key, royal]
    dealt = Dealt(parse_cards(hand), Card.parse("7d") if ruleset is BONUS else None)
    best = arrange(ruleset, *dealt).suggestions[0].arrangement
    others = map(parse_cards, ("Qs Qh Qd", "6s 6h 6d 6c 2h", "2c 3c 4c 5c 6c"))
    against = [
        {own: own_count, other: other_count}
        for own, own_count, other, other_count in zip(
            best, (2, 2, 3), others, (1, 3, 2), strict=True
        )
    ]
    ruleset = replace(ruleset, seats=opponents + 1)
    against_them = as_counts(ruleset, dealt, against)
    arranger = Arranger(ruleset, by_class(against_them, classes(ruleset)))
    for each in arranger.arrange(*dealt, max_suggestions=20).suggestions:
        settled = settled_units(ruleset, dealt, each.arrangement, against)
        assert each.expected_units == pytest.approx(settled)


Shares = dict[tuple[Card, ...], int]
"""How often each of some rows is held."""


def as_counts(ruleset: Ruleset, dealt: Dealt, against: Sequence[Shares]) -> RowCounts:
    value = ruleset.evaluator(bonus_rank_of(dealt.cut_card)).value
    rows = ({name(value(row)): count for row, count in shares.items()} for shares in against)
    return RowCounts(*rows)


def settled_units(
    ruleset: Ruleset, dealt: Dealt, own: Arrangement, against: Sequence[Shares]
) -> float:
    """Settle every round of opponents who hold these rows, and take the mean."""
    held = [(Arrangement(*rows), weight(rows, against)) for rows in product(*against)]
    total = 0.0
    for others in product(held, repeat=ruleset.seats - 1):
        laid = [own, *(rows for rows, _ in others)]
        settled = score(ruleset, laid, dealt.cut_card, dealer=0)
        total += settled.seats[0].total_units * prod(share for _, share in others)
    return total


def weight(rows: Sequence[tuple[Card, ...]], against: Sequence[Shares]) -> float:
    share = 1.0
    for row, shares in zip(rows, against, strict=True):
        share *= shares[row] / sum(shares.values())
    return share


@RULESETS
def test_units_without_royalties_rise_with_every_row(ruleset: Ruleset) -> None:
    """The search leans on it: for any opponents, a greater row never loses units but royalties."""
    bare = EverySplit(ruleset, row_counts(ruleset))
    bare.rows = [row._replace(royalty=np.zeros_like(row.royalty)) for row in bare.rows]
    every_class = np.arange(len(classes(ruleset).values))
    rng = random.Random(3)
    for _ in range(40):
        others = [np.array([rng.choice(every_class)]) for _ in range(3)]
        for row in range(3):
            places = [*others[:row], every_class, *others[row + 1 :]]
            assert np.all(np.diff(bare.units(*places)) > -TOLERANCE)


@RULESETS
def test_no_ruleset_pays_less_for_more(ruleset: Ruleset) -> None:
    """What the proof of the bound asks of a ruleset."""
    assert 0 <= ruleset.scoring.pair_units <= ruleset.scoring.gunshot_units
    assert ruleset.scoring.home_run_units >= 0
    assert min(ruleset.royalties.values()) > 0


def test_the_odds_of_a_row_add_up() -> None:
    made = Odds(
        *chances([3, 0, 5, 2], opponents=3),
        *earnings([3, 0, 5, 2], [(1, 0), (1, 1), (1, 0), (1, 4)]),
    )
    assert list(made.wins) == [0.0, 0.3, 0.3, 0.8]
    assert list(made.holds) == [0.3, 0.3, 0.8, 1.0]
    assert [sum(paid) for paid in zip(made.higher, made.equal, made.lower, strict=True)] == [
        0.8
    ] * 4
    for rising in (made.wins, made.holds, made.ceiling, made.lower):
        assert list(rising) == sorted(rising)
    for falling in (made.swept, made.swept_once, made.swept_twice, made.higher):
        assert list(falling) == sorted(falling, reverse=True)


# The answers are legal


@pytest.mark.slow
@HANDS
@RULESETS
def test_no_hand_is_fouled_and_no_card_is_lost(ruleset: Ruleset, count: int) -> None:
    for dealt in hands(ruleset, count, "legal"):
        assert_playable(ruleset, dealt, arrange(ruleset, *dealt))


@pytest.mark.slow
@HANDS
@RULESETS
def test_no_strong_hand_is_fouled_and_no_card_of_it_is_lost(ruleset: Ruleset, count: int) -> None:
    for dealt in strong_hands(ruleset, count // 4):
        assert_playable(ruleset, dealt, arrange(ruleset, *dealt, max_suggestions=3))


def strong_hands(ruleset: Ruleset, count: int) -> Iterator[Dealt]:
    """Give hands rich in flushes or quads, and those of planted rounds, dragons among them."""
    rng = random.Random(count)
    for number in range(count):
        suits, ranks = (2, 13) if number % 2 else (4, 6)
        yield rich_hand(ruleset, rng, rng.sample(list(Suit), suits), rng.sample(list(Rank), ranks))
    for dealt in random_rounds(ruleset.key, -(-count // 4), seed=count):
        round_ = played(dealt)
        yield from (Dealt(hand, round_.cut_card) for hand in round_.hands)


def rich_hand(
    ruleset: Ruleset, rng: random.Random, suits: Sequence[Suit], ranks: Sequence[Rank]
) -> Dealt:
    """Deal a hand from few suits or few ranks."""
    deck = list(ruleset.deck)
    rng.shuffle(deck)
    cut_card = deck.pop() if ruleset.has_bonus_rank else None
    rich = [card for card in deck if card.suit in suits and card.rank in ranks]
    poor = [card for card in deck if card not in rich]
    hand = [*rich, *poor][: ruleset.hand_size]
    rng.shuffle(hand)
    return Dealt(tuple(hand), cut_card)


def assert_playable(ruleset: Ruleset, dealt: Dealt, arranged: Arranged) -> None:
    assert arranged.dragon == is_dragon(ruleset, dealt.hand)
    assert arranged.suggestions
    for each in arranged.suggestions:
        judged = judge(ruleset, each.arrangement, dealt.cut_card, dealt.hand)
        assert judged.legal
        assert Counter(dealt.hand) == Counter((*each.arrangement.cards, *each.discards))
        assert (judged.front, judged.middle, judged.back) == (each.front, each.middle, each.back)
        assert judged.discards == each.discards


# What a caller may rely on


@RULESETS
def test_suggestions_come_best_first_ties_by_the_greater_rows(ruleset: Ruleset) -> None:
    for dealt in hands(ruleset, 200, "order"):
        suggestions = arrange(ruleset, *dealt, max_suggestions=20).suggestions
        for better, worse in pairwise(suggestions):
            assert order(better) > order(worse)


def order(each: solver.Suggestion) -> tuple[float, int, int, int]:
    return each.expected_units, each.back.strength, each.middle.strength, each.front.strength


@RULESETS
def test_fewer_suggestions_are_the_first_of_more(ruleset: Ruleset) -> None:
    for dealt in hands(ruleset, 60, "fewer"):
        suggestions = arrange(ruleset, *dealt, max_suggestions=20).suggestions
        for count in (1, 5):
            assert (
                arrange(ruleset, *dealt, max_suggestions=count).suggestions == suggestions[:count]
            )


@RULESETS
def test_the_order_of_the_hand_changes_only_the_order_of_the_discards(ruleset: Ruleset) -> None:
    rng = random.Random(5)
    for dealt in hands(ruleset, 100, "shuffled"):
        best = arrange(ruleset, *dealt).suggestions[0]
        hand = tuple(rng.sample(dealt.hand, len(dealt.hand)))
        shuffled = arrange(ruleset, hand, dealt.cut_card).suggestions[0]
        assert shuffled._replace(discards=()) == best._replace(discards=())
        assert sorted(shuffled.discards) == sorted(best.discards)
        left = iter(hand)
        assert all(card in left for card in shuffled.discards), "in the order of the hand"


def test_a_dragon_is_laid_out_from_the_ace_down() -> None:
    hand = parse_cards("3h 2c 5s 4d 9d 8c 7d 6c Ah Qh Kc Td Js")
    arranged = arrange(CLASSIC, hand, max_suggestions=20)
    assert arranged.dragon
    assert [str(each.arrangement) for each in arranged.suggestions] == [
        "4d 3h 2c | 9d 8c 7d 6c 5s | Ah Kc Qh Js Td"
    ]


def test_a_dragon_expects_75_units_but_for_another_dragon() -> None:
    """Which one opponent has in one of 5,095 rounds; it and the dragon then take 19 from each."""
    hand = parse_cards("Ah Kc Qh Js Td 9d 8c 7d 6c 5s 4d 3h 2c")
    chance = 3 * 3**13 / comb(39, 13)
    expected = (1 - chance) * 75 + chance * 2 * (6 + 13)
    assert arrange(CLASSIC, hand).suggestions[0].expected_units == pytest.approx(expected)


def test_a_dragon_in_one_suit_takes_the_home_run_beside_another() -> None:
    hand = parse_cards("Ah Kh Qh Jh Th 9h 8h 7h 6h 5h 4h 3h 2h")
    chance = 3 * 3**13 / comb(39, 13)
    expected = (1 - chance) * 75 + chance * 2 * (6 + 6 + 13)
    assert arrange(CLASSIC, hand).suggestions[0].expected_units == pytest.approx(expected)


@pytest.mark.parametrize("opponents", [1, 2])
def test_a_dragon_takes_25_from_each_of_fewer_opponents(opponents: int) -> None:
    hand = parse_cards("Ah Kc Qh Js Td 9d 8c 7d 6c 5s 4d 3h 2c")
    chance = opponents * dragon_chance(CLASSIC, hand)
    expected = (1 - chance) * opponents * 25 + chance * (opponents - 1) * (6 + 13)
    arranged = Arranger(CLASSIC, counts(CLASSIC), opponents).arrange(hand)
    assert arranged.suggestions[0].expected_units == pytest.approx(expected)


def test_of_two_equal_cards_the_one_received_later_is_left() -> None:
    hand = parse_cards("2s Ah 3d Ad Ac Kh Kd 2s Kc Ks Qd Qc Jd Jc Tc 9c")
    suggestions = arrange(BONUS, hand, Card.parse("7s"), 20).suggestions
    left = [format_cards(each.discards) for each in suggestions]
    assert {"2s 3d 2s", "3d 2s Jd"} <= set(left)
    assert "2s 3d Jd" not in left


def test_bonus_knows_no_dragon() -> None:
    hand = parse_cards("Ah Kc Qh Js Td 9d 8c 7d 6c 5s 4d 3h 2c 2s 3s 4s")
    assert not arrange(BONUS, hand, Card.parse("7h")).dragon


@pytest.mark.parametrize("count", [0, 12, 17])
def test_a_hand_that_the_kernel_cannot_hold_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"expected 13 to 16 cards .*, got {count} and 1"):
        arrange(CLASSIC, CLASSIC.deck[:count])


@pytest.mark.parametrize("count", [-1, 0, 21])
def test_too_many_suggestions_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 20 arrangements, got 13 and {count}"):
        arrange(CLASSIC, CLASSIC.deck[:13], max_suggestions=count)


# In pieces


@pytest.mark.parametrize("count", [1, 20])
@RULESETS
def test_a_search_that_was_stopped_goes_on_to_the_same_answer(ruleset: Ruleset, count: int) -> None:
    asked = [*hands(ruleset, 100, "pieces"), *strong_hands(ruleset, 20)]
    pieces = [in_pieces(start(ruleset, *dealt, max_suggestions=count), 100) for dealt in asked]
    answers = [repr(arrange(ruleset, *dealt, max_suggestions=count)) for dealt in asked]
    assert [repr(arranged) for arranged, _ in pieces] == answers
    assert max(number for _, number in pieces) > 3


def in_pieces(arranging: Arranging, most_steps: int) -> tuple[Arranged, int]:
    """Give the answer, and how many pieces it took."""
    for number in range(1, 100_000):
        if arranged := arranging.advance(most_steps):
            return arranged, number
    raise AssertionError


@RULESETS
def test_a_search_that_was_stopped_can_be_finished(ruleset: Ruleset) -> None:
    for dealt in hands(ruleset, 20, "finished"):
        arranging = start(ruleset, *dealt, max_suggestions=20)
        assert arranging.advance(10) is None
        assert arranging.finish() == arranging.finish() == arrange(ruleset, *dealt, 20)


@pytest.mark.parametrize(
    ("ruleset", "hand", "enough"),
    [
        (CLASSIC, "2c 4d 5h 6s 7c 9d Tc Jh Qs Kd Ah 2d 4c", 12_151),
        (BONUS, "2c 4d 5h 6s 7c 9d Tc Jh Qs Kd Ah 2d 4c 8s 3h 7s", 13_332),
    ],
    ids=["classic", "bonus"],
)
def test_a_step_is_a_row_looked_at(ruleset: Ruleset, hand: str, enough: int) -> None:
    """A server knows by these numbers how long it may search: should they change, look there."""
    cut_card = Card.parse("8c") if ruleset is BONUS else None
    arranging = start(ruleset, parse_cards(hand), cut_card, 20)
    assert arranging.advance(enough - 1) is None
    assert start(ruleset, parse_cards(hand), cut_card, 20).advance(enough)


def test_a_dragon_takes_no_step() -> None:
    arranged = start(CLASSIC, parse_cards("Ah Kc Qh Js Td 9d 8c 7d 6c 5s 4d 3h 2c")).advance(0)
    assert arranged
    assert arranged.dragon


# Compiled or not


@pytest.mark.skipif(not COMPILED, reason="the kernel is not compiled here")
@RULESETS
def test_the_compiled_kernel_answers_as_its_source_does(
    ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And takes as many steps."""
    asked = [*hands(ruleset, 40, "same"), *strong_hands(ruleset, 10)]

    def answers() -> list[str]:
        arranger = Arranger(ruleset, counts(ruleset))
        return [
            repr(in_pieces(arranger.start(*dealt, max_suggestions=20), 1000)) for dealt in asked
        ]

    compiled = answers()
    use(monkeypatch, interpreted_kernel())
    assert answers() == compiled


class Kernel(NamedTuple):
    """The two modules of the kernel, compiled or not."""

    search: ModuleType
    expected: ModuleType


def use(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> None:
    """Let arrangers that are made from now on use another kernel."""
    monkeypatch.setattr(solver, "Search", kernel.search.Search)
    monkeypatch.setattr(model, "Tables", kernel.search.Tables)
    monkeypatch.setattr(model, "Opponents", kernel.expected.Opponents)


def installed_kernel() -> Kernel:
    return Kernel(search, expected_units)


def interpreted_kernel() -> Kernel:
    return Kernel(interpreted("search"), interpreted("expected_units"))


def interpreted(module_name: str) -> ModuleType:
    source = Path(str(solver.__file__)).with_name(f"{module_name}.py")
    spec = importlib.util.spec_from_file_location(f"interpreted_{module_name}", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.COMPILED
    return module


KERNELS = pytest.mark.parametrize(
    "kernel", [installed_kernel, interpreted_kernel], ids=["installed", "interpreted"]
)
HIGHEST = 5  # classes 0 to 5


class Classified(NamedTuple):
    """The class of each row by its index."""

    plain: Sequence[int]
    flush: Sequence[int]
    fronts: Sequence[int]

    def of(self, cards: Sequence[int]) -> int:
        """Give the class of rising cards."""
        index = sum(STEPS[13 * place + (card >> 4)] for place, card in enumerate(cards))
        if len(cards) == 3:
            return self.fronts[index]
        one_suit = reduce(and_, cards) & 15
        return (self.flush if one_suit else self.plain)[index]


LEVEL = [1] * (HIGHEST + 1)
ALIKE = [1] + [0] * HIGHEST
"""How often the classes are held by others: as often as each other, or the lowest alone."""
ROYALTIES = [(2, 0), (1, 3), (HIGHEST - 2, 1)]


def opponents_of(kernel: Kernel, counted: Sequence[int], royalties: Sequence[Any]) -> Any:
    every = Odds(
        *(numbers * 3 for numbers in chances(counted, opponents=3)),
        *(numbers * 3 for numbers in earnings(counted, royalties)),
    )
    return kernel.expected.Opponents(
        3, every, rows_decide=False, gunshot=1.0, home_run=2.0, pair=0.0
    )


def tables_of(kernel: Kernel, opponents: Any, rows: Classified, *, may_equal: bool) -> Any:
    plain, flush, fronts = map(ints, rows)
    return kernel.search.Tables(
        opponents,
        steps=STEPS,
        plain=plain,
        flush=flush,
        fronts=fronts,
        classes=HIGHEST + 1,
        may_equal=may_equal,
    )


def tied_tables(kernel: Kernel, front: int, five: int, *, may_equal: bool) -> Any:
    """Make tables in which all fronts tie, and all rows of five."""
    opponents = opponents_of(kernel, LEVEL, [(HIGHEST + 1, 0)])
    rows = Classified([five] * 6188, [five] * 6188, [front] * 455)
    return tables_of(kernel, opponents, rows, may_equal=may_equal)


@pytest.mark.parametrize(
    ("counted", "royalties", "may_equal"),
    [(LEVEL, ROYALTIES, True), (LEVEL, ROYALTIES, False), (ALIKE, [(HIGHEST + 1, 0)], True)],
    ids=["equal rows", "no equal rows", "all worth the same"],
)
@KERNELS
def test_any_rows_are_arranged_as_well_as_every_split_of_them_allows(
    kernel: Callable[[], Kernel], counted: list[int], royalties: list[Any], *, may_equal: bool
) -> None:
    """Best first, ties by the greater rows, and of equal rows the lower cards, the back's first."""
    rng = random.Random(9)
    sizes = (6188, 6188, 455)
    rows = Classified(*([rng.randrange(HIGHEST + 1) for _ in range(size)] for size in sizes))
    deck = [search.card_number(rank, suit) for rank in range(13) for suit in (0, 3)]
    cards = sorted(rng.sample(deck, 13))
    every = legal_splits(rows, cards, may_equal=may_equal)
    reference = opponents_of(interpreted_kernel(), counted, royalties)

    def units(classes: Rows) -> float:
        places = [row * (HIGHEST + 1) + row_class for row, row_class in enumerate(classes)]
        return float(reference.units(*places, *(reference.own[place] for place in places)))

    best = sorted(every, key=lambda classes: (units(classes), classes[::-1]), reverse=True)
    tables = tables_of(
        kernel(), opponents_of(kernel(), counted, royalties), rows, may_equal=may_equal
    )
    for keep in (1, 20):
        searching = kernel().search.Search(tables, cards, keep)
        assert searching.run()
        found = [(each.units, each.classes, each.rows) for each in searching.answer()]
        assert found == [(units(each), each, every[each]) for each in best[:keep]]


Rows = tuple[Any, ...]
"""Something of front, middle and back."""


def legal_splits(rows: Classified, cards: Sequence[int], *, may_equal: bool) -> dict[Rows, Rows]:
    """Give the classes of all splits, and the lowest cards that have them, as the kernel does."""
    every = range(len(cards))
    classes = {
        row: rows.of([cards[place] for place in row])
        for size in (3, 5)
        for row in combinations(every, size)
    }
    legal: dict[Rows, Rows] = {}
    for back in combinations(every, 5):
        rest = [place for place in every if place not in back]
        for middle in combinations(rest, 5):
            front = tuple([place for place in rest if place not in middle])
            split = (front, middle, back)
            f, m, b = map(classes.__getitem__, split)
            if f < m < b + may_equal:
                legal.setdefault((f, m, b), tuple(map(from_the_last, split)))
    return legal


def from_the_last(row: Sequence[int]) -> tuple[int, ...]:
    return tuple([12 - place for place in reversed(row)])


@pytest.mark.parametrize("front", [0, 3])
@KERNELS
def test_rows_that_all_tie_make_one_arrangement_of_the_lowest_cards(
    kernel: Callable[[], Kernel], front: int
) -> None:
    """The search goes to the end of all lists, since there is no second one."""
    tables = tied_tables(kernel(), front, HIGHEST, may_equal=True)
    cards = [search.card_number(rank, 0) for rank in range(13)]
    searching = kernel().search.Search(tables, cards, 2)
    assert searching.run()
    (found,) = searching.answer()
    assert found.classes == (front, HIGHEST, HIGHEST)
    assert found.rows == ((0, 1, 2), (3, 4, 5, 6, 7), (8, 9, 10, 11, 12))


@pytest.mark.parametrize(
    ("front", "five", "may_equal"), [(1, 1, True), (1, 5, False), (0, 0, True), (5, 5, False)]
)
@pytest.mark.parametrize("count", [13, 16])
@KERNELS
def test_where_no_arrangement_is_legal_none_is_found(
    kernel: Callable[[], Kernel], count: int, front: int, five: int, *, may_equal: bool
) -> None:
    tables = tied_tables(kernel(), front, five, may_equal=may_equal)
    cards = [search.card_number(rank, 0) for rank in range(13)]
    cards += [search.card_number(12, suit) for suit in range(1, count - 12)]
    searching = kernel().search.Search(tables, cards, 20)
    assert searching.run()
    assert searching.answer() == ()


@pytest.mark.parametrize(("cards", "keep"), [(17, 1), (13, 0), (13, 21)])
@KERNELS
def test_the_kernel_takes_no_more_than_it_has_room_for(
    kernel: Callable[[], Kernel], cards: int, keep: int
) -> None:
    tables = tied_tables(kernel(), 1, 1, may_equal=True)
    with pytest.raises(ValueError, match=f"expected 13 to 16 cards .*, got {cards} and {keep}"):
        kernel().search.Search(tables, [0] * cards, keep)


def test_rows_are_sorted_by_falling_class_and_equal_ones_keep_their_order() -> None:
    """Whatever classes there can be."""
    kernel = interpreted_kernel()
    rng, most, bits = random.Random(8), kernel.search.MAX_CLASSES, kernel.search.CARD_BITS
    some = [0, most // 2, most - 1, *rng.sample(range(most), 1000)]
    rows = [rng.choice(some) << bits | place for place in range(4000)]
    listed = ints(rows)
    tables = tied_tables(kernel, 1, 1, may_equal=True)
    kernel.search.Search(tables, [0] * 13, 1).sort(len(rows), listed)
    assert list(listed) == sorted(rows, key=lambda row: -(row >> bits))


@pytest.mark.parametrize(("short", "may"), [(0.0, True), (1e-12, True), (1e-6, False)])
def test_a_bound_may_fall_short_by_what_rounding_takes(short: float, *, may: bool) -> None:
    kernel = interpreted_kernel()
    tables = tied_tables(kernel, HIGHEST, HIGHEST, may_equal=True)
    searching = kernel.search.Search(tables, [0] * 13, 1)
    row = HIGHEST << kernel.search.CARD_BITS | 1
    places = (searching.front_odds(row), searching.middle_odds(row), searching.back_odds(row))
    searching.worst = tables.opponents.units(*places, 0.0, 0.0, 0.0) + short
    assert searching.may_do(row, row, row, 0.0) is may
