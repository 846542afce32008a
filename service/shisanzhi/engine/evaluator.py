"""Row -> value, by table look-up; the tables are derived from the ladder.

A row of five is one of 6,188 multisets of ranks, all in one suit or not; a front is one of 455.
Each rank has a weight such that every multiset of at most five has a sum of its own, so a row is
judged by adding its weights and looking the sum up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from typing import Final

from shisanzhi.engine.cards import CARDS, Rank
from shisanzhi.engine.categories import Category, Rung
from shisanzhi.engine.errors import RowSizeError

FRONT_SIZE: Final = 3
ROW_SIZE: Final = 5

_RANKS: Final = tuple(reversed(Rank))
_RANK_WEIGHT: Final = {rank: (ROW_SIZE + 1) ** index for index, rank in enumerate(Rank)}
_WEIGHT: Final = {number: _RANK_WEIGHT[card.rank] for number, card in CARDS.items()}
_DIGIT_BITS: Final = 4

_Ranks = tuple[Rank, ...]
"""Ranks of a row, high to low."""

_ROWS: Final = tuple(combinations_with_replacement(_RANKS, ROW_SIZE))
_FRONTS: Final = tuple(combinations_with_replacement(_RANKS, FRONT_SIZE))


@dataclass(frozen=True, slots=True)
class RowValue:
    """What a row is worth: its category, its tie-break ranks in order, and one number for both.

    ``strength`` compares any two rows of one ruleset and bonus rank: greater wins, equal ties; a
    front that equals a middle as far as it goes is less.
    """

    category: Category
    ranks: tuple[Rank, ...]
    strength: int

    def __hash__(self) -> int:
        """The strength: equal values have equal strengths, and it is quick."""
        return self.strength

    def __str__(self) -> str:
        """The category and the tie-break ranks: ``PAIR 9 K``."""
        return " ".join((self.category.name, *(rank.letter for rank in self.ranks)))


class Evaluator:
    """Judges rows for one ladder and one bonus rank (or none)."""

    __slots__ = ("flush", "plain")

    def __init__(self, plain: dict[int, RowValue], flush: dict[int, RowValue]) -> None:
        """Take the values of rows by summed weight: of mixed suits, and of one suit."""
        self.plain = plain
        self.flush = flush

    def value(self, row: Sequence[int]) -> RowValue:
        """Judge a front of three cards or a row of five, in any order.

        >>> from shisanzhi.engine.cards import parse_cards
        >>> from shisanzhi.engine.rulesets import BONUS
        >>> BONUS.evaluator(Rank.SEVEN).value(parse_cards("7s 7s 7h Ks Kd")).category.name
        'BONUS_FULL_HOUSE'
        >>> BONUS.evaluator(Rank.SEVEN).value(parse_cards("7s 7s"))
        Traceback (most recent call last):
        ...
        shisanzhi.engine.errors.RowSizeError: expected a row of 3 or 5 cards, got 2
        """
        if len(row) == ROW_SIZE:
            return self.of_five(row)
        if len(row) == FRONT_SIZE:
            return self.of_three(row)
        raise RowSizeError(len(row))

    def of_five(self, row: Sequence[int]) -> RowValue:
        weight = _WEIGHT
        a, b, c, d, e = row
        key = weight[a] + weight[b] + weight[c] + weight[d] + weight[e]
        # Cards of one suit differ in their ranks' four bits at most.
        if (a ^ b) < 16 and (a ^ c) < 16 and (a ^ d) < 16 and (a ^ e) < 16:
            return self.flush[key]
        return self.plain[key]

    def of_three(self, row: Sequence[int]) -> RowValue:
        a, b, c = row
        return self.plain[_WEIGHT[a] + _WEIGHT[b] + _WEIGHT[c]]


class Tables:
    """The evaluators of one ladder: one without a bonus rank, and one for each bonus rank."""

    def __init__(self, ladder: Sequence[Rung], straights: Sequence[Sequence[int]]) -> None:
        """Derive the tables from the ladder and the straights, both greatest first.

        Every multiset of ranks gets a value, also one that no deck holds: what a row is worth does
        not depend on whether its cards exist.
        """
        self._judge = _Judge(ladder, straights)
        self._bonus_group = min((rung.groups[0] for rung in ladder if rung.bonus), default=ROW_SIZE)
        value = self._judge.value
        self._base = Evaluator(
            {weigh(ranks): value(ranks, None, one_suit=False) for ranks in chain(_ROWS, _FRONTS)},
            {weigh(ranks): value(ranks, None, one_suit=True) for ranks in _ROWS},
        )
        self._raised: dict[Rank, Evaluator] = {}

    def evaluator(self, bonus_rank: Rank | None) -> Evaluator:
        """Give the evaluator for a bonus rank, built when first asked for."""
        if bonus_rank is None:
            return self._base
        evaluator = self._raised.get(bonus_rank)
        if evaluator is None:
            evaluator = self._raised[bonus_rank] = self._raise(bonus_rank)
        return evaluator

    def _raise(self, bonus_rank: Rank) -> Evaluator:
        """Judge anew only the rows that hold enough bonus cards to rise.

        None of one suit does: at most two cards of a rank have the same suit.
        """
        raised = {
            weigh(ranks): self._judge.value(ranks, bonus_rank, one_suit=False)
            for ranks in chain(_ROWS, _FRONTS)
            if ranks.count(bonus_rank) >= self._bonus_group
        }
        return Evaluator(self._base.plain | raised, self._base.flush)


@lru_cache(maxsize=16)
def tables(ladder: tuple[Rung, ...], straights: tuple[tuple[int, ...], ...]) -> Tables:
    """Give the tables of a ladder, made when first asked for."""
    return Tables(ladder, straights)


def weigh(ranks: Iterable[Rank]) -> int:
    """Give the sum that a row is looked up by."""
    return sum(_RANK_WEIGHT[rank] for rank in ranks)


class _Judge:
    """Reads one ladder: a row takes the greatest category that fits it."""

    def __init__(self, ladder: Sequence[Rung], straights: Sequence[Sequence[int]]) -> None:
        self._rungs = tuple(
            (height, rung, max(rung.groups, default=1))
            for height, rung in zip(range(len(ladder), 0, -1), ladder, strict=True)
        )
        self._straights = {
            tuple(sorted(ranks, reverse=True)): (Rank(ranks[0]), height)
            for height, ranks in zip(range(len(straights), 0, -1), straights, strict=True)
        }

    def value(self, ranks: _Ranks, bonus_rank: Rank | None, *, one_suit: bool) -> RowValue:
        most_alike = max(map(ranks.count, ranks))
        for height, rung, alike in self._rungs:
            if alike > most_alike or (rung.flush and not one_suit):
                continue
            if rung.straight:
                if found := self._straights.get(ranks):
                    top, order = found
                    return RowValue(rung.category, (top,), _strength(height, (order,)))
                continue
            picked = _pick(ranks, rung.groups)
            if picked and (not rung.bonus or picked[0] == bonus_rank):
                return RowValue(rung.category, picked, _strength(height, picked))
        message = f"expected a ladder with a rung for every row, got none for {ranks}"
        raise AssertionError(message)


def _pick(ranks: Sequence[Rank], groups: Sequence[int]) -> tuple[Rank, ...]:
    """Give the rank of each group, then the kickers, high to low; nothing if a group is missing."""
    left = list(ranks)
    picked = []
    for size in groups:
        rank = next((rank for rank in left if left.count(rank) >= size), None)
        if rank is None:
            return ()
        picked.append(rank)
        for _ in range(size):
            left.remove(rank)
    return (*picked, *left)


def _strength(height: int, digits: Sequence[int]) -> int:
    """Pack the height on the ladder and the tie-break digits; missing digits count least."""
    strength = height
    for digit in (*digits, *(0,) * (ROW_SIZE - len(digits))):
        strength = strength << _DIGIT_BITS | digit
    return strength
