"""Self-play: makes the fields that the solver plays against (``row_counts.py``).

Deals rounds, arranges all hands against the field so far, counts the rows, and repeats. Answering
only the last generation would go round in circles, as in scissors, paper, stone: each generation
answers the sum of the latter half of those before it, which settles. The same seed gives the same
field on every machine.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Final

from shisanzhi.engine.deal import deal
from shisanzhi.engine.rulesets import Ruleset
from shisanzhi.engine.solver.arranger import Arranger
from shisanzhi.engine.solver.row_counts import Field, Name, name, values

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
) -> Field:
    """Make a field; ``advance`` is called after every deal."""
    played: list[Field] = []
    for generation in range(generations):
        answers = Arranger(ruleset, settled(played) if played else level(ruleset))
        seeds = (_seed(seed, ruleset, generation, number) for number in range(deals))
        played.append(_play(ruleset, answers, seeds, advance))
    return settled(played)


def level(ruleset: Ruleset) -> Field:
    """Give the field to start from: every value as often as any other."""
    every = {name(value): 1 for value in values(ruleset)}
    return Field(every, every, every)


def settled(played: Sequence[Field]) -> Field:
    """Sum up the latter half of the generations.

    >>> first, second, third = (Field({(1, ()): count}, {}, {}) for count in (100, 20, 3))
    >>> settled([first, second, third]).front
    {(1, ()): 23}
    """
    front, middle, back = (
        dict(sum(map(Counter, row), Counter[Name]()))
        for row in zip(*played[len(played) // 2 :], strict=True)
    )
    return Field(front, middle, back)


def distance(ruleset: Ruleset, one: Field, other: Field) -> float:
    """Give the greatest difference between two fields in how often a row is at most some value."""
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
) -> Field:
    """Deal, arrange and count. Dragons are no part of the field: the solver allows for them."""
    counted: tuple[Counter[Name], ...] = (Counter(), Counter(), Counter())
    for seed in seeds:
        dealt = deal(ruleset, seed)
        for hand in dealt.hands:
            arranged = answers.arrange(hand, dealt.cut_card)
            if not arranged.dragon:
                best = arranged.suggestions[0]
                for row, value in zip(counted, (best.front, best.middle, best.back), strict=True):
                    row[name(value)] += 1
        advance()
    return Field(*counted)


def _shares(ruleset: Ruleset, counted: Mapping[Name, int]) -> list[float]:
    total = sum(counted.values())
    counts = (counted.get(name(value), 0) for value in values(ruleset))
    return [at_most / total for at_most in accumulate(counts)]
