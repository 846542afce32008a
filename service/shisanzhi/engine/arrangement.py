"""Arrangements, and the rules that one breaks, all at once."""

import operator
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from shisanzhi.engine.cards import (
    Card,
    Rank,
    Stock,
    count_cards,
    covers,
    format_cards,
    not_left,
    pack,
    ranks_of,
)
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.rows import FRONT_SIZE, ROW_SIZE, ROWS, SIZES, Row, Rows, Violation
from shisanzhi.engine.rows import ViolationReason as Reason
from shisanzhi.engine.rulesets.ruleset import Ruleset


class Arrangement(NamedTuple):
    """The three rows of one seat (擺牌)."""

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.front + self.middle + self.back

    def __str__(self) -> str:
        """The three rows, separated by bars."""
        return " | ".join(map(format_cards, self))


_RANKS: Final = len(Rank)


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
        return not self.violations


class JudgedRows(NamedTuple):
    """What rows are worth, whether or not they may be played; None for one of the wrong size."""

    rows: Rows
    front: RowValue | None
    middle: RowValue | None
    back: RowValue | None
    dragon: bool


def judge(
    ruleset: Ruleset,
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
    violations: dict[Violation, None] = {}
    if not come_from(ruleset.packed_stock(cut_card), [rows], [] if hand is None else [hand]):
        in_hand = None if hand is None else count_cards(hand)
        # Each card is blamed once in each row, however often it is missing there.
        violations |= dict.fromkeys(
            violation for violation, _ in misfits(rows, ruleset.stock(cut_card), in_hand)
        )
    judged = judge_rows(ruleset, rows, cut_card)
    discards = _discards(rows, hand) if hand else ()
    return Judgement(
        (*violations, *out_of_order(ruleset, judged)), *judged[1:4], discards, judged.dragon
    )


def come_from(
    in_play: int, arrangements: Collection[Rows], hands: Collection[Sequence[int]] = ()
) -> bool:
    """Tell whether arrangements have their sizes and come from one packed stock, all together.

    With hands, one for each, these come from it, and each arrangement from its own. Nearly all do;
    only what does not is searched for its :func:`misfits`.
    """
    for front, middle, back in arrangements:
        if (len(front), len(middle), len(back)) != SIZES:
            return False
    try:
        arranged = [pack(front + middle + back) for front, middle, back in arrangements]
        dealt = [pack(hand) for hand in hands]
    except KeyError:  # no card
        return False
    return covers(in_play, sum(dealt or arranged)) and all(map(covers, dealt, arranged))


def misfits(
    rows: Rows, in_play: Stock | None, in_hand: Stock | None
) -> Iterator[tuple[Violation, int | None]]:
    """Find the rows of the wrong size, and the cards that the deck or the hand had none left of.

    Gives with each its place in the row, from 0, if it is a card. What is found is taken out of
    the stocks; one that is None is not asked.
    """
    for row, cards in zip(ROWS, rows, strict=True):
        if len(cards) != row.size:
            text = f"expected a {row.field} of {row.size} cards, got {len(cards)}"
            yield Violation(Reason.ROW_SIZE, row, None, text), None
    for reason, stock in ((Reason.CARD_REPEATED, in_play), (Reason.CARD_NOT_IN_HAND, in_hand)):
        if stock is None:
            continue
        for row, cards in zip(ROWS, rows, strict=True):
            for place, card in not_left(stock, cards):
                yield Violation(reason, row, card, missing_text(reason, card)), place


def missing_text(reason: Reason, card: Card) -> str:
    """Say that the deck has no copy of a card left, or that the hand has none."""
    if reason is Reason.CARD_REPEATED:
        return f"expected a card still in play, got {card} once too often"
    return f"expected a card of the hand, got {card}"


def judge_rows(ruleset: Ruleset, rows: Rows, cut_card: Card | None) -> JudgedRows:
    """Judge the rows one by one, and whether all are a dragon (一條龍)."""
    front, middle, back = rows
    cards = front + middle + back
    is_read = len(cards) == len(front) + len(middle) + len(back)
    evaluator = ruleset.evaluator(bonus_rank_of(cut_card))
    return JudgedRows(
        rows,
        evaluator.of_three(front) if len(front) == FRONT_SIZE else None,
        evaluator.of_five(middle) if len(middle) == ROW_SIZE else None,
        evaluator.of_five(back) if len(back) == ROW_SIZE else None,
        is_read and is_dragon(ruleset, cards),
    )


def out_of_order(ruleset: Ruleset, judged: JudgedRows) -> list[Violation]:
    """Find the rows out of order (相公), among those that have a value; a dragon has none."""
    if judged.dragon:
        return []
    violations = []
    front, middle, back = judged.front, judged.middle, judged.back
    if front is not None and middle is not None and front.strength >= middle.strength:
        text = f"expected a front below the middle, got {_over(front, middle)}"
        violations.append(Violation(Reason.FRONT_NOT_BELOW_MIDDLE, Row.FRONT, None, text))
    if middle is not None and back is not None and not ruleset.middle_stands(middle, back):
        place = "not above" if ruleset.middle_may_equal_back else "below"
        text = f"expected a middle {place} the back, got {_over(middle, back)}"
        violations.append(Violation(Reason.MIDDLE_NOT_BELOW_BACK, Row.MIDDLE, None, text))
    return violations


def bonus_rank_of(cut_card: Card | None) -> Rank | None:
    """Give the bonus rank: the rank of the card cut out of the round (彩金點)."""
    return None if cut_card is None else cut_card.rank


def is_dragon(ruleset: Ruleset, cards: Sequence[int]) -> bool:
    """Tell whether cards are one of each rank (一條龍), in a ruleset that knows dragons."""
    knows_dragons = ruleset.scoring.dragon_units != 0
    return knows_dragons and len(cards) == _RANKS and len(ranks_of(cards)) == _RANKS


def _discards(rows: Rows, hand: Sequence[Card]) -> tuple[Card, ...]:
    """Give the cards of a hand that are not among those arranged, in the order received."""
    front, middle, back = rows
    return tuple([card for _, card in not_left(count_cards(front + middle + back), hand)])


def _over(lower: RowValue, upper: RowValue) -> str:
    """Name two values, with their ranks as far as the one that decides."""
    if lower.category is not upper.category:
        return f"{lower.category.name} over {upper.category.name}"
    equal = takewhile(bool, map(operator.is_, lower.ranks, upper.ranks))
    shown = len(list(equal)) + 1
    ranks = (" ".join(rank.letter for rank in value.ranks[:shown]) for value in (lower, upper))
    return " over ".join(f"{lower.category.name} {each}" for each in ranks)
