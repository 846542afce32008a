"""What the solver's kernel reads, made from a ruleset and row counts: classes and their odds."""

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import sub
from typing import Final, NamedTuple, TypeAlias

from shisanzhi.engine.cards import Rank
from shisanzhi.engine.rows import ROWS, Row
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.solver.classes import STEPS, classes
from shisanzhi.engine.solver.expected_units import Odds, Opponents
from shisanzhi.engine.solver.row_counts import Counts
from shisanzhi.engine.solver.search import Tables

Numbers: TypeAlias = "array[float]"
_DOUBLES: Final = "d"


class Chances(NamedTuple):
    """How an opponent's row compares with each class, whatever the rows earn: see Odds."""

    wins: Numbers
    holds: Numbers
    swept: Numbers
    swept_once: Numbers
    swept_twice: Numbers


class Earnings(NamedTuple):
    """What each class earns, and what an opponent's row earns beside it: see Odds."""

    own: Numbers
    ceiling: Numbers
    higher: Numbers
    equal: Numbers
    lower: Numbers


def chances(counts: Sequence[int], opponents: int) -> Chances:
    """Work out the chances of a row from how often each class was counted.

    >>> made = chances([1, 2, 1], opponents=3)
    >>> list(made.wins), list(made.holds)
    ([0.0, 0.25, 0.75], [0.25, 0.75, 1.0])
    """
    total = sum(counts)
    holds = list(accumulate(counts))
    return Chances(
        _shares(map(sub, holds, counts), total),
        _shares(holds, total),
        *(_swept(counts, holds, opponents, ties) for ties in range(3)),
    )


def _swept(counts: Sequence[int], holds: Sequence[int], opponents: int, ties: int) -> Numbers:
    """Share out the rows from each class up that hold against all others, some tied: see Odds."""
    others = opponents - 1
    if ties > others:
        return array(_DOUBLES, [0.0]) * len(counts)
    here = [
        count ** (ties + 1) * held ** (others - ties)
        for count, held in zip(counts, holds, strict=True)
    ]
    return _shares(reversed(list(accumulate(reversed(here)))), sum(counts) ** opponents)


def earnings(counts: Sequence[int], stretches: Iterable[tuple[int, int]]) -> Earnings:
    """Work out the earnings of a row from how often each class was counted.

    The stretches say of how many classes that follow one another each earns how many units.

    >>> made = earnings([1, 2, 1], [(2, 0), (1, 3)])
    >>> list(made.own), list(made.higher), list(made.equal)
    ([0.0, 0.0, 3.0], [0.75, 0.75, 0.0], [0.0, 0.0, 0.75])
    """
    made = Earnings(*(array(_DOUBLES) for _ in Earnings._fields))
    total, paid_in_all = sum(counts), _paid(counts, stretches := list(stretches))
    start = paid = ceiling = 0
    for size, units in stretches:
        stop, ceiling = start + size, max(ceiling, units)
        # Where nothing is earned, all classes are alike.
        here = [count * units for count in counts[start:stop]] if units else [0]
        alike = 1 if units else size
        up_to = [paid + earned for earned in accumulate(here)]
        made.own.extend(_shares([units], 1) * size)
        made.ceiling.extend(_shares([ceiling], 1) * size)
        made.higher.extend(_shares([paid_in_all - each for each in up_to], total) * alike)
        made.equal.extend(_shares(here, total) * alike)
        made.lower.extend(_shares(map(sub, up_to, here), total) * alike)
        start, paid = stop, up_to[-1]
    return made


def _paid(counts: Sequence[int], stretches: Iterable[tuple[int, int]]) -> int:
    paid = start = 0
    for size, units in stretches:
        if units:
            paid += units * sum(counts[start : start + size])
        start += size
    return paid


def _shares(numbers: Iterable[int], total: int) -> Numbers:
    """Give exact fractions, each rounded once."""
    return array(_DOUBLES, [number / total for number in numbers])


class Model:
    """The solver's model: a ruleset, against opponents who hold rows as often as was counted."""

    def __init__(self, ruleset: Ruleset, counts: Counts, opponents: int) -> None:
        """Take the counts of the ruleset's classes; there are one to three opponents."""
        self.ruleset = ruleset
        self._classes = classes(ruleset)
        self._opponents = _opponents(ruleset, counts, opponents)
        self._tables: dict[Rank | None, Tables] = {}

    def tables(self, bonus_rank: Rank | None) -> Tables:
        """Give what the search reads for a bonus rank, made when first asked for."""
        tables = self._tables.get(bonus_rank)
        if tables is None:
            tables = self._tables[bonus_rank] = self._make(bonus_rank)
        return tables

    def _make(self, bonus_rank: Rank | None) -> Tables:
        plain, flush, fronts = self._classes.rows(bonus_rank)
        return Tables(
            self._opponents,
            steps=STEPS,
            plain=plain,
            flush=flush,
            fronts=fronts,
            classes=len(self._classes.values),
            may_equal=self.ruleset.middle_may_equal_back,
        )


def _opponents(ruleset: Ruleset, counts: Counts, opponents: int) -> Opponents:
    scoring = ruleset.scoring
    earned = _joined(
        earnings(row_counts, _royalties(ruleset, row))
        for row, row_counts in zip(ROWS, counts.rows, strict=True)
    )
    return Opponents(
        opponents,
        Odds(*chances_of_rows(counts, opponents), *earned),
        rows_decide=scoring.rows_decide,
        gunshot=float(scoring.gunshot_units),
        home_run=float(scoring.home_run_units),
        pair=float(scoring.pair_units),
    )


@lru_cache(maxsize=8)
def chances_of_rows(counts: Counts, opponents: int) -> list[Numbers]:
    """Give the chances of front, middle and back, side by side as the kernel reads them."""
    return _joined(chances(row_counts, opponents) for row_counts in counts.rows)


def _joined(rows: Iterable[Iterable[Numbers]]) -> list[Numbers]:
    """Lay front, middle and back side by side, kind by kind."""
    return [front + middle + back for front, middle, back in zip(*rows, strict=True)]


def _royalties(ruleset: Ruleset, row: Row) -> list[tuple[int, int]]:
    return [
        (stretch.size, ruleset.royalties.get((row, stretch.category), 0))
        for stretch in classes(ruleset).stretches
    ]
