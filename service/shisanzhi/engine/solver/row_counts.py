"""How often players who arrange well hold each row value, as counted in self-play.

One file for each ruleset, made by ``shisanzhi train``: a count for each value that a front, a
middle and a back can have. A ruleset that was not trained borrows the counts of the nearest; its
own order of the values, its own royalties and its own scoring then make the odds.

BONUS has one file for all bonus ranks, though aces are scarcer when the ace is cut out. Measured
with the ace as bonus rank, where counts of its own differ most (by up to 4 % in how often a row
is at most some value): it changes one arrangement in 25 and gains −0.001 ± 0.002 units a round.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import Final, NamedTuple

from shisanzhi.engine.cards import Rank, format_cards
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.rows import ROWS
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from shisanzhi.engine.solver.classes import Classes, classes

Name = tuple[Category, tuple[Rank, ...]]
"""A row value by its category and ranks, which mean the same in every ruleset."""

TRAINED: Final = (BONUS, CLASSIC)
_FOLDER: Final = "trained"
_DIGEST_SIZE: Final = 32


class RowCounts(NamedTuple):
    """How often each value was seen, row by row; what was never seen may be left out."""

    front: Mapping[Name, int]
    middle: Mapping[Name, int]
    back: Mapping[Name, int]


@dataclass(frozen=True, eq=False)
class Counts:
    """The same by class; one is itself alone, so that what is made of it is quickly found again."""

    rows: tuple[tuple[int, ...], ...]


class OtherRulesError(ValueError):
    """Row counts that were made for other rules than they are read for."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(
            f"expected row counts of the ladder, straights and deck of {ruleset.key}, got others: "
            f"`shisanzhi train --ruleset {ruleset.key} FOLDER` makes them anew"
        )


def name(value: RowValue) -> Name:
    """Name a value by what it is, not by its strength."""
    return value.category, value.ranks


def by_class(counted: RowCounts, of: Classes) -> Counts:
    """Put counts in the order of classes."""
    return Counts(tuple(tuple(row.get(name(value), 0) for value in of.values) for row in counted))


def row_counts(ruleset: Ruleset) -> RowCounts:
    """Give the row counts of a ruleset: its own, or those of the nearest trained one.

    >>> sum(row_counts(CLASSIC).front.values()) == sum(row_counts(CLASSIC).back.values())
    True
    """
    return _shipped(_nearest(ruleset))


def counts(ruleset: Ruleset) -> Counts:
    """Give the same in the order of the ruleset's classes."""
    return _counts(_nearest(ruleset), classes(ruleset))


@lru_cache(maxsize=8)
def _counts(nearest: Ruleset, of: Classes) -> Counts:
    return by_class(_shipped(nearest), of)


def _nearest(ruleset: Ruleset) -> Ruleset:
    """Give itself, or else who chooses among as many cards, whatever the ladder calls the rows."""
    return max(
        TRAINED, key=lambda each: (each.key == ruleset.key, each.hand_size == ruleset.hand_size)
    )


def _shipped(trained: Ruleset) -> RowCounts:
    data = resources.files(__package__).joinpath(_FOLDER, file_name(trained)).read_bytes()
    return unpack(trained, data)


def file_name(ruleset: Ruleset) -> str:
    """Name the file of a ruleset's row counts.

    >>> file_name(CLASSIC)
    'classic.bin'
    """
    return f"{ruleset.key}.bin"


def pack(ruleset: Ruleset, counted: RowCounts) -> bytes:
    """Write row counts: a digest of what their order means, then all of them, compressed.

    The counts stand row by row, 32 bits each, in the order of the classes.
    """
    numbers = [count for row in by_class(counted, classes(ruleset)).rows for count in row]
    return _digest(ruleset) + zlib.compress(struct.pack(f"<{len(numbers)}I", *numbers), 9)


def unpack(ruleset: Ruleset, data: bytes) -> RowCounts:
    """Read what :func:`pack` wrote; raises :class:`OtherRulesError` for a ruleset unlike it."""
    if data[:_DIGEST_SIZE] != _digest(ruleset):
        raise OtherRulesError(ruleset)
    names = [name(value) for value in classes(ruleset).values]
    numbers = struct.unpack(f"<{len(names) * len(ROWS)}I", zlib.decompress(data[_DIGEST_SIZE:]))
    return RowCounts(*_by_name(names, numbers))


def _digest(ruleset: Ruleset) -> bytes:
    """Give the SHA-256 of all that says what the order of the classes means, and who was dealt."""
    lines = (
        *(f"{rung.category.name} {rung[1:]}" for rung in ruleset.ladder),
        f"{ruleset.straights}",
        f"{format_cards(ruleset.deck)}, {ruleset.hand_size} each, {ruleset.bonus_ranks}",
    )
    return sha256("\n".join(lines).encode()).digest()


def _by_name(names: Sequence[Name], numbers: Sequence[int]) -> Iterator[dict[Name, int]]:
    for start in range(0, len(numbers), len(names)):
        row = zip(names, numbers[start : start + len(names)], strict=True)
        yield {each: count for each, count in row if count}
