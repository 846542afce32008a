"""Every row of every deck, judged and counted; what to expect is worked out from the rules.

A row is a set of cards that can be told apart, so two identical spades make more rows than
distinct ones: a row with one of them stands for two. Each distinct row is judged.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from typing import NamedTuple

import pytest
import treys

from shisanzhi.engine.cards import STANDARD_DECK, Card, Rank, Suit
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import Evaluator, RowValue
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from tests import oracle

BONUS_KINDS = {
    Category.TRIPS: Category.BONUS_TRIPS,
    Category.FULL_HOUSE: Category.BONUS_FULL_HOUSE,
    Category.QUADS: Category.BONUS_QUADS,
}
STRAIGHTS = tuple(
    tuple(Rank.ACE if rank == 1 else Rank(rank) for rank in range(low, low + 5))
    for low in range(1, 11)
)


class Deck(NamedTuple):
    """A deck to take the census of: a ruleset's, perhaps less a cut card."""

    ruleset: Ruleset
    cut_card: Card | None = None

    def __str__(self) -> str:
        size = len(self.ruleset.deck) - (self.cut_card is not None)
        return f"{self.ruleset.key}-{size}" + (f"-less-{self.cut_card}" if self.cut_card else "")

    @property
    def bonus_rank(self) -> Rank | None:
        return None if self.cut_card is None else self.cut_card.rank

    @property
    def evaluator(self) -> Evaluator:
        return self.ruleset.evaluator(self.bonus_rank)

    @property
    def copies(self) -> Counter[Card]:
        """How many copies of each card are in play."""
        copies = Counter(self.ruleset.deck)
        if self.cut_card is not None:
            copies[self.cut_card] -= 1
        return copies


CUT_CARDS = ("2c", "As")  # of a card that there is once, and of one that there is twice
MORE_CUT_CARDS = ("7d", "Ah", "2s", "7s")
WHOLE = [Deck(CLASSIC), Deck(BONUS)]
FIVE_CARD_DECKS = [
    *WHOLE,
    *(Deck(BONUS, Card.parse(text)) for text in CUT_CARDS),
    *(
        pytest.param(Deck(BONUS, Card.parse(text)), marks=pytest.mark.census)
        for text in MORE_CUT_CARDS
    ),
]
ORDERED_DECKS = [*WHOLE, *(Deck(BONUS, Card.of(rank, Suit.CLUBS)) for rank in Rank)]
THREE_CARD_DECKS = [*WHOLE, *(Deck(BONUS, card) for card in STANDARD_DECK)]


# What the rules lead to expect. An easy case to check the formulas by: in the 52-card deck
# QUADS are 13 · C(4, 4) · 48 rows and TWO_PAIR are C(13, 2) · C(4, 2) · C(4, 2) · 44.


class Expected(NamedTuple):
    """Per category: how many rows there are, and how many distinct values."""

    rows: Mapping[Category, int]
    values: Mapping[Category, int]


def choose(counts: Mapping[Rank, int], *groups: int, singles: int = 0) -> int:
    """Count the ways to take groups of 2 to 5 cards of one rank each, then single ranks.

    Groups of one size are taken in no order, and so are the single cards; ``counts`` says how many
    cards of each rank there are.
    """
    if not groups:
        return sum(prod(counts[rank] for rank in ranks) for ranks in combinations(counts, singles))
    size, *rest = groups
    ways = sum(
        comb(counts[rank], size) * choose(without(counts, rank), *rest, singles=singles)
        for rank in counts
    )
    # Two pairs were each found twice: the high pair first, and the low pair first.
    return ways // 2 if groups == (2, 2) else ways


def without(counts: Mapping[Rank, int], rank: Rank) -> Mapping[Rank, int]:
    return {other: count for other, count in counts.items() if other is not rank}


def ranks_in_suit(deck: Deck, suit: Suit) -> Mapping[Rank, int]:
    return {rank: deck.copies[Card.of(rank, suit)] for rank in Rank}


def ranks_in_deck(deck: Deck) -> Mapping[Rank, int]:
    return {rank: sum(deck.copies[Card.of(rank, suit)] for suit in Suit) for rank in Rank}


def straights(counts: Mapping[Rank, int]) -> int:
    return sum(prod(counts[rank] for rank in ranks) for ranks in STRAIGHTS)


def expected_fives(deck: Deck) -> Expected:
    """Count the five-card rows of a deck by the rules."""
    every = ranks_in_deck(deck)
    suits = [ranks_in_suit(deck, suit) for suit in Suit]
    straight_flushes = sum(map(straights, suits))
    flushes = sum(choose(suit, singles=5) for suit in suits) - straight_flushes
    two_pair_flushes = sum(choose(suit, 2, 2, singles=1) for suit in suits)
    one_pair_flushes = sum(choose(suit, 2, singles=3) for suit in suits)
    mixed_straights = straights(every) - straight_flushes
    rows = {
        Category.FIVE_OF_A_KIND: choose(every, 5),
        Category.STRAIGHT_FLUSH: straight_flushes,
        Category.QUADS: choose(every, 4, singles=1),
        Category.FULL_HOUSE: choose(every, 3, 2),
        Category.PAIR_FLUSH: two_pair_flushes + one_pair_flushes,
        Category.FLUSH: flushes,
        Category.STRAIGHT: mixed_straights,
        Category.TRIPS: choose(every, 3, singles=2),
        Category.TWO_PAIR: choose(every, 2, 2, singles=1) - two_pair_flushes,
        Category.PAIR: choose(every, 2, singles=3) - one_pair_flushes,
        Category.HIGH_CARD: choose(every, singles=5) - mixed_straights - flushes - straight_flushes,
    }
    twice = sum(count == 2 for suit in suits for count in suit.values())
    values = {
        Category.FIVE_OF_A_KIND: sum(count >= 5 for count in every.values()),
        Category.STRAIGHT_FLUSH: 10,
        Category.QUADS: 13 * 12,
        Category.FULL_HOUSE: 13 * 12,
        Category.PAIR_FLUSH: comb(twice, 2) * 11 + twice * comb(12, 3),
        Category.FLUSH: comb(13, 5) - 10,
        Category.STRAIGHT: 10,
        Category.TRIPS: 13 * comb(12, 2),
        Category.TWO_PAIR: comb(13, 2) * 11,
        Category.PAIR: 13 * comb(12, 3),
        Category.HIGH_CARD: comb(13, 5) - 10,
    }
    if deck.bonus_rank is None:
        return Expected(rows, values)
    four = {deck.bonus_rank: every[deck.bonus_rank]}
    others = without(every, deck.bonus_rank)
    bonus_rows = {
        Category.QUADS: choose(four, 4) * choose(others, singles=1),
        Category.FULL_HOUSE: choose(four, 3) * choose(others, 2),
        Category.TRIPS: choose(four, 3) * choose(others, singles=2),
    }
    # One rank of thirteen rises.
    bonus_values = {category: values[category] // 13 for category in bonus_rows}
    return Expected(risen(rows, bonus_rows), risen(values, bonus_values))


def expected_threes(deck: Deck) -> Expected:
    """Count the three-card rows of a deck by the rules: no straight, no flush."""
    every = ranks_in_deck(deck)
    rows = {
        Category.TRIPS: choose(every, 3),
        Category.PAIR: choose(every, 2, singles=1),
        Category.HIGH_CARD: choose(every, singles=3),
    }
    values = {Category.TRIPS: 13, Category.PAIR: 13 * 12, Category.HIGH_CARD: comb(13, 3)}
    if deck.bonus_rank is None:
        return Expected(rows, values)
    bonus_rows = {Category.TRIPS: comb(every[deck.bonus_rank], 3)}
    return Expected(risen(rows, bonus_rows), risen(values, {Category.TRIPS: 1}))


def risen(counts: Mapping[Category, int], bonus: Mapping[Category, int]) -> Mapping[Category, int]:
    """Move the part that holds three or four bonus cards one rung up."""
    up = {BONUS_KINDS[category]: count for category, count in bonus.items()}
    left = {category: count - bonus.get(category, 0) for category, count in counts.items()}
    return left | up


# Counting


def census(deck: Deck, size: int) -> Counter[RowValue]:
    """Judge every distinct row of a deck, and count the rows that each stands for, by value."""
    judge = deck.evaluator.value
    counts: Counter[RowValue] = Counter()
    for multiplicity, head, others, open_places in distinct_rows(deck, size):
        found = Counter([judge((*head, *rest)) for rest in combinations(others, open_places)])
        for value, count in found.items():
            counts[value] += multiplicity * count
    return counts


def distinct_rows(
    deck: Deck, size: int
) -> Iterator[tuple[int, Sequence[Card], Sequence[Card], int]]:
    """Give the distinct rows in bunches: how many rows each stands for, the cards that come twice
    in the deck, and the cards that come once with how many to take of them.

    A card that comes twice is taken twice in one way, or once in two ways.
    """
    copies = deck.copies
    doubles = [card for card, count in copies.items() if count == 2]
    others = [card for card, count in copies.items() if count == 1]
    for pairs in range(size // 2 + 1 if doubles else 1):
        for paired in combinations(doubles, pairs):
            left = [card for card in doubles if card not in paired]
            for singles in range(size - 2 * pairs + 1 if doubles else 1):
                for single in combinations(left, singles):
                    head = (*paired, *paired, *single)
                    yield 2**singles, head, others, size - len(head)


def per_category(counts: Mapping[RowValue, int]) -> Expected:
    rows: Counter[Category] = Counter()
    for value, count in counts.items():
        rows[value.category] += count
    return Expected(rows, Counter(value.category for value in counts))


def positive(counts: Mapping[Category, int]) -> dict[str, int]:
    """Leave out what does not occur."""
    return {category.name: counts[category] for category in Category if counts.get(category)}


def assert_census(expected: Expected, counts: Mapping[RowValue, int]) -> None:
    found = per_category(counts)
    assert positive(expected.rows) == positive(found.rows)
    assert positive(expected.values) == positive(found.values)
    # Distinct by strength as by category and ranks.
    total = sum(expected.values.values())
    assert total == len({value.strength for value in counts})
    assert total == len({(value.category, value.ranks) for value in counts})


@pytest.mark.slow
@pytest.mark.parametrize("deck", FIVE_CARD_DECKS, ids=str)
def test_every_five_card_row_of_a_deck_is_counted_where_the_rules_put_it(deck: Deck) -> None:
    expected = expected_fives(deck)
    assert comb(sum(deck.copies.values()), 5) == sum(expected.rows.values())
    assert_census(expected, census(deck, 5))


@pytest.mark.parametrize("deck", THREE_CARD_DECKS, ids=str)
def test_every_three_card_row_of_a_deck_is_counted_where_the_rules_put_it(deck: Deck) -> None:
    expected = expected_threes(deck)
    assert comb(sum(deck.copies.values()), 3) == sum(expected.rows.values())
    assert_census(expected, census(deck, 3))


def test_the_52_card_deck_has_2598960_rows_and_7462_values() -> None:
    """The figures that every book on poker has, from the formulas that all decks share."""
    expected = expected_fives(Deck(CLASSIC))
    assert sum(expected.rows.values()) == 2_598_960
    assert sum(expected.values.values()) == 7_462
    assert expected.rows[Category.QUADS] == 13 * comb(4, 4) * 48
    assert expected.rows[Category.TWO_PAIR] == comb(13, 2) * comb(4, 2) ** 2 * 44
    assert expected.rows[Category.PAIR] == 13 * comb(4, 2) * comb(12, 3) * 4**3
    assert expected.rows[Category.STRAIGHT_FLUSH] == 10 * 4


@pytest.mark.slow
def test_the_order_agrees_with_treys_over_the_whole_52_card_deck() -> None:
    judge = CLASSIC.evaluator(None).value
    rank = treys.Evaluator().evaluate
    theirs = [treys.Card.new(str(card)) for card in STANDARD_DECK]
    pairs = {
        (judge(row).strength, rank(list(their_row), []))
        for row, their_row in zip(
            combinations(STANDARD_DECK, 5), combinations(theirs, 5), strict=True
        )
    }
    assert len(pairs) == 7_462
    # Each strength has one rank, each rank one strength; in treys 1 is the best.
    assert list(range(7_462, 0, -1)) == [rank for _, rank in sorted(pairs)]


@pytest.mark.parametrize("deck", ORDERED_DECKS, ids=str)
def test_the_order_agrees_with_the_oracle_over_every_value(deck: Deck) -> None:
    """Rows of both sizes together, sorted by strength: what holds for neighbours holds for all."""
    judge = deck.evaluator.value
    cut = None if deck.cut_card is None else str(deck.cut_card)
    ascending = sorted(
        (judge(row).strength, [str(card) for card in row]) for row in one_row_of_each_kind(deck)
    )
    values = [*expected_threes(deck).values.values(), *expected_fives(deck).values.values()]
    assert sum(values) == len({strength for strength, _ in ascending})
    for (strength, row), (next_strength, next_row) in pairwise(ascending):
        expected = oracle.compare(deck.ruleset.key, cut, row, next_row)
        assert expected == (-1 if strength < next_strength else 0), (row, next_row)


def one_row_of_each_kind(deck: Deck) -> Iterator[Sequence[Card]]:
    """Give a row of mixed suits, and one all in spades, of all ranks that the deck has them in."""
    copies = deck.copies
    for size in (3, 5):
        for ranks in combinations_with_replacement(Rank, size):
            left = {rank: [*cards_of(copies, rank)] for rank in ranks}
            if all(ranks.count(rank) <= len(left[rank]) for rank in ranks):
                yield [left[rank].pop(turn % len(left[rank])) for turn, rank in enumerate(ranks)]
            spades = [Card.of(rank, Suit.SPADES) for rank in ranks]
            if all(count <= copies[card] for card, count in Counter(spades).items()):
                yield spades


def cards_of(copies: Mapping[Card, int], rank: Rank) -> Iterator[Card]:
    for suit in Suit:
        card = Card.of(rank, suit)
        yield from [card] * copies[card]
