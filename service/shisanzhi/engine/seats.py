"""The four seats, numbered counter-clockwise (逆時針), and their six pairs."""

from itertools import combinations
from typing import Final

SEATS: Final = 4
PAIRS: Final = tuple(combinations(range(SEATS), 2))
"""The six pairs of seats, seat < opponent."""


def counter_clockwise(first: int) -> tuple[int, ...]:
    """Give all seats, counter-clockwise from one of them, 0 to 3.

    >>> counter_clockwise(2)
    (2, 3, 0, 1)
    """
    return _ORDERS[first]


_ORDERS: Final = tuple(
    tuple((first + step) % SEATS for step in range(SEATS)) for first in range(SEATS)
)
