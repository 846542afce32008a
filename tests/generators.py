"""Every hypothesis strategy of the tests.

Cards are drawn from few ranks or one suit as often as from the whole deck, so that strong rows,
ties and close calls are common.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.cards import STANDARD_DECK, Card, Rank, Suit, parse_cards
from shisanzhi.engine.questions import DealQuestion
from shisanzhi.engine.rulesets import RULESETS, Ruleset
from tests import oracle
from tests.random_rounds import Round, random_round

Cards = tuple[Card, ...]


class PlayedRound(NamedTuple):
    """A round as the engine sees it, by seat."""

    ruleset: Ruleset
    cut_card: Card | None
    dealer: int
    hands: tuple[Cards, ...]
    arrangements: tuple[Arrangement, ...]


class PlayedHand(NamedTuple):
    """What one seat lays down, and perhaps what it was dealt."""

    ruleset: Ruleset
    cut_card: Card | None
    arrangement: Arrangement
    hand: Cards | None


class Rows(NamedTuple):
    """Rows under one ruleset and cut card, each by itself."""

    ruleset: Ruleset
    cut_card: Card | None
    rows: tuple[Cards, ...]


cards = st.sampled_from(STANDARD_DECK)
rulesets = st.sampled_from(list(RULESETS.values()))
seats = st.integers(0, 3)
seeds = st.binary(min_size=16, max_size=64)
player_seeds = st.lists(st.binary(min_size=1, max_size=64), max_size=8)
seat_orders = st.permutations(range(4))


def cut_cards(ruleset: Ruleset) -> st.SearchStrategy[Card | None]:
    """Draw a cut card, or none where the ruleset has none."""
    return cards if ruleset.has_bonus_rank else st.none()


def in_play(ruleset: Ruleset, cut_card: Card | None) -> list[Card]:
    """List the deck, less the cut card."""
    left = list(ruleset.deck)
    if cut_card is not None:
        left.remove(cut_card)
    return left


@st.composite
def pools(draw: st.DrawFn, ruleset: Ruleset, cut_card: Card | None) -> list[Card]:
    """Draw what to take a row from: the cards of a few ranks, of one suit, or all in play."""
    left = in_play(ruleset, cut_card)
    ranks = draw(st.sets(st.sampled_from(Rank), min_size=2, max_size=6))
    suit = draw(st.sampled_from(Suit))
    return draw(
        st.sampled_from(
            [
                [card for card in left if card.rank in ranks],
                [card for card in left if card.suit is suit],
                left,
            ]
        )
    )


@st.composite
def rows_of(draw: st.DrawFn, ruleset: Ruleset, cut_card: Card | None, size: int) -> Cards:
    """Draw a row that the deck, less the cut card, holds."""
    pool = draw(pools(ruleset, cut_card))
    places = st.lists(st.sampled_from(range(len(pool))), min_size=size, max_size=size, unique=True)
    return tuple(pool[place] for place in draw(places))


@st.composite
def rows(draw: st.DrawFn, count: int) -> Rows:
    """Draw some rows of three or five cards under one ruleset and cut card."""
    ruleset = draw(rulesets)
    cut_card = draw(cut_cards(ruleset))
    sizes = st.sampled_from([3, 5, 5])
    found = [draw(rows_of(ruleset, cut_card, draw(sizes))) for _ in range(count)]
    return Rows(ruleset, cut_card, tuple(found))


@st.composite
def arrangements(draw: st.DrawFn) -> PlayedHand:
    """Draw an arrangement, legal or not, with or without a hand.

    Each row is one that the deck holds; together they may hold too many copies of a card, and one
    row may be a card short or long.
    """
    ruleset = draw(rulesets)
    cut_card = draw(cut_cards(ruleset))
    sizes = draw(st.sampled_from([(3, 5, 5)] * 5 + [(2, 5, 5), (3, 6, 5), (3, 5, 4), (0, 5, 5)]))
    if draw(st.booleans()):
        laid = Arrangement(*(draw(rows_of(ruleset, cut_card, size)) for size in sizes))
    else:
        shuffled = draw(st.permutations(in_play(ruleset, cut_card)))
        left = iter(shuffled)
        laid = Arrangement(*(tuple(next(left) for _ in range(size)) for size in sizes))
    hand = draw(st.none() | hands_holding(ruleset, cut_card, laid.cards))
    return PlayedHand(ruleset, cut_card, laid, hand)


@st.composite
def hands_holding(
    draw: st.DrawFn, ruleset: Ruleset, cut_card: Card | None, wanted: Sequence[Card]
) -> Cards:
    """Draw a hand that holds the wanted cards, as far as the deck does, save perhaps a few."""
    stock = Counter(in_play(ruleset, cut_card))
    held = list((Counter(wanted) & stock).elements())[: ruleset.hand_size]
    kept = held[draw(st.sampled_from([0, 0, 1, 3])) :]
    others = draw(st.permutations(list((stock - Counter(held)).elements())))
    return tuple(draw(st.permutations((kept + others)[: ruleset.hand_size])))


def played(dealt: Round) -> PlayedRound:
    """Turn a random round's texts into the engine's values."""
    return PlayedRound(
        next(ruleset for ruleset in RULESETS.values() if ruleset.key == dealt.ruleset),
        None if dealt.cut is None else Card.parse(dealt.cut),
        dealt.dealer,
        tuple(parse_cards(" ".join(hand)) for hand in dealt.hands),
        tuple(
            Arrangement(*(parse_cards(" ".join(row)) for row in rows))
            for rows in dealt.arrangements
        ),
    )


@st.composite
def rounds(draw: st.DrawFn) -> PlayedRound:
    """Draw a legal round, weighted towards what seldom happens."""
    ruleset = draw(rulesets)
    weighted = st.integers(0, 2**32 - 1).map(lambda seed: random_round(Random(seed), ruleset.key))
    return played(draw(weighted.filter(is_legal)))


def is_legal(dealt: Round) -> bool:
    """Ask the oracle whether all four arrangements may be played."""
    return all(oracle.legal(dealt.ruleset, dealt.cut, *rows) for rows in dealt.arrangements)


@st.composite
def deals(draw: st.DrawFn) -> DealQuestion:
    """Draw all that fixes a deal."""
    ruleset = draw(rulesets)
    cuts = st.lists(st.integers(1, 51), max_size=ruleset.max_cuts)
    return DealQuestion(
        ruleset.number,
        draw(seeds),
        draw(player_seeds),
        draw(st.integers(1, 2**32 - 1)),
        draw(st.none() | seats),
        draw(cuts),
    )


@st.composite
def suit_changes(draw: st.DrawFn, ruleset: Ruleset) -> dict[Suit, Suit]:
    """Draw another name for each suit of which every card comes once; the others keep theirs."""
    alike = [suit for suit in Suit if ruleset.deck.count(Card.of(Rank.ACE, suit)) == 1]
    return {suit: suit for suit in Suit} | dict(
        zip(alike, draw(st.permutations(alike)), strict=True)
    )
