"""Rows, arrangements, and every fault of an arrangement at once."""

import enum
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from shisanzhi.engine.cards import (
    Card,
    Rank,
    Stock,
    count_cards,
    format_cards,
    not_left,
    ranks_of,
    take,
)
from shisanzhi.engine.evaluator import FRONT_SIZE, ROW_SIZE, Evaluator, RowValue

if TYPE_CHECKING:
    from shisanzhi.engine.rulesets.ruleset import Ruleset


class Row(enum.IntEnum):
    """A row's place in an arrangement: 頭墩, 中墩, 尾墩."""

    FRONT = 1
    MIDDLE = 2
    BACK = 3

    @property
    def size(self) -> int:
        """How many cards the row holds.

        >>> [row.size for row in Row]
        [3, 5, 5]
        """
        return SIZES[self - 1]

    @property
    def field(self) -> str:
        """The row's name in paths.

        >>> Row.FRONT.field
        'front'
        """
        return _FIELDS[self - 1]


ROWS: Final = tuple(Row)
SIZES: Final = (FRONT_SIZE, ROW_SIZE, ROW_SIZE)
_FIELDS: Final = tuple(row.name.lower() for row in ROWS)


class Arrangement(NamedTuple):
    """The three rows of one seat (擺牌)."""

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, row by row."""
        return self.front + self.middle + self.back

    def __str__(self) -> str:
        """The three rows, separated by bars."""
        return " | ".join(map(format_cards, self))


Rows = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Front, middle and back, as card numbers: an :class:`Arrangement`, or what may become one."""

_RANKS: Final = len(Rank)
ARRANGED: Final = sum(row.size for row in ROWS)
"""Cards in an arrangement: 13."""


class ViolationReason(enum.IntEnum):
    """The rules that an arrangement can break."""

    ROW_SIZE = 1
    CARD_REPEATED = 2
    CARD_NOT_IN_HAND = 3
    FRONT_NOT_BELOW_MIDDLE = 4
    MIDDLE_NOT_BELOW_BACK = 5


class Violation(NamedTuple):
    """A rule broken, and where: the row, and the card where one is to blame."""

    reason: ViolationReason
    row: Row
    card: Card | None
    description: str


class Judgement(NamedTuple):
    """What an arrangement is worth, and every rule that it breaks.

    A row's value is None where the row has the wrong size. ``discards`` are the cards of the hand
    that are not used, in the order received; empty when no hand was given.
    """

    violations: tuple[Violation, ...]
    front: RowValue | None
    middle: RowValue | None
    back: RowValue | None
    discards: tuple[Card, ...]
    dragon: bool

    @property
    def legal(self) -> bool:
        """Whether the arrangement may be played."""
        return not self.violations


def judge(
    ruleset: "Ruleset",
    rows: Rows,
    cut_card: Card | None = None,
    hand: Sequence[Card] | None = None,
) -> Judgement:
    """Judge one arrangement by itself; with a hand, its cards must come from it.

    Order: front < middle ≤ back in BONUS, front < middle < back in CLASSIC, where a dragon is
    judged on its thirteen cards as such and may stand in any order.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> rows = map(parse_cards, ("9c 9d Kh", "9s 9h 5d 4h 3s", "As Ah 3c 4c 6c"))
    >>> [violation.description for violation in judge(CLASSIC, Arrangement(*rows)).violations]
    ['expected a front below the middle, got PAIR 9 K over PAIR 9 5']
    """
    front, middle, back = rows
    cards = front + middle + back
    values = row_values(ruleset.evaluator(bonus_rank_of(cut_card)), rows)
    dragon = len(cards) == sum(map(len, rows)) and is_dragon(ruleset, cards)
    violations = size_violations(rows)
    if not take(ruleset.stock(cut_card), cards):
        missing = misses(rows, ruleset.stock(cut_card))
        violations += _card_violations(ViolationReason.CARD_REPEATED, missing, repeated_text)
    if hand is not None and not take(count_cards(hand), cards):
        missing = misses(rows, count_cards(hand))
        violations += _card_violations(ViolationReason.CARD_NOT_IN_HAND, missing, not_in_hand_text)
    if not dragon:
        violations += order_violations(ruleset, values)
    unused = discards(cards, hand) if hand else ()
    return Judgement(tuple(violations), *values, unused, dragon)


def bonus_rank_of(cut_card: Card | None) -> Rank | None:
    """Give the bonus rank: the rank of the card cut out of the round (彩金點)."""
    return None if cut_card is None else cut_card.rank


def row_values(
    evaluator: Evaluator, rows: Rows
) -> tuple[RowValue | None, RowValue | None, RowValue | None]:
    """Judge the rows one by one; None for a row of the wrong size."""
    front, middle, back = rows
    return (
        evaluator.of_three(front) if len(front) == FRONT_SIZE else None,
        evaluator.of_five(middle) if len(middle) == ROW_SIZE else None,
        evaluator.of_five(back) if len(back) == ROW_SIZE else None,
    )


def is_dragon(ruleset: "Ruleset", cards: Sequence[int]) -> bool:
    """Tell whether cards are one of each rank (一條龍), in a ruleset that knows dragons."""
    return ruleset.dragon_units > 0 and len(cards) == _RANKS == len(ranks_of(cards))


def size_violations(rows: Rows) -> list[Violation]:
    """Find the rows of the wrong size."""
    sizes = tuple(map(len, rows))
    if sizes == SIZES:
        return []
    return [
        Violation(ViolationReason.ROW_SIZE, row, None, _size_text(row, size))
        for row, size in zip(ROWS, sizes, strict=True)
        if size != row.size
    ]


Misses = Iterator[tuple[Row, Iterator[tuple[int, Card]]]]
"""What was not there of each row, with its places, from 0; to be read in this order."""


def misses(rows: Rows, stock: Stock) -> Misses:
    """Take the cards of rows out of a stock; find what it had none left of.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> arrangement = Arrangement(parse_cards("As As"), parse_cards("Kd"), ())
    >>> for row, missing in misses(arrangement, {78: 1}):
    ...     print(row.name, list(missing))
    FRONT [(1, Card.parse('As'))]
    MIDDLE [(0, Card.parse('Kd'))]
    BACK []
    """
    return ((row, not_left(stock, cards)) for row, cards in zip(ROWS, rows, strict=True))


def _card_violations(
    reason: ViolationReason, found: Misses, describe: Callable[[Card], str]
) -> list[Violation]:
    """Blame each card once in each row, however often it is missing there."""
    return [
        Violation(reason, row, card, describe(card))
        for row, missing in found
        for card in dict.fromkeys([card for _, card in missing])
    ]


def in_order(ruleset: "Ruleset", front: RowValue, middle: RowValue, back: RowValue) -> bool:
    """Tell whether no row stands above one that it must not stand above."""
    return front.strength < middle.strength and ruleset.middle_stands(middle, back)


def order_violations(ruleset: "Ruleset", values: Sequence[RowValue | None]) -> list[Violation]:
    """Find the rows out of order (相公), among those that have a value."""
    front, middle, back = values
    violations = []
    if front is not None and middle is not None and front.strength >= middle.strength:
        text = f"expected a front below the middle, got {_over(front, middle)}"
        reason = ViolationReason.FRONT_NOT_BELOW_MIDDLE
        violations.append(Violation(reason, Row.FRONT, None, text))
    if middle is not None and back is not None and not ruleset.middle_stands(middle, back):
        place = "not above" if ruleset.middle_may_equal_back else "below"
        text = f"expected a middle {place} the back, got {_over(middle, back)}"
        reason = ViolationReason.MIDDLE_NOT_BELOW_BACK
        violations.append(Violation(reason, Row.MIDDLE, None, text))
    return violations


def _size_text(row: Row, size: int) -> str:
    return f"expected a {row.field} of {row.size} cards, got {size}"


def repeated_text(card: Card) -> str:
    """Say that no copy of a card is left: the deck held no more, or one was cut out."""
    return f"expected a card still in play, got {card} once too often"


def not_in_hand_text(card: Card) -> str:
    """Say that the hand does not hold a card, or not so often."""
    return f"expected a card of the hand, got {card}"


def discards(cards: Iterable[int], hand: Sequence[Card]) -> tuple[Card, ...]:
    """Give the cards of a hand that are not among those arranged, in the order received."""
    return tuple([card for _, card in not_left(count_cards(cards), hand)])


def _over(lower: RowValue, upper: RowValue) -> str:
    """Name two values, with their ranks as far as the one that decides."""
    if lower.category is not upper.category:
        return f"{lower.category.name} over {upper.category.name}"
    equal = takewhile(bool, map(operator.is_, lower.ranks, upper.ranks))
    shown = len(list(equal)) + 1
    ranks = (" ".join(rank.letter for rank in value.ranks[:shown]) for value in (lower, upper))
    return " over ".join(f"{lower.category.name} {each}" for each in ranks)
