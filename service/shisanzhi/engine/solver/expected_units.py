"""What an arrangement is expected to earn: plain Python that Cython also compiles.

Compiled (``expected_units.pxd`` gives the C types), with the same answers to the bit. A row is
known by its *class* (``classes.py``): greater is better, equal ties.
"""

from array import array
from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from shisanzhi.engine.solver import cython_shim as cython
else:
    try:
        import cython
    except ImportError:
        from shisanzhi.engine.solver import cython_shim as cython

COMPILED: Final = bool(cython.compiled)
"""Whether this is compiled, or its source interpreted."""

MOST_OPPONENTS: Final = 3

Ints = MutableSequence[int]
Floats = MutableSequence[float]


def ints(numbers: Sequence[int]) -> Ints:
    return array("i", numbers)


def floats(numbers: Sequence[float]) -> Floats:
    return array("d", numbers)


class Odds(NamedTuple):
    """What is known of each row and class: how an opponent's same row compares with it.

    Each holds all classes as a front, then as a middle, then as a back. All numbers but ``own``
    rise or fall with the class; they are exact fractions, rounded once.
    """

    wins: Floats
    """The opponent's row is lower."""
    holds: Floats
    """The opponent's row is lower or equal."""
    swept: Floats
    """The opponent's row is not lower, nor is it lower than the rows of all other opponents."""
    swept_once: Floats
    """The same, and it ties with one of these others, named beforehand."""
    swept_twice: Floats
    """The same, and it ties with two of them."""
    own: Floats
    """The royalty of this class, in units."""
    ceiling: Floats
    """The greatest royalty of this class and all below."""
    higher: Floats
    """The opponent's royalty, counted where its row is higher."""
    equal: Floats
    """The opponent's royalty, counted where its row is equal."""
    lower: Floats
    """The opponent's royalty, counted where its row is lower."""


class Opponents:
    """One to three opponents whose rows are independent, and what is expected against them."""

    def __init__(  # noqa: PLR0913 - a scoring system in numbers
        self,
        count: int,
        odds: Odds,
        *,
        rows_decide: bool,
        gunshot: float,
        home_run: float,
        pair: float,
    ) -> None:
        """Take the odds against one of them, and what a pair of seats is settled by."""
        if not 1 <= count <= MOST_OPPONENTS:
            raise ValueError(f"expected 1 to {MOST_OPPONENTS} opponents, got {count}")
        self.count, self.rows_decide = count, rows_decide
        self.gunshot, self.home_run, self.pair = gunshot, home_run, pair
        self.wins, self.holds, self.swept = odds.wins, odds.holds, odds.swept
        self.swept_once, self.swept_twice = odds.swept_once, odds.swept_twice
        self.own, self.ceiling = odds.own, odds.ceiling
        self.higher, self.equal, self.lower = odds.higher, odds.equal, odds.lower

    def units(  # noqa: PLR0913, PLR0917 - two numbers for each row
        self, f: int, m: int, b: int, earns_f: float, earns_m: float, earns_b: float
    ) -> float:
        """Give the expected units of three rows, by the places of their odds.

        What the rows earn is given, so that a bound can set it higher.
        """
        if self.rows_decide:
            return self.row_units(f, m, b, earns_f + earns_m + earns_b)
        return self.gun_units(f, m, b, earns_f, earns_m, earns_b)

    def gun_units(  # noqa: PLR0913, PLR0917 - two numbers for each row
        self, f: int, m: int, b: int, earns_f: float, earns_m: float, earns_b: float
    ) -> float:
        """Gunshots, home runs and royalties as ``gunshots_only.py`` settles them."""
        wins_f, wins_m, wins_b = self.wins[f], self.wins[m], self.wins[b]
        guns = self.holds[f] * self.holds[m] * self.holds[b]
        gunned = (1.0 - wins_f) * (1.0 - wins_m) * (1.0 - wins_b)
        swept = self.swept[f] * self.swept[m] * self.swept[b]
        royalties = (
            (earns_f * wins_f - self.higher[f])
            + (earns_m * wins_m - self.higher[m])
            + (earns_b * wins_b - self.higher[b])
        )
        home_runs = self.and_all_others(guns, guns) - swept
        return self.count * (self.gunshot * (guns - gunned) + self.home_run * home_runs + royalties)

    def row_units(self, f: int, m: int, b: int, royalties: float) -> float:
        """Pairs won and lost, home runs and royalties as ``pairs_won.py`` settles them."""
        wins_f, wins_m, wins_b = self.wins[f], self.wins[m], self.wins[b]
        holds_f, holds_m, holds_b = self.holds[f], self.holds[m], self.holds[b]
        loses_f, loses_m, loses_b = 1.0 - holds_f, 1.0 - holds_m, 1.0 - holds_b
        even = (holds_f - wins_f) * (holds_m - wins_m) * (holds_b - wins_b)
        guns = holds_f * holds_m * holds_b - even
        gunned = (1.0 - wins_f) * (1.0 - wins_m) * (1.0 - wins_b) - even
        won = spread(wins_f, wins_m, wins_b, loses_f, loses_m, loses_b)
        lost = spread(loses_f, loses_m, loses_b, wins_f, wins_m, wins_b)
        # Whoever ties in all three rows is not gunned. Of less than three there is no second one.
        swept = (
            self.swept[f] * self.swept[m] * self.swept[b]
            - (self.count - 1) * (self.swept_once[f] * self.swept_once[m] * self.swept_once[b])
            + self.swept_twice[f] * self.swept_twice[m] * self.swept_twice[b]
            - self.and_all_others(even, guns)
        )
        return self.count * (
            self.gunshot * (guns - gunned)
            + self.pair * (won - lost)
            + self.home_run * (self.and_all_others(guns, guns) - swept)
            + (guns + won) * royalties
            - self.paid(f, m, b)
        )

    def paid(self, f: int, m: int, b: int) -> float:
        """Give what an opponent collects: the royalties of all its rows, when it wins the pair.

        For each row, three numbers say what its royalty comes to where it is higher, equal and
        lower. Each lost pattern has one of them, times the odds of the two other rows.
        """
        wins_f, wins_m, wins_b = self.wins[f], self.wins[m], self.wins[b]
        holds_f, holds_m, holds_b = self.holds[f], self.holds[m], self.holds[b]
        loses_f, loses_m, loses_b = 1.0 - holds_f, 1.0 - holds_m, 1.0 - holds_b
        higher_f, higher_m, higher_b = self.higher[f], self.higher[m], self.higher[b]
        equal_f, equal_m, equal_b = self.equal[f], self.equal[m], self.equal[b]
        lower_f, lower_m, lower_b = self.lower[f], self.lower[m], self.lower[b]
        gunned = spread(
            1.0 - wins_f,
            1.0 - wins_m,
            1.0 - wins_b,
            higher_f + equal_f,
            higher_m + equal_m,
            higher_b + equal_b,
        ) - spread(holds_f - wins_f, holds_m - wins_m, holds_b - wins_b, equal_f, equal_m, equal_b)
        return (
            gunned
            + spread(wins_f, loses_m, loses_b, lower_f, higher_m, higher_b)
            + spread(loses_f, wins_m, loses_b, higher_f, lower_m, higher_b)
            + spread(loses_f, loses_m, wins_b, higher_f, higher_m, lower_b)
        )

    def and_all_others(self, chance: float, guns: float) -> float:
        """Give how likely something is of one opponent, and that the others are all gunned."""
        for _ in range(1, self.count):
            chance *= guns
        return chance


def spread(a: float, b: float, c: float, x: float, y: float, z: float) -> float:  # noqa: PLR0913, PLR0917 - two numbers for each row
    """Multiply the rows' numbers with one of them exchanged, for each row in turn; add up."""
    return x * b * c + a * y * c + a * b * z
