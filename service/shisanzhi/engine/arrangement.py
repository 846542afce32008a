"""Rows, arrangements, and every fault of an arrangement at once."""

import enum
from collections.abc import Iterator, MutableMapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from shisanzhi.engine.cards import Card, Rank, format_cards
from shisanzhi.engine.evaluator import FRONT_SIZE, ROW_SIZE, RowValue

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
        return _ROW_SIZES[self]

    @property
    def field(self) -> str:
        """The row's name in paths.

        >>> Row.FRONT.field
        'front'
        """
        return _ROW_FIELDS[self]


ROWS: Final = tuple(Row)
_ROW_SIZES: Final = (0, FRONT_SIZE, ROW_SIZE, ROW_SIZE)
_ROW_FIELDS: Final = ("", *(row.name.lower() for row in ROWS))


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
    arrangement: Arrangement,
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
    ['expected a front below the middle, got PAIR 9 K over PAIR 9 5 4 3']
    """
    values = row_values(ruleset, arrangement, bonus_rank_of(cut_card))
    dragon = is_dragon(ruleset, arrangement.cards)
    violations = [
        *_size_violations(arrangement),
        *_card_violations(ruleset, arrangement, cut_card, hand),
        *(() if dragon else order_violations(ruleset, values)),
    ]
    return Judgement(
        tuple(violations), *values, discards=_discards(arrangement, hand or ()), dragon=dragon
    )


def bonus_rank_of(cut_card: Card | None) -> Rank | None:
    """Give the bonus rank: the rank of the card cut out of the round (彩金點)."""
    return None if cut_card is None else cut_card.rank


def row_values(
    ruleset: "Ruleset", arrangement: Arrangement, bonus_rank: Rank | None
) -> tuple[RowValue | None, RowValue | None, RowValue | None]:
    """Judge the rows one by one; None for a row of the wrong size."""
    evaluator = ruleset.evaluator(bonus_rank)
    front, middle, back = arrangement
    return (
        evaluator.of_three(front) if len(front) == FRONT_SIZE else None,
        evaluator.of_five(middle) if len(middle) == ROW_SIZE else None,
        evaluator.of_five(back) if len(back) == ROW_SIZE else None,
    )


def is_dragon(ruleset: "Ruleset", cards: Sequence[Card]) -> bool:
    """Tell whether cards are one of each rank (一條龍), in a ruleset that knows dragons."""
    return (
        ruleset.dragon_units > 0
        and len(cards) == len(Rank)
        and len({card % 16 for card in cards}) == len(Rank)
    )


def order_violations(ruleset: "Ruleset", values: Sequence[RowValue | None]) -> Iterator[Violation]:
    """Find the rows out of order (相公), among those that have a value."""
    front, middle, back = values
    if front and middle and front.strength >= middle.strength:
        yield _order_violation(ViolationReason.FRONT_NOT_BELOW_MIDDLE, Row.FRONT, front, middle)
    if middle and back and not ruleset.middle_stands(middle.strength, back.strength):
        yield _order_violation(ViolationReason.MIDDLE_NOT_BELOW_BACK, Row.MIDDLE, middle, back)


def _order_violation(
    reason: ViolationReason, row: Row, lower: RowValue, upper: RowValue
) -> Violation:
    below = Row(row + 1)
    text = f"expected a {row.field} below the {below.field}, got {lower} over {upper}"
    return Violation(reason, row, None, text)


def take(stock: MutableMapping[Card, int], card: Card) -> bool:
    """Take a card out of a stock of copies; False where none is left."""
    left = stock.get(card, 0)
    if left:
        stock[card] = left - 1
    return left > 0


def count_cards(cards: Sequence[Card]) -> dict[Card, int]:
    """Count the copies of each card."""
    stock = dict.fromkeys(cards, 0)
    for card in cards:
        stock[card] += 1
    return stock


def _size_violations(arrangement: Arrangement) -> Iterator[Violation]:
    for row, cards in zip(ROWS, arrangement, strict=True):
        if len(cards) != row.size:
            text = size_text(row, len(cards))
            yield Violation(ViolationReason.ROW_SIZE, row, None, text)


def _card_violations(
    ruleset: "Ruleset",
    arrangement: Arrangement,
    cut_card: Card | None,
    hand: Sequence[Card] | None,
) -> Iterator[Violation]:
    for row, card in _not_left(ruleset.stock(cut_card), arrangement):
        yield Violation(ViolationReason.CARD_REPEATED, row, card, repeated_text(card))
    if hand is not None:
        for row, card in _not_left(count_cards(hand), arrangement):
            yield Violation(ViolationReason.CARD_NOT_IN_HAND, row, card, not_in_hand_text(card))


def _not_left(
    stock: MutableMapping[Card, int], arrangement: Arrangement
) -> Iterator[tuple[Row, Card]]:
    """Take the arrangement out of a stock; give what was not there, once per row and card."""
    for row, cards in zip(ROWS, arrangement, strict=True):
        missing = dict.fromkeys(card for card in cards if not take(stock, card))
        for card in missing:
            yield row, card


def size_text(row: Row, size: int) -> str:
    """Say that a row has the wrong size."""
    return f"expected a {row.field} of {row.size} cards, got {size}"


def repeated_text(card: Card) -> str:
    """Say that a card was played more often than it is in play."""
    return f"expected no more copies than are in play, got another {card}"


def not_in_hand_text(card: Card) -> str:
    """Say that a card was played that the seat was not dealt."""
    return f"expected a card of the hand, got {card}"


def _discards(arrangement: Arrangement, hand: Sequence[Card]) -> tuple[Card, ...]:
    played = count_cards(arrangement.cards)
    return tuple(card for card in hand if not take(played, card))
