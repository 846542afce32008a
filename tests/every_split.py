"""Every legal arrangement of a hand, with its expected units: slow, obvious, no search.

The formulas are those of the model, written anew over whole arrays of arrangements; that they say
what scoring does is shown apart, by settling rounds (``test_arranger.py``).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shisanzhi.engine.arrangement import bonus_rank_of
from shisanzhi.engine.cards import Card
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import Ruleset
from shisanzhi.engine.solver.classes import classes
from shisanzhi.engine.solver.row_counts import Name, RowCounts, name

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

WON, LOST, TIED = "won", "lost", "tied"
AT_A_TIME = 32


class Splits(NamedTuple):
    """All arrangements of a hand: the places of their values, their legality and their units."""

    front: Places
    middle: Places
    back: Places
    legal: NDArray[np.bool_]
    units: Numbers


class RowModel(NamedTuple):
    """How one row fares, by the place of its value among all values of the ruleset."""

    share: dict[str, Numbers]
    """How often one opponent's row is beaten, wins, or ties."""
    paid: dict[str, Numbers]
    """The royalty of that opponent's row, where it is beaten, wins, or ties."""
    royalty: Numbers
    swept: tuple[Numbers, ...]
    """How often a row holds against this one and against all others, of which it ties none, one
    named beforehand, two, and so on."""


def row_model(ruleset: Ruleset, row: Row, counted: Mapping[Name, int], opponents: int) -> RowModel:
    every = classes(ruleset).values
    count = np.array([counted.get(name(value), 0) for value in every], float)
    share = count / count.sum()
    royalty = np.array([ruleset.royalties.get((row, value.category), 0) for value in every], float)

    def below(weights: Numbers) -> Numbers:
        return np.cumsum(weights) - weights

    def from_here(weights: Numbers) -> Numbers:
        return np.cumsum(weights[::-1])[::-1]

    holds = np.cumsum(share)
    return RowModel(
        {WON: below(share), TIED: share, LOST: 1 - holds},
        {
            WON: below(share * royalty),
            TIED: share * royalty,
            LOST: from_here(share * royalty) - share * royalty,
        },
        royalty,
        tuple(
            from_here(share * share**ties * holds ** (opponents - 1 - ties))
            for ties in range(opponents)
        ),
    )


class EverySplit:
    """Tries every split of a hand, for one ruleset, against some opponents out of one field."""

    def __init__(self, ruleset: Ruleset, field: RowCounts, opponents: int = 3) -> None:
        self.ruleset = ruleset
        self.opponents = opponents
        self.rows = [row_model(ruleset, row, field[row - 1], opponents) for row in Row]
        self.place = {value.strength: place for place, value in enumerate(classes(ruleset).values)}

    def best(self, hand: Sequence[Card], cut_card: Card | None) -> float:
        """Give the greatest expected units of any legal split."""
        return max(
            float(np.max(splits.units, where=splits.legal, initial=-np.inf))
            for splits in self.splits(hand, cut_card)
        )

    def splits(self, hand: Sequence[Card], cut_card: Card | None) -> Iterator[Splits]:
        """Go through the splits: what is left beside back and middle, and how the ten divide."""
        evaluate = self.ruleset.evaluator(bonus_rank_of(cut_card)).value
        fives, threes = (
            np.array([self.place[evaluate(row).strength] for row in combinations(hand, size)])
            for size in (5, 3)
        )
        ways = ways_to_split(len(hand))
        for start in range(0, len(ways.ones), AT_A_TIME):
            part = slice(start, start + AT_A_TIME)
            one, other = fives[ways.ones[part]], fives[ways.others[part]]
            back = np.maximum(one, other)[:, :, None]
            middle = np.minimum(one, other)[:, :, None]
            front = threes[ways.fronts[part]][:, None, :]
            legal = (front < middle) & ((middle < back) | self.ruleset.middle_may_equal_back)
            yield Splits(front, middle, back, legal, self.units(front, middle, back))

    def units(self, front: Places, middle: Places, back: Places) -> Numbers:
        places = (front, middle, back)
        if self.ruleset.scoring.pair_units:
            return self.row_units(places)
        return self.gun_units(places)

    def gun_units(self, places: Sequence[Places]) -> Numbers:
        ruleset, rows = self.ruleset, self.rows
        guns = multiply([1 - row.share[LOST] for row in rows], places)
        gunned = multiply([1 - row.share[WON] for row in rows], places)
        swept = multiply([row.swept[0] for row in rows], places)
        royalties = [row.royalty * row.share[WON] - row.paid[LOST] for row in rows]
        return self.opponents * (
            ruleset.scoring.gunshot_units * (guns - gunned)
            + ruleset.scoring.home_run_units * (guns**self.opponents - swept)
            + add(royalties, places)
        )

    def row_units(self, places: Sequence[Places]) -> Numbers:
        """Go through the 27 patterns of rows won, lost and tied; then the home runs."""
        ruleset, rows = self.ruleset, self.rows
        own = add([row.royalty for row in rows], places)
        guns: Numbers | float = 0.0
        total: Numbers | float = 0.0
        for pattern in product((WON, LOST, TIED), repeat=3):
            won, lost = pattern.count(WON), pattern.count(LOST)
            share = multiply(
                [row.share[each] for row, each in zip(rows, pattern, strict=True)], places
            )
            units = ruleset.scoring.pair_units if min(won, lost) else ruleset.scoring.gunshot_units
            if won > lost:
                total = total + share * (units + own)
                guns = guns + (share if not lost else 0)
            if lost > won:
                total = total - share * units - self.collected(pattern, places)
        others = self.opponents - 1
        swept = (
            sum(
                (-1) ** ties
                * comb(others, ties)
                * multiply([row.swept[ties] for row in rows], places)
                for ties in range(self.opponents)
            )
            - multiply([row.share[TIED] for row in rows], places) * guns**others
        )
        home_runs = guns**self.opponents - swept
        return np.asarray(self.opponents * (total + ruleset.scoring.home_run_units * home_runs))

    def collected(self, pattern: Sequence[str], places: Sequence[Places]) -> Numbers | float:
        """Give what an opponent collects for its rows in one pattern, times how often it comes."""
        total: Numbers | float = 0.0
        for paying in range(3):
            columns = [
                row.paid[each] if number == paying else row.share[each]
                for number, (row, each) in enumerate(zip(self.rows, pattern, strict=True))
            ]
            total = total + multiply(columns, places)
        return total


class Ways(NamedTuple):
    """Ways to split a hand: one line for each choice of what is left beside back and middle.

    The greater of the two rows of five goes to the back.
    """

    ones: Places
    others: Places
    fronts: Places


@cache
def ways_to_split(size: int) -> Ways:
    """Number rows by their place among the combinations of the hand, of five and of three cards."""
    fives, threes = (
        {row: place for place, row in enumerate(combinations(range(size), length))}
        for length in (5, 3)
    )
    ones, others, fronts = [], [], []
    for left in combinations(range(size), size - 10):
        ten = [card for card in range(size) if card not in left]
        halves = [row for row in combinations(ten, 5) if ten[0] in row]
        ones.append([fives[row] for row in halves])
        others.append([fives[tuple(card for card in ten if card not in row)] for row in halves])
        fronts.append([threes[front] for front in combinations(left, 3)])
    return Ways(np.array(ones), np.array(others), np.array(fronts))


def multiply(columns: Sequence[Numbers], places: Sequence[Places]) -> Numbers:
    front, middle, back = (column[place] for column, place in zip(columns, places, strict=True))
    return front * (middle * back)


def add(columns: Sequence[Numbers], places: Sequence[Places]) -> Numbers:
    front, middle, back = (column[place] for column, place in zip(columns, places, strict=True))
    return front + (middle + back)
