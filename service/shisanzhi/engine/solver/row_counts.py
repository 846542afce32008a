"""The field: how often players who arrange well hold each row value, as counted in self-play.

One file for each ruleset, made by ``shisanzhi train``: a count for each value that a front, a
middle and a back can have. A ruleset that was not trained borrows the nearest field; its own order
of the values, its own royalties and its own scoring then make the odds.

BONUS has one field for all bonus ranks, though aces are scarcer when the ace is cut out. Measured
with the ace as bonus rank, where a field of its own differs most (by up to 4 % in how often a row
is at most some value): it changes one arrangement in 25 and gains −0.001 ± 0.002 units a round.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple

from shisanzhi.engine.arrangement import Row
from shisanzhi.engine.cards import Rank
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset

Name = tuple[Category, tuple[Rank, ...]]
"""A row value by its category and ranks, which mean the same in every ruleset."""

TRAINED: Final = (BONUS, CLASSIC)
_FOLDER: Final = "trained"


class Field(NamedTuple):
    """How often each value was seen, row by row; what was never seen may be left out."""

    front: Mapping[Name, int]
    middle: Mapping[Name, int]
    back: Mapping[Name, int]


def name(value: RowValue) -> Name:
    """Name a value by what it is, not by its strength."""
    return value.category, value.ranks


@lru_cache(maxsize=64)
def values(ruleset: Ruleset) -> tuple[RowValue, ...]:
    """Give every value that a row can have in a ruleset, from the least up, for all bonus ranks.

    >>> [str(value) for value in values(CLASSIC)[:3]]
    ['HIGH_CARD 4 3 2', 'HIGH_CARD 5 3 2', 'HIGH_CARD 5 4 2']
    """
    by_strength: dict[int, RowValue] = {}
    for bonus_rank in ruleset.bonus_ranks:
        evaluator = ruleset.evaluator(bonus_rank)
        for every in (evaluator.plain, evaluator.flush):
            by_strength |= {value.strength: value for value in every.values()}
    return tuple(by_strength[strength] for strength in sorted(by_strength))


def field(ruleset: Ruleset) -> Field:
    """Give the field of a ruleset: its own, or that of the nearest trained one.

    >>> sum(field(CLASSIC).front.values()) == sum(field(CLASSIC).back.values())
    True
    """
    nearest = max(TRAINED, key=lambda trained: _likeness(trained, ruleset))
    data = resources.files(__package__).joinpath(_FOLDER, file_name(nearest)).read_bytes()
    return unpack(nearest, data)


def _likeness(trained: Ruleset, ruleset: Ruleset) -> tuple[bool, bool, int]:
    shared = {rung.category for rung in trained.ladder} & {rung.category for rung in ruleset.ladder}
    return trained.key == ruleset.key, trained.hand_size == ruleset.hand_size, len(shared)


def file_name(ruleset: Ruleset) -> str:
    """Name the file of a ruleset's field.

    >>> file_name(CLASSIC)
    'classic.bin'
    """
    return f"{ruleset.key}.bin"


def pack(ruleset: Ruleset, counted: Field) -> bytes:
    """Write a field: the counts of all values in order, 32 bits each, row by row, compressed."""
    counts = [row.get(name(value), 0) for row in counted for value in values(ruleset)]
    return zlib.compress(struct.pack(f"<{len(counts)}I", *counts), 9)


def unpack(ruleset: Ruleset, data: bytes) -> Field:
    """Read what :func:`pack` wrote."""
    names = [name(value) for value in values(ruleset)]
    counts = struct.unpack(f"<{len(names) * len(Row)}I", zlib.decompress(data))
    return Field(*_rows(names, counts))


def _rows(names: Sequence[Name], counts: Sequence[int]) -> Iterator[dict[Name, int]]:
    for start in range(0, len(counts), len(names)):
        row = zip(names, counts[start : start + len(names)], strict=True)
        yield {each: count for each, count in row if count}
