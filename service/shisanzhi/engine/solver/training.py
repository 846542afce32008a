"""Self-play: makes the row counts that the solver plays against (``row_counts.py``).

Deals rounds, arranges all hands against the counts so far, counts the rows, and repeats. Answering
only the last generation would go round in circles, as in scissors, paper, stone: each generation
answers the sum of the latter half of those before it, which settles. The same seed gives the same
counts on every machine.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Final

from shisanzhi.engine.deal import deal
from shisanzhi.engine.rulesets import Ruleset
from shisanzhi.engine.solver.arranger import Arranger
from shisanzhi.engine.solver.classes import classes
from shisanzhi.engine.solver.row_counts import Name, RowCounts, by_class, name

SEED: Final = b"shisanzhi: the field"
GENERATIONS: Final = 40
DEALS: Final = 1500
"""Deals in a generation; each has four hands."""


def train(
    ruleset: Ruleset,
    seed: bytes = SEED,
    generations: int = GENERATIONS,
    deals: int = DEALS,
    advance: Callable[[], object] = lambda: None,
) -> RowCounts:
    """Make row counts; ``advance`` is called after every deal."""
    played: list[RowCounts] = []
    for generation in range(generations):
        so_far = settled(played) if played else level(ruleset)
        answers = Arranger(ruleset, by_class(so_far, classes(ruleset)))
        seeds = (_seed(seed, ruleset, generation, number) for number in range(deals))
        played.append(_play(ruleset, answers, seeds, advance))
    return settled(played)


def level(ruleset: Ruleset) -> RowCounts:
    """Give the counts to start from: every value as often as any other."""
    every = {name(value): 1 for value in classes(ruleset).values}
    return RowCounts(every, every, every)


def settled(played: Sequence[RowCounts]) -> RowCounts:
    """Sum up the latter half of the generations.

    >>> first, second, third = (RowCounts({(1, ()): count}, {}, {}) for count in (100, 20, 3))
    >>> settled([first, second, third]).front
    {(1, ()): 23}
    """
    front, middle, back = (
        dict(sum(map(Counter, row), Counter[Name]()))
        for row in zip(*played[len(played) // 2 :], strict=True)
    )
    return RowCounts(front, middle, back)


def distance(ruleset: Ruleset, one: RowCounts, other: RowCounts) -> float:
    """Give the greatest difference between two in how often a row is at most some value."""
    return max(
        abs(share - other_share)
        for counted, other_counted in zip(one, other, strict=True)
        for share, other_share in zip(
            _shares(ruleset, counted), _shares(ruleset, other_counted), strict=True
        )
    )


def _seed(seed: bytes, ruleset: Ruleset, generation: int, number: int) -> bytes:
    return sha256(seed + f"/{ruleset.key}/{generation}/{number}".encode()).digest()


def _play(
    ruleset: Ruleset, answers: Arranger, seeds: Iterable[bytes], advance: Callable[[], object]
) -> RowCounts:
    """Deal, arrange and count. Dragons are not counted: the solver allows for them."""
    counted: tuple[Counter[Name], ...] = (Counter(), Counter(), Counter())
    for seed in seeds:
        dealt = deal(ruleset, seed)
        for hand in dealt.hands:
            arranged = answers.arrange(hand, dealt.cut_card)
            if not arranged.dragon:
                (best,) = arranged.suggestions
                for row, value in zip(counted, (best.front, best.middle, best.back), strict=True):
                    row[name(value)] += 1
        advance()
    return RowCounts(*counted)


def _shares(ruleset: Ruleset, counted: Mapping[Name, int]) -> list[float]:
    total = sum(counted.values())
    counts = (counted.get(name(value), 0) for value in classes(ruleset).values)
    return [at_most / total for at_most in accumulate(counts)]
