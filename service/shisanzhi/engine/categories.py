"""The category ladder: an ordered table, greatest first. A change of the rules moves a line."""

import enum
from typing import Final, NamedTuple


class Category(enum.IntEnum):
    """What a row is (牌型)."""

    HIGH_CARD = 1
    PAIR = 2
    TWO_PAIR = 3
    TRIPS = 4
    BONUS_TRIPS = 5
    STRAIGHT = 6
    FLUSH = 7
    PAIR_FLUSH = 8
    FULL_HOUSE = 9
    BONUS_FULL_HOUSE = 10
    QUADS = 11
    BONUS_QUADS = 12
    STRAIGHT_FLUSH = 13
    FIVE_OF_A_KIND = 14


class Rung(NamedTuple):
    """One line of the ladder: what a row must be to stand on it.

    ``groups`` are the sizes of its groups of equal ranks that matter, in tie-break order; the
    cards left over are kickers. ``bonus`` asks the first group to be of bonus cards.
    """

    category: Category
    groups: tuple[int, ...] = ()
    flush: bool = False
    straight: bool = False
    bonus: bool = False


BONUS_LADDER: Final = (
    Rung(Category.FIVE_OF_A_KIND, (5,)),
    Rung(Category.STRAIGHT_FLUSH, flush=True, straight=True),
    Rung(Category.BONUS_QUADS, (4,), bonus=True),
    Rung(Category.QUADS, (4,)),
    Rung(Category.BONUS_FULL_HOUSE, (3, 2), bonus=True),
    Rung(Category.FULL_HOUSE, (3, 2)),
    Rung(Category.PAIR_FLUSH, (2, 2), flush=True),
    Rung(Category.PAIR_FLUSH, (2,), flush=True),
    Rung(Category.FLUSH, flush=True),
    Rung(Category.STRAIGHT, straight=True),
    Rung(Category.BONUS_TRIPS, (3,), bonus=True),
    Rung(Category.TRIPS, (3,)),
    Rung(Category.TWO_PAIR, (2, 2)),
    Rung(Category.PAIR, (2,)),
    Rung(Category.HIGH_CARD),
)
"""BONUS's ladder, greatest first."""

CLASSIC_LADDER: Final = (
    Rung(Category.STRAIGHT_FLUSH, flush=True, straight=True),
    Rung(Category.QUADS, (4,)),
    Rung(Category.FULL_HOUSE, (3, 2)),
    Rung(Category.FLUSH, flush=True),
    Rung(Category.STRAIGHT, straight=True),
    Rung(Category.TRIPS, (3,)),
    Rung(Category.TWO_PAIR, (2, 2)),
    Rung(Category.PAIR, (2,)),
    Rung(Category.HIGH_CARD),
)
"""CLASSIC's ladder, greatest first."""

STRAIGHTS: Final = tuple(
    tuple(14 if rank == 1 else rank for rank in range(top, top - 5, -1)) for top in range(14, 4, -1)
)
"""The straights, greatest first, each from its top card down: 10-J-Q-K-A … A-2-3-4-5."""
