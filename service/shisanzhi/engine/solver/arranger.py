"""The solver: the legal arrangement with the greatest expected units.

The model: opponents who arrange well, whose rows are independent of one another and of the
hand, each held as often as was counted (``row_counts.py``). Under it the expected units have a
closed form (``Opponents.units``), and the search is exact: it gives what trying every split would.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb, prod
from typing import Final, NamedTuple

from shisanzhi.engine.arrangement import Arrangement, bonus_rank_of, is_dragon
from shisanzhi.engine.cards import CARDS, Card, Rank, Suit
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.seats import SEATS
from shisanzhi.engine.solver.classes import classes
from shisanzhi.engine.solver.model import Model, chances_of_rows
from shisanzhi.engine.solver.row_counts import Counts, counts
from shisanzhi.engine.solver.search import (
    COMPILED,
    Found,
    Places,
    Search,
    Tables,
    card_number,
)

__all__ = ["COMPILED", "Arranged", "Arranger", "Arranging", "Suggestion", "arrange", "start"]

_RANK_BY_CARD: Final = {card: card.rank - Rank.TWO for card in CARDS.values()}
_NUMBER_BY_CARD: Final = {
    card: card_number(rank, card.suit - Suit.CLUBS) for card, rank in _RANK_BY_CARD.items()
}
"""Cards as the kernel knows them: ranks 0..12, suits 0..3."""
_CARD_BY_NUMBER: Final = {number: card for card, number in _NUMBER_BY_CARD.items()}


class Suggestion(NamedTuple):
    """An arrangement, what it leaves over, what its rows are worth, and its expected units.

    A row lists its cards by falling rank, spades first; discards stand in the order received.
    """

    arrangement: Arrangement
    discards: tuple[Card, ...]
    front: RowValue
    middle: RowValue
    back: RowValue
    expected_units: float


class Arranged(NamedTuple):
    """Suggestions, best first, and whether the hand is a dragon (一條龍)."""

    suggestions: tuple[Suggestion, ...]
    dragon: bool


class Arranger:
    """Arranges hands of one ruleset, against opponents who hold rows as often as was counted."""

    def __init__(self, ruleset: Ruleset, against: Counts, opponents: int | None = None) -> None:
        """Make the model once, for all hands; opponents are one to three, else at every other seat.

        ``against`` are counts by the ruleset's classes.
        """
        self.ruleset = ruleset
        self.opponents = ruleset.seats - 1 if opponents is None else opponents
        self._model = Model(ruleset, against, self.opponents)

    def prepare(self) -> None:
        for bonus_rank in self.ruleset.bonus_ranks:
            self._model.tables(bonus_rank)

    def start(
        self, hand: Sequence[Card], cut_card: Card | None, max_suggestions: int
    ) -> "Arranging":
        tables = self._model.tables(bonus_rank_of(cut_card))
        return Arranging(self, tables, hand, max_suggestions)

    def arrange(
        self, hand: Sequence[Card], cut_card: Card | None = None, max_suggestions: int = 1
    ) -> Arranged:
        return self.start(hand, cut_card, max_suggestions).finish()


class Arranging:
    """A hand that is being arranged.

    The answer does not depend on how often it was stopped. Not for two threads at once.
    """

    def __init__(
        self, arranger: Arranger, tables: Tables, hand: Sequence[Card], max_suggestions: int
    ) -> None:
        self._arranger = arranger
        self._hand = tuple(hand)
        numbers = sorted(map(_NUMBER_BY_CARD.__getitem__, hand))
        self._falling = [_CARD_BY_NUMBER[number] for number in reversed(numbers)]
        self._search = Search(tables, numbers, max_suggestions)

    def advance(self, most_steps: int) -> Arranged | None:
        """Search on for little more than so many steps; give the answer if that was enough.

        A step is a row looked at, one or two nanoseconds where the kernel is compiled; the first
        time some 50,000 ns come on top. Meanwhile no other thread has its turn.
        """
        if self._dragon or self._search.run(most_steps):
            return self._answer()
        return None

    def finish(self) -> Arranged:
        """Search on to the end; meanwhile other threads have theirs."""
        if not self._dragon:
            self._search.run()
        return self._answer()

    @cached_property
    def _dragon(self) -> bool:
        return is_dragon(self._arranger.ruleset, self._hand)

    def _answer(self) -> Arranged:
        if self._dragon:
            return Arranged((self._suggest_dragon(),), dragon=True)
        chance = self._arranger.opponents * dragon_chance(self._arranger.ruleset, self._hand)
        return Arranged(
            tuple([self._suggest(found, chance) for found in self._search.answer()]), dragon=False
        )

    def _suggest(self, found: Found, dragon_chance: float) -> Suggestion:
        """Turn what was found into cards, and allow for an opponent's dragon.

        That one takes the same from any arrangement. Two dragons among the opponents are left out:
        they come once in tens of millions of rounds.
        """
        ruleset = self._arranger.ruleset
        every = classes(ruleset).values
        front, middle, back = [every[row_class] for row_class in found.classes]
        arrangement = Arrangement(*map(self._cards, found.rows))
        takes = _dragon_takes(ruleset)
        expected = (1.0 - dragon_chance) * found.units - dragon_chance * takes
        return Suggestion(arrangement, self._discards(found.left), front, middle, back, expected)

    def _cards(self, places: Places) -> tuple[Card, ...]:
        return tuple([self._falling[place] for place in places])

    def _discards(self, places: Places) -> tuple[Card, ...]:
        """Put what is left in the order received; of two equal cards the later one is left."""
        left = [self._falling[place] for place in places]
        received = []
        for card in reversed(self._hand) if left else ():
            if card in left:
                left.remove(card)
                received.append(card)
        return tuple(reversed(received))

    def _suggest_dragon(self) -> Suggestion:
        """Lay a dragon out from the ace down, back to front; any other order scores the same."""
        falling = tuple(self._falling)
        arrangement = Arrangement(falling[10:], falling[5:10], falling[:5])
        front, middle, back = map(self._arranger.ruleset.evaluator(None).value, arrangement)
        return Suggestion(arrangement, (), front, middle, back, self._dragon_units())

    def _dragon_units(self) -> float:
        """Expect what a dragon takes from each; beside another dragon it takes less, from the rest.

        Of two dragons only one all in one suit is better and takes the home run. That another one
        beside a mixed dragon is in one suit is left out: it comes once in billions of rounds.
        """
        ruleset, opponents = self._arranger.ruleset, self._arranger.opponents
        alone = opponents * _dragon_takes(ruleset)
        better = len({card.suit for card in self._hand}) == 1
        lost = 0 if better else ruleset.scoring.home_run_units
        beside = (opponents - 1) * (_dragon_takes(ruleset) - lost)
        chance = opponents * dragon_chance(ruleset, self._hand)
        return (1.0 - chance) * alone + chance * beside


@lru_cache(maxsize=8)
def arranger(ruleset: Ruleset) -> Arranger:
    return Arranger(ruleset, counts(ruleset))


def prepare(ruleset: Ruleset) -> None:
    """Build all that is built when first asked for: evaluators and models, for each bonus rank.

    And what a ruleset for fewer seats needs, which is derived from this one.
    """
    arranger(ruleset).prepare()
    for seats in SEATS:
        chances_of_rows(counts(ruleset), seats - 1)


def arrange(
    ruleset: Ruleset,
    hand: Sequence[Card],
    cut_card: Card | None = None,
    max_suggestions: int = 1,
) -> Arranged:
    """Give the legal arrangements with the greatest expected units, best first.

    They are distinct in their row values. Equal expected units: the greater back comes first, then
    the greater middle, then the greater front. Equal values: the back takes the lower suits, then
    the middle, then the front. The order of the hand decides nothing but that of the discards.

    A CLASSIC dragon has one suggestion, since every order of its rows scores the same.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> hand = parse_cards("As Ah Kd Qd Jd Td 9d 8c 8h 8s 5c 3c 2h")
    >>> best = arrange(CLASSIC, hand).suggestions[0]
    >>> str(best.arrangement), round(best.expected_units, 1)
    ('As Ah 5c | 8s 8h 8c 3c 2h | Kd Qd Jd Td 9d', 32.4)
    """
    return start(ruleset, hand, cut_card, max_suggestions).finish()


def start(
    ruleset: Ruleset,
    hand: Sequence[Card],
    cut_card: Card | None = None,
    max_suggestions: int = 1,
) -> Arranging:
    """Take a hand to be arranged in as many pieces as the caller likes.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> hand = parse_cards("As Ah Kd Qd Jd Td 9d 8c 8h 8s 5c 3c 2h")
    >>> arranging = start(CLASSIC, hand)
    >>> arranging.advance(most_steps=10) is None
    True
    >>> arranging.finish() == arrange(CLASSIC, hand)
    True
    """
    return arranger(ruleset).start(hand, cut_card, max_suggestions)


def dragon_chance(ruleset: Ruleset, hand: Sequence[Card]) -> float:
    """Give how likely one named opponent holds a dragon, beside a hand of thirteen.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> dragon_chance(CLASSIC, parse_cards("As Ah Ad Ac Kd Qd Jd Td 9d 8c 8h 8s 5c"))
    0.0
    """
    if not ruleset.scoring.dragon_units:
        return 0.0
    copies = _copies_by_rank(ruleset).copy()
    for card in hand:
        copies[_RANK_BY_CARD[card]] -= 1
    return prod(copies) / comb(len(ruleset.deck) - len(hand), len(Rank))


@lru_cache(maxsize=64)
def _copies_by_rank(ruleset: Ruleset) -> list[int]:
    ranks = [card.rank for card in ruleset.deck]
    return [ranks.count(rank) for rank in Rank]


def _dragon_takes(ruleset: Ruleset) -> int:
    """Give what a dragon takes from an opponent without one: gunshot, home run and royalty."""
    scoring = ruleset.scoring
    return scoring.gunshot_units + scoring.home_run_units + scoring.dragon_units
