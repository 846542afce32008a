"""What a round came to, every unit explained."""

import enum
from typing import NamedTuple

from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.rows import Row


class RowOutcome(enum.IntEnum):
    """How a row compares with the opponent's."""

    WON = 1
    LOST = 2
    TIED = 3


class Royalty(NamedTuple):
    """Extra units for a strong row (額外加分, 加堵); a dragon's has no row and no category."""

    payee: int
    payer: int
    row: Row | None
    category: Category | None
    units: int


class PairResult(NamedTuple):
    """What two seats settle, seen from ``seat`` (< ``opponent``).

    The outcomes are None where the pair does not compare its rows: where one of the two has a
    dragon, or a dragon takes the home run. Both gun each other where a scoring system lets them.
    """

    seat: int
    opponent: int
    front: RowOutcome | None = None
    middle: RowOutcome | None = None
    back: RowOutcome | None = None
    pair_units: int = 0
    gunshot_units: int = 0
    home_run_units: int = 0
    royalties: tuple[Royalty, ...] = ()
    guns: bool = False
    gunned: bool = False

    @property
    def royalty_units(self) -> int:
        """What the seat collects in royalties, less what it pays."""
        units = 0
        for royalty in self.royalties:
            units += royalty.units if royalty.payee == self.seat else -royalty.units
        return units

    @property
    def total_units(self) -> int:
        """All that the opponent pays the seat, less what the seat pays."""
        return self.pair_units + self.gunshot_units + self.home_run_units + self.royalty_units


class SeatResult(NamedTuple):
    """What one seat won or lost; the four parts sum to ``total_units``."""

    seat: int
    front: RowValue
    middle: RowValue
    back: RowValue
    dragon: bool
    pair_units: int
    gunshot_units: int
    home_run_units: int
    royalty_units: int
    total_units: int
    place: int
    points: int


class RoundResult(NamedTuple):
    """A round settled: the seats, their pairs, and the seats in the order of showing."""

    seats: tuple[SeatResult, ...]
    pairs: tuple[PairResult, ...]
    showing_order: tuple[int, ...]
