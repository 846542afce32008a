# cython: language_level=3, annotation_typing=False
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The solver's kernel: plain Python that Cython also compiles, with the same answers to the bit.

Compiled, it lets go of the interpreter's lock while it searches. It works on numbers alone:
``odds.py`` makes the tables, ``arranger.py`` turns cards into numbers and back.

A *class* is the place of a row's value among all values of the ruleset, fronts and rows of five
together: greater is better, equal ties. Rows are sets of cards, one bit for each card of the hand.
"""

from array import array
from collections.abc import MutableSequence, Sequence
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from shisanzhi.engine import cython_shim as cython
else:
    try:
        import cython
    except ImportError:
        from shisanzhi.engine import cython_shim as cython

COMPILED: Final = bool(cython.compiled)
"""Whether this is the compiled kernel, or its source interpreted."""

WIDTH: Final = 10
"""How many numbers the odds hold for each row and class: the fields of ``Odds``, in order."""


class Tables(NamedTuple):
    """What the search reads: the class of each row for one bonus rank, and the odds of each class.

    ``steps[13 · place + rank]`` add up to the index of a row, given its ranks (0..12) from the
    lowest up; ``plain``, ``flush`` and ``fronts`` give the class by index. ``odds`` hold WIDTH
    numbers for each class, first as a front, then as a middle, then as a back.
    """

    steps: Sequence[int]
    plain: Sequence[int]
    flush: Sequence[int]
    fronts: Sequence[int]
    odds: Sequence[float]
    classes: int
    middle_may_equal_back: bool
    rows_decide: bool
    gunshot_units: float
    home_run_units: float
    pair_units: float


class Found(NamedTuple):
    """An arrangement: its expected units, and its rows as sets of cards."""

    units: float
    front: int
    middle: int
    back: int


def search(
    tables: Tables, ranks: Sequence[int], suits: Sequence[int], keep: int
) -> tuple[Found, ...]:
    """Give the best arrangements of a hand, distinct in their classes, best first.

    ``ranks`` (0..12) do not fall, ``suits`` are one bit each.
    """
    return _Search(tables, ranks, suits, keep).answer()


def _ints(count: int) -> MutableSequence[int]:
    return array("i", bytes(4 * count))


def _floats(count: int) -> MutableSequence[float]:
    return array("d", bytes(8 * count))


@cython.cclass
class _Search:
    """One search. ``fives`` and ``threes`` are the rows that the hand holds, best first.

    An arrangement's units rise with the class of each row, save for its own royalties, which need
    not. So the units of better rows that earn the most of any row up to their class (``CEILING``)
    are a bound, and every loop below runs from the best row down and stops where the bound falls
    under the worst arrangement still kept.
    """

    steps = cython.declare(cython.int[::1])
    plain = cython.declare(cython.int[::1])
    flush = cython.declare(cython.int[::1])
    fronts = cython.declare(cython.int[::1])
    odds = cython.declare(cython.double[::1])
    ranks = cython.declare(cython.int[::1])
    suits = cython.declare(cython.int[::1])
    listed_classes = cython.declare(cython.int[::1])
    listed_rows = cython.declare(cython.int[::1])
    heads = cython.declare(cython.int[::1])
    five_classes = cython.declare(cython.int[::1])
    fives = cython.declare(cython.int[::1])
    three_classes = cython.declare(cython.int[::1])
    threes = cython.declare(cython.int[::1])
    first_middles = cython.declare(cython.int[::1])
    best_fronts = cython.declare(cython.int[::1])
    bounds = cython.declare(cython.double[::1])
    kept_units = cython.declare(cython.double[::1])
    kept_backs = cython.declare(cython.int[::1])
    kept_middles = cython.declare(cython.int[::1])
    kept_fronts = cython.declare(cython.int[::1])
    classes = cython.declare(cython.int)
    cards = cython.declare(cython.int)
    five_count = cython.declare(cython.int)
    three_count = cython.declare(cython.int)
    keep = cython.declare(cython.int)
    kept = cython.declare(cython.int)
    worst = cython.declare(cython.double)
    rows_decide = cython.declare(cython.bint)
    may_equal = cython.declare(cython.bint)
    gunshot = cython.declare(cython.double)
    home_run = cython.declare(cython.double)
    pair = cython.declare(cython.double)

    def __init__(
        self, tables: Tables, ranks: Sequence[int], suits: Sequence[int], keep: int
    ) -> None:
        """Lay out the room that the search needs."""
        self.steps, self.plain, self.flush = tables.steps, tables.plain, tables.flush
        self.fronts, self.odds, self.classes = tables.fronts, tables.odds, tables.classes
        self.ranks, self.suits, self.cards = array("i", ranks), array("i", suits), len(ranks)
        self.rows_decide, self.may_equal = tables.rows_decide, tables.middle_may_equal_back
        self.gunshot, self.home_run = tables.gunshot_units, tables.home_run_units
        self.pair = tables.pair_units
        self.five_count, self.three_count = comb(len(ranks), 5), comb(len(ranks), 3)
        self.listed_classes, self.listed_rows = _ints(self.five_count), _ints(self.five_count)
        self.heads = _ints(self.classes)
        self.five_classes, self.fives = _ints(self.five_count), _ints(self.five_count)
        self.three_classes, self.threes = _ints(self.three_count), _ints(self.three_count)
        self.first_middles, self.best_fronts = _ints(self.five_count), _ints(self.five_count)
        self.bounds = _floats(self.five_count)
        self.keep, self.kept, self.worst = keep, 0, -INFINITY
        self.kept_units = _floats(keep)
        self.kept_backs, self.kept_middles, self.kept_fronts = _ints(keep), _ints(keep), _ints(keep)

    def answer(self) -> tuple[Found, ...]:
        """Search, and give what was kept."""
        with cython.nogil:
            self._run()
        return tuple(
            Found(
                self.kept_units[place],
                self.threes[self.kept_fronts[place]],
                self.fives[self.kept_middles[place]],
                self.fives[self.kept_backs[place]],
            )
            for place in range(self.kept)
        )
