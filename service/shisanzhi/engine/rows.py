"""The three rows of an arrangement: how many cards each holds, and the rules that one can break."""

import enum
from typing import Final, NamedTuple

from shisanzhi.engine.cards import Card

FRONT_SIZE: Final = 3
ROW_SIZE: Final = 5


class Row(enum.IntEnum):
    """A row's place in an arrangement: 頭墩, 中墩, 尾墩."""

    FRONT = 1
    MIDDLE = 2
    BACK = 3

    @property
    def size(self) -> int:
        """How many cards the row holds.

        >>> [row.size for row in Row]
        [3, 5, 5]
        """
        return SIZES[self - 1]

    @property
    def field(self) -> str:
        """The row's name in paths.

        >>> Row.FRONT.field
        'front'
        """
        return _FIELDS[self - 1]


ROWS: Final = tuple(Row)
SIZES: Final = (FRONT_SIZE, ROW_SIZE, ROW_SIZE)
_FIELDS: Final = tuple(row.name.lower() for row in ROWS)
ARRANGED: Final = sum(SIZES)
"""Cards in an arrangement: 13."""

Rows = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Front, middle and back as card numbers, which may break any rule."""


class ViolationReason(enum.IntEnum):
    """The rules that an arrangement can break."""

    ROW_SIZE = 1
    CARD_REPEATED = 2
    CARD_NOT_IN_HAND = 3
    FRONT_NOT_BELOW_MIDDLE = 4
    MIDDLE_NOT_BELOW_BACK = 5


class Violation(NamedTuple):
    """A rule broken, and where: the row, and the card where one is to blame."""

    reason: ViolationReason
    row: Row
    card: Card | None
    description: str
