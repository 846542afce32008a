"""What a scoring system is, and what all have in common: rows compared, and home runs."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Final, NamedTuple

from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.rows import Row
from shisanzhi.engine.scoring.results import PairResult, RowOutcome


class RowRoyalty(NamedTuple):
    """A row that is in the royalty table, and what it collects."""

    row: Row
    category: Category
    units: int


class SeatRows(NamedTuple):
    """One seat's rows as scoring sees them.

    ``strengths`` are those of front, middle and back; ``royalties`` the rows in the royalty table.
    """

    front: RowValue
    middle: RowValue
    back: RowValue
    strengths: tuple[int, int, int]
    royalties: tuple[RowRoyalty, ...]
    dragon: bool
    one_suit: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoringSystem(ABC):
    """What a pair of seats pays, and for what.

    ``gunshot_units`` are paid by whom is gunned, ``home_run_units`` by each opponent on top,
    ``pair_units`` for a pair won without a gunshot, ``dragon_units`` by each opponent of a dragon;
    a system without dragons has 0 of these.
    """

    rows_decide: ClassVar[bool]
    """Whether most rows won win a pair, which collects all royalties; else each row its own."""

    gunshot_units: int
    home_run_units: int
    pair_units: int = 0
    dragon_units: int = 0

    @abstractmethod
    def settle(self, seats: Sequence[SeatRows]) -> tuple[PairResult, ...]:
        """Settle every pair of two to four seats, in the order of ``seats.pairs``."""


class Comparison(NamedTuple):
    """How a seat's front, middle and back compare with an opponent's: one of 27 ways."""

    rows: tuple[RowOutcome, RowOutcome, RowOutcome]
    won: int
    lost: int


def compare(seat: SeatRows, opponent: SeatRows) -> Comparison:
    front, middle, back = seat.strengths
    low, mid, high = opponent.strengths
    return COMPARISONS[
        (front > low) - (front < low),
        (middle > mid) - (middle < mid),
        (back > high) - (back < high),
    ]


def home_runs(guns: Collection[tuple[int, int]], seats: int) -> list[int]:
    """Find the seats that gun all others; ``(x, y)`` in ``guns``: x guns y.

    >>> home_runs({(2, 0), (2, 1), (2, 3), (0, 1)}, seats=4)
    [2]
    """
    others = seats - 1
    if len(guns) < others:
        return []
    gunners = [gunner for gunner, _ in guns]
    return [seat for seat in range(seats) if gunners.count(seat) == others]


_OUTCOMES: Final = {1: RowOutcome.WON, 0: RowOutcome.TIED, -1: RowOutcome.LOST}
COMPARISONS: Final = {
    (front, middle, back): Comparison(
        (_OUTCOMES[front], _OUTCOMES[middle], _OUTCOMES[back]),
        won=(front, middle, back).count(1),
        lost=(front, middle, back).count(-1),
    )
    for front, middle, back in product(_OUTCOMES, repeat=3)
}
"""By sign of each row: 1 where the seat's is greater, 0 where equal, −1 where less."""
