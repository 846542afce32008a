"""Every hypothesis strategy of the tests.

Cards are drawn from few ranks or one suit as often as from the whole deck, so that strong rows,
ties and close calls are common.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Arrangement, Judgement, bonus_rank_of, judge
from shisanzhi.engine.cards import STANDARD_DECK, Card, Rank, Suit, parse_cards
from shisanzhi.engine.match import Match, Standing, advance_match
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    RawMatch,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.rulesets import RULESETS, Ruleset
from shisanzhi.engine.scoring.results import RoundResult
from shisanzhi.engine.scoring.round import score
from shisanzhi.engine.solver.arranger import Arranged, Suggestion
from tests import oracle
from tests.random_rounds import Round, random_round

T = TypeVar("T")
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
    if draw(st.booleans()):
        ranks = draw(st.sets(st.sampled_from(Rank), min_size=2, max_size=6))
        return [card for card in left if card.rank in ranks]
    if draw(st.booleans()):
        suit = draw(st.sampled_from(Suit))
        return [card for card in left if card.suit is suit]
    return left


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
def deals(draw: st.DrawFn) -> DealRoundQuestion:
    """Draw all that fixes a deal."""
    ruleset = draw(rulesets)
    cuts = st.lists(st.integers(1, 51), max_size=ruleset.max_cuts)
    return DealRoundQuestion(
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


# Matches

player_ids = st.lists(st.text(min_size=1, max_size=12), min_size=4, max_size=4, unique=True).map(
    tuple
)


@st.composite
def round_units(draw: st.DrawFn, most: int = 75) -> tuple[int, ...]:
    """Draw what a round brings each seat: small numbers and large ones, many of them equal."""
    size = draw(st.sampled_from([0, 1, 3, most]))
    a, b, c = (draw(st.integers(-size, size)) for _ in range(3))
    return tuple(draw(st.permutations([a, b, c, -a - b - c])))


match_questions = st.builds(
    StartMatchQuestion,
    rulesets.map(lambda ruleset: ruleset.number),
    seeds,
    player_seeds.map(tuple),
    player_ids,
)


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Draw a match after some rounds, over or not."""
    start = game_logic.start_match(draw(match_questions))
    match = start.match
    for units in draw(st.lists(round_units(), max_size=20)):
        if match.finished:
            break
        match = advance_match(RULESETS[match.ruleset], match, units)
    return match


def raw_match(match: Match) -> RawMatch:
    """Give a match as a caller hands it back."""
    return RawMatch(
        match.ruleset,
        match.player_ids,
        match.next_round,
        match.dealer,
        match.units,
        match.points,
        match.finished,
        match.finish_reason or 0,
        match.standings,
    )


# Questions of any kind, asked by anybody

_int32 = st.integers(-(2**31), 2**31 - 1)
_uint32 = st.integers(0, 2**32 - 1)
_some_ruleset = st.sampled_from([1, 2]) | st.integers(0, 3) | _int32
_some_card = st.sampled_from([0, *STANDARD_DECK]) | st.sampled_from([17, 31, 99, -1]) | _int32
_some_cut_card = st.sampled_from([0, *STANDARD_DECK]) | _int32
_some_seat = st.integers(0, 4) | _uint32


def _many(
    each: st.SearchStrategy[T], most: int = 5, least: int = 0
) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(each, min_size=least, max_size=most).map(tuple)


_some_cards = _many(_some_card, 6) | _many(_some_card, 5, 5) | _many(cards, 17, 13)
_some_rows = st.builds(RawArrangement, _some_cards, _some_cards, _some_cards)
_some_seeds = _many(st.binary(max_size=70), 9)
_some_player_ids = _many(st.text(max_size=70), 5)
_some_standing = st.builds(Standing, _uint32, _uint32, st.text(max_size=9), _int32, _int32)

evaluate_questions = st.builds(EvaluateQuestion, _some_ruleset, _some_cut_card, _many(_some_cards))
validate_questions = st.builds(
    ValidateQuestion, _some_ruleset, _some_cut_card, st.none() | _some_rows, _some_cards
)
score_questions = st.builds(
    ScoreQuestion,
    _some_ruleset,
    _some_cut_card,
    _many(_some_rows) | _many(_some_rows, 4, 4),
    st.none() | _some_seat,
    _many(_some_cards),
)
deal_questions = st.builds(
    DealRoundQuestion,
    _some_ruleset,
    st.binary(max_size=70),
    _some_seeds,
    _uint32,
    st.none() | _some_seat,
    _many(st.integers(0, 53) | _uint32),
)
arrange_questions = st.builds(
    ArrangeQuestion,
    _some_ruleset,
    _some_cut_card,
    _some_cards,
    st.integers(0, 22) | _uint32,
)
start_questions = st.builds(
    StartMatchQuestion, _some_ruleset, st.binary(max_size=70), _some_seeds, _some_player_ids
)
_some_match = st.builds(
    RawMatch,
    _some_ruleset,
    _some_player_ids,
    _uint32,
    _some_seat,
    _many(_int32) | round_units(),
    _many(_int32),
    st.booleans(),
    st.integers(0, 3) | _int32,
    _many(_some_standing),
)
advance_questions = st.builds(
    AdvanceMatchQuestion,
    st.none() | _some_match | matches().map(raw_match),
    _many(_int32) | round_units(),
)


# Answers


@st.composite
def judgements(draw: st.DrawFn) -> Judgement:
    """Draw what Validate answers, violations of all kinds included."""
    laid = draw(arrangements())
    return judge(laid.ruleset, laid.arrangement, laid.cut_card, laid.hand)


@st.composite
def round_results(draw: st.DrawFn) -> RoundResult:
    """Draw what Score answers, dragons included."""
    laid = draw(rounds())
    return score(laid.ruleset, laid.arrangements, laid.cut_card, dealer=laid.dealer)


@st.composite
def suggestions(draw: st.DrawFn) -> Arranged:
    """Draw what Arrange may answer: legal arrangements of a round, with whatever expectations."""
    laid = draw(rounds())
    evaluate = laid.ruleset.evaluator(bonus_rank_of(laid.cut_card)).value
    found = []
    for hand, arrangement in zip(laid.hands, laid.arrangements, strict=True):
        front, middle, back = map(evaluate, arrangement)
        discards = tuple((Counter(hand) - Counter(arrangement.cards)).elements())
        units = draw(st.floats(-100, 100))
        found.append(Suggestion(arrangement, discards, front, middle, back, units))
    return Arranged(tuple(found), draw(st.booleans()))
