"""The solver: the legal arrangement with the greatest expected units.

The model: three opponents who arrange well, whose rows are independent of one another and of the
hand, each held as often as the field says (``field.py``). Under it the expected units have a closed
form (``Search.units``), and the search is exact: it gives what trying every split would.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, prod
from typing import Final, NamedTuple

from shisanzhi.engine.arrangement import (
    Arrangement,
    bonus_rank_of,
    discards,
    is_dragon,
)
from shisanzhi.engine.arranger_search import COMPILED, Found, Search
from shisanzhi.engine.cards import CARDS, Card, Rank
from shisanzhi.engine.errors import Faults, Reason
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.field import Field, field
from shisanzhi.engine.odds import Model
from shisanzhi.engine.rulesets import Ruleset
from shisanzhi.engine.seats import SEATS

__all__ = ["COMPILED", "Arranged", "Arranger", "Suggestion", "arrange"]

_OPPONENTS: Final = SEATS - 1
SUGGESTIONS: Final = range(1, 21)
"""How many suggestions may be asked for."""

_HAND_SIZES: Final = range(13, 17)
"""The hands that can be arranged; the kernel has sixteen bits for their cards."""


_RANK_BY_CARD: Final = {card: card.rank - Rank.TWO for card in CARDS.values()}
_SUIT_BY_CARD: Final = {card: 1 << card.suit for card in CARDS.values()}
_ORDER: Final = {card: (card.rank, card.suit) for card in CARDS.values()}
"""Cards as the kernel knows them: ranks 0..12, suits one bit each, hands by rank, then suit."""


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
    """Arranges hands of one ruleset, against one field."""

    def __init__(self, ruleset: Ruleset, against: Field) -> None:
        """Make the model once, for all hands."""
        self._ruleset = ruleset
        self._model = Model(ruleset, against)

    def prepare(self) -> None:
        """Do what :func:`prepare` does."""
        for bonus_rank in self._ruleset.bonus_ranks:
            self._model.tables(bonus_rank)

    def arrange(
        self, hand: Sequence[Card], cut_card: Card | None = None, max_suggestions: int = 1
    ) -> Arranged:
        """Do what :func:`arrange` does."""
        _check(self._ruleset, hand, max_suggestions)
        cards = sorted(hand, key=_ORDER.__getitem__)
        bonus_rank = bonus_rank_of(cut_card)
        if is_dragon(self._ruleset, hand):
            return Arranged((self._suggest_dragon(cards),), dragon=True)
        search = Search(
            self._model.tables(bonus_rank),
            [_RANK_BY_CARD[card] for card in cards],
            [_SUIT_BY_CARD[card] for card in cards],
            max_suggestions,
        )
        suggestions = (self._suggest(hand, cards, found, bonus_rank) for found in search.answer())
        return Arranged(tuple(suggestions), dragon=False)

    def _suggest(
        self, hand: Sequence[Card], cards: Sequence[Card], found: Found, bonus_rank: Rank | None
    ) -> Suggestion:
        arrangement = Arrangement(*(_members(cards, row) for row in found[1:]))
        front, middle, back = map(self._ruleset.evaluator(bonus_rank).value, arrangement)
        return Suggestion(
            arrangement,
            discards(arrangement.cards, hand),
            front,
            middle,
            back,
            self._beside_dragons(found.units, hand),
        )

    def _beside_dragons(self, units: float, hand: Sequence[Card]) -> float:
        """Allow for an opponent's dragon, which takes the same from any arrangement.

        Two dragons among the opponents are left out: they come once in tens of millions of rounds.
        """
        chance = _OPPONENTS * dragon_chance(self._ruleset, hand)
        return (1.0 - chance) * units - chance * _dragon_takes(self._ruleset)

    def _suggest_dragon(self, cards: Sequence[Card]) -> Suggestion:
        """Lay a dragon out from the ace down, back to front; any other order scores the same."""
        falling = tuple(reversed(cards))
        arrangement = Arrangement(falling[10:], falling[5:10], falling[:5])
        front, middle, back = map(self._ruleset.evaluator(None).value, arrangement)
        return Suggestion(arrangement, (), front, middle, back, self._dragon_units(cards))

    def _dragon_units(self, cards: Sequence[Card]) -> float:
        """Expect what a dragon takes from three; beside another dragon it takes less, from two.

        Of two dragons only one all in one suit is better and takes the home run. That another one
        beside a mixed dragon is in one suit is left out: it comes once in billions of rounds.
        """
        ruleset = self._ruleset
        alone = _OPPONENTS * _dragon_takes(ruleset)
        better = len({card.suit for card in cards}) == 1
        lost = 0 if better else ruleset.home_run_units
        beside = (_OPPONENTS - 1) * (_dragon_takes(ruleset) - lost)
        chance = _OPPONENTS * dragon_chance(ruleset, cards)
        return (1.0 - chance) * alone + chance * beside


@lru_cache(maxsize=64)
def arranger(ruleset: Ruleset) -> Arranger:
    """Give the arranger of a ruleset against its field, made when first asked for."""
    return Arranger(ruleset, field(ruleset))


def prepare(ruleset: Ruleset) -> None:
    """Build all that is built when first asked for: evaluators and models, for each bonus rank."""
    arranger(ruleset).prepare()


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
    return arranger(ruleset).arrange(hand, cut_card, max_suggestions)


def dragon_chance(ruleset: Ruleset, hand: Sequence[Card]) -> float:
    """Give how likely one named opponent holds a dragon, beside a hand of thirteen.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> dragon_chance(CLASSIC, parse_cards("As Ah Ad Ac Kd Qd Jd Td 9d 8c 8h 8s 5c"))
    0.0
    """
    if not ruleset.dragon_units:
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
    return ruleset.gunshot_units + ruleset.home_run_units + ruleset.dragon_units


def _members(cards: Sequence[Card], row: int) -> tuple[Card, ...]:
    return tuple(cards[place] for place in range(len(cards) - 1, -1, -1) if row >> place & 1)


def _check(ruleset: Ruleset, hand: Sequence[Card], max_suggestions: int) -> None:
    faults = Faults()
    if len(hand) != ruleset.hand_size or len(hand) not in _HAND_SIZES:
        text = f"expected a hand of {ruleset.hand_size} cards, got {len(hand)}"
        faults.add(Reason.HAND_SIZE, "hand", text)
    if max_suggestions not in SUGGESTIONS:
        text = f"expected 1 to {SUGGESTIONS[-1]} suggestions, got {max_suggestions}"
        faults.add(Reason.SUGGESTION_COUNT, "max_suggestions", text)
    faults.check()
