"""Classes: the values that rows can have in a ruleset, numbered from the least up.

Fronts and rows of five are numbered together, those of all bonus ranks too: so greater is better
and equal ties, whatever the rows. It is how the solver's kernel knows a row's value.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, groupby
from math import comb
from typing import Final, NamedTuple

from shisanzhi.engine.cards import Rank
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue, Tables, weigh
from shisanzhi.engine.rows import FRONT_SIZE, ROW_SIZE
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.solver.expected_units import Ints, ints
from shisanzhi.engine.solver.search import MAX_CLASSES


class Stretch(NamedTuple):
    """The classes of one category: they follow one another."""

    category: Category
    size: int


class Classes:
    """The classes of one ladder.

    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> [str(value) for value in classes(CLASSIC).values[:3]]
    ['HIGH_CARD 4 3 2', 'HIGH_CARD 5 3 2', 'HIGH_CARD 5 4 2']
    """

    def __init__(self, tables: Tables, bonus_ranks: Iterable[Rank | None]) -> None:
        """Number the values of all rows, whether or not a deck holds them."""
        by_strength: dict[int, RowValue] = {}
        for bonus_rank in bonus_ranks:
            evaluator = tables.evaluator(bonus_rank)
            for every in (evaluator.plain, evaluator.flush):
                by_strength |= {value.strength: value for value in every.values()}
        self.values = tuple(by_strength[strength] for strength in sorted(by_strength))
        if len(self.values) > MAX_CLASSES:
            raise ValueError(f"expected at most {MAX_CLASSES} values, got {len(self.values)}")
        self.stretches = tuple(
            Stretch(category, sum(1 for _ in of_category))
            for category, of_category in groupby(value.category for value in self.values)
        )
        self._tables = tables
        self._numbers = {value.strength: number for number, value in enumerate(self.values)}
        self._rows: dict[Rank | None, Rows] = {}

    def rows(self, bonus_rank: Rank | None) -> "Rows":
        rows = self._rows.get(bonus_rank)
        if rows is None:
            rows = self._rows[bonus_rank] = self._classify(bonus_rank)
        return rows

    def _classify(self, bonus_rank: Rank | None) -> "Rows":
        evaluator, numbers = self._tables.evaluator(bonus_rank), self._numbers

        def classified(values: Mapping[int, RowValue], size: int) -> Ints:
            return ints([numbers[values[weight].strength] for weight in _weights(size)])

        return Rows(
            classified(evaluator.plain, ROW_SIZE),
            classified(evaluator.flush, ROW_SIZE),
            classified(evaluator.plain, FRONT_SIZE),
        )


class Rows(NamedTuple):
    """The class of each row of mixed suits, of one suit, and front, by the row's index."""

    plain: Ints
    flush: Ints
    fronts: Ints


def classes(ruleset: Ruleset) -> Classes:
    """Give the classes of a ruleset; shared by all that judge rows alike."""
    return _classes(ruleset.tables, tuple(ruleset.bonus_ranks))


@lru_cache(maxsize=8)
def _classes(tables: Tables, bonus_ranks: tuple[Rank | None, ...]) -> Classes:
    return Classes(tables, bonus_ranks)


STEPS: Final = ints(
    [comb(rank + place, place + 1) for place in range(ROW_SIZE) for rank in range(len(Rank))]
)
"""What a card adds to its row's index: rows count up by their last rank, then the one before."""


@lru_cache
def _weights(size: int) -> list[int]:
    """Weigh the multisets of ranks in the order of their index."""
    rows = combinations_with_replacement(Rank, size)
    return [weigh(ranks) for ranks in sorted(rows, key=lambda ranks: ranks[::-1])]
