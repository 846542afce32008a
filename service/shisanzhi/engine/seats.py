"""The seats of a table, numbered counter-clockwise (逆時針), and their pairs."""

from functools import cache
from itertools import combinations
from typing import Final

SEATS: Final = range(2, 5)
"""How many seats a table can have."""


@cache
def pairs(seats: int) -> tuple[tuple[int, int], ...]:
    """Give the pairs of seats, seat < opponent: six at a table of four.

    >>> pairs(3)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple(combinations(range(seats), 2))


@cache
def counter_clockwise(first: int, seats: int) -> tuple[int, ...]:
    """Give all seats, counter-clockwise from one of them.

    >>> counter_clockwise(2, seats=4)
    (2, 3, 0, 1)
    """
    return tuple((first + step) % seats for step in range(seats))
