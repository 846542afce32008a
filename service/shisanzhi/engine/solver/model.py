"""What the solver's kernel reads, made from a ruleset and a field: classes and their odds."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, combinations_with_replacement
from math import comb
from typing import Final

from shisanzhi.engine.arrangement import Row
from shisanzhi.engine.cards import Card, Rank, Suit
from shisanzhi.engine.evaluator import FRONT_SIZE, ROW_SIZE
from shisanzhi.engine.rulesets import Ruleset
from shisanzhi.engine.rulesets.ruleset import Settle
from shisanzhi.engine.scoring import gunshots_only as gun_scoring
from shisanzhi.engine.scoring import pairs_won as row_scoring
from shisanzhi.engine.solver.expected_units import Ints, Odds, Opponents, floats, ints
from shisanzhi.engine.solver.row_counts import Field, Name, name, values
from shisanzhi.engine.solver.search import MAX_CLASSES, Tables


def odds(counts: Sequence[int], royalties: Sequence[int], opponents: int) -> Odds:
    """Make the odds of a row from how often each class was counted and what it earns.

    >>> made = odds([1, 2, 1], [0, 0, 3], opponents=3)
    >>> made.wins, made.holds, made.higher
    ([0.0, 0.25, 0.75], [0.25, 0.75, 1.0], [0.75, 0.75, 0.0])
    """
    total = sum(counts)
    holds = list(accumulate(counts))
    earned = [count * royalty for count, royalty in zip(counts, royalties, strict=True)]
    paid_up_to = list(accumulate(earned))
    return Odds(
        wins=_shares((held - count for count, held in zip(counts, holds, strict=True)), total),
        holds=_shares(holds, total),
        swept=_swept(counts, holds, opponents, ties=0),
        swept_once=_swept(counts, holds, opponents, ties=1),
        swept_twice=_swept(counts, holds, opponents, ties=2),
        own=[float(royalty) for royalty in royalties],
        ceiling=[float(royalty) for royalty in accumulate(royalties, max)],
        higher=_shares((paid_up_to[-1] - paid for paid in paid_up_to), total),
        equal=_shares(earned, total),
        lower=_shares((paid - here for paid, here in zip(paid_up_to, earned, strict=True)), total),
    )


def _swept(
    counts: Sequence[int], holds: Sequence[int], opponents: int, *, ties: int
) -> list[float]:
    """Share out the rows from each class up that hold against all others, some tied; see Odds."""
    others = opponents - 1
    if ties > others:
        return [0.0] * len(counts)
    rows = zip(counts, holds, strict=True)
    here = [count * count**ties * held ** (others - ties) for count, held in rows]
    return _shares(reversed(list(accumulate(reversed(here)))), sum(counts) ** opponents)


def _shares(numbers: Iterable[int], total: int) -> list[float]:
    return [number / total for number in numbers]


class Model:
    """The solver's model of one ruleset and field."""

    def __init__(self, ruleset: Ruleset, field: Field, opponents: int) -> None:
        """Number the classes and work out their odds against so many opponents, 1 to 3."""
        self.ruleset = ruleset
        if len(values(ruleset)) > MAX_CLASSES:
            raise ValueError(f"expected at most {MAX_CLASSES} values, got {len(values(ruleset))}")
        self._classes = {value.strength: place for place, value in enumerate(values(ruleset))}
        self._opponents = Opponents(
            opponents,
            _joined(
                odds(_counts(ruleset, counted), _royalties(ruleset, row), opponents)
                for row, counted in zip(Row, field, strict=True)
            ),
            rows_decide=_ROWS_DECIDE[ruleset.settle],
            gunshot=float(ruleset.gunshot_units),
            home_run=float(ruleset.home_run_units),
            pair=float(ruleset.pair_units),
        )
        self._tables: dict[Rank | None, Tables] = {}

    def tables(self, bonus_rank: Rank | None) -> Tables:
        """Give what the search reads for a bonus rank, made when first asked for."""
        tables = self._tables.get(bonus_rank)
        if tables is None:
            tables = self._tables[bonus_rank] = self._make(bonus_rank)
        return tables

    def _make(self, bonus_rank: Rank | None) -> Tables:
        evaluate, classes = self.ruleset.evaluator(bonus_rank).value, self._classes

        def numbered(rows: Iterable[Sequence[int]]) -> Ints:
            return ints([classes[evaluate(row).strength] for row in rows])

        return Tables(
            self._opponents,
            steps=_STEPS,
            plain=numbered(_mixed_rows(ROW_SIZE)),
            flush=numbered(_flush_rows()),
            fronts=numbered(_mixed_rows(FRONT_SIZE)),
            classes=len(classes),
            may_equal=self.ruleset.middle_may_equal_back,
        )


_ROWS_DECIDE: Final[Mapping[Settle, bool]] = {gun_scoring.settle: False, row_scoring.settle: True}

_STEPS: Final = ints(
    [comb(rank + place, place + 1) for place in range(ROW_SIZE) for rank in range(len(Rank))]
)
"""What a card adds to its row's index: rows count up by their last rank, then the one before."""


_CLUBS: Final = {rank: Card.of(rank, Suit.CLUBS) for rank in Rank}
_SPADES: Final = {rank: Card.of(rank, Suit.SPADES) for rank in Rank}


def _ranks(size: int) -> list[tuple[Rank, ...]]:
    """List the multisets of ranks in the order of their index."""
    return sorted(combinations_with_replacement(Rank, size), key=lambda ranks: ranks[::-1])


@lru_cache
def _mixed_rows(size: int) -> list[tuple[Card, ...]]:
    return [(_CLUBS[first], *map(_SPADES.__getitem__, rest)) for first, *rest in _ranks(size)]


@lru_cache
def _flush_rows() -> list[tuple[Card, ...]]:
    return [tuple(map(_SPADES.__getitem__, ranks)) for ranks in _ranks(ROW_SIZE)]


def _counts(ruleset: Ruleset, counted: Mapping[Name, int]) -> list[int]:
    return [counted.get(name(value), 0) for value in values(ruleset)]


def _royalties(ruleset: Ruleset, row: Row) -> list[int]:
    return [ruleset.royalties.get((row, value.category), 0) for value in values(ruleset)]


def _joined(rows: Iterable[Odds]) -> Odds:
    """Lay front, middle and back side by side, as the kernel reads them."""
    return Odds(*(floats(list(chain(*row))) for row in zip(*rows, strict=True)))
