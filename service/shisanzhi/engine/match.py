"""A match's books: a fold of (match, round totals) -> match, from a seeded start.

The service remembers nothing: whoever calls keeps the match and hands it back.
"""

import enum
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shisanzhi.engine.cards import Card
from shisanzhi.engine.deal import commitment, draw_dealer
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.seats import counter_clockwise
from shisanzhi.engine.shuffle import Stream, derive_key


class FinishReason(enum.IntEnum):
    ROUNDS_PLAYED = 1
    POINTS_LOST = 2


class Standing(NamedTuple):
    """One line of the standings; equal units share a place, and the next leaves room for them."""

    place: int
    seat: int
    player_id: str
    units: int
    points: int


class Match(NamedTuple):
    """A match (將) between two rounds; players, units and points by seat.

    ``next_round`` counts from 1; in a finished match it is one more than the rounds played.
    """

    ruleset: int
    player_ids: tuple[str, ...]
    next_round: int
    dealer: int
    units: tuple[int, ...]
    points: tuple[int, ...]
    finish_reason: FinishReason | None
    standings: tuple[Standing, ...]

    @property
    def finished(self) -> bool:
        return self.finish_reason is not None


class SeatDraw(NamedTuple):
    """The cards that one player drew, the last of them counting, and the seat that they gave."""

    player: int
    cards: tuple[Card, ...]
    seat: int


class MatchStart(NamedTuple):
    """A match opened, with what each player drew, in the order that the players were named."""

    match: Match
    draws: tuple[SeatDraw, ...]
    seed: bytes
    commitment: bytes


def start_match(
    ruleset: Ruleset, seed: bytes, player_seeds: Sequence[bytes], player_ids: Sequence[str]
) -> MatchStart:
    """Seat the players and name the first dealer.

    CLASSIC: each draws a card, higher ranks sit first, seat 0 deals. BONUS: players sit as named,
    the first dealer is drawn; it is the one that the seed gives round 1.

    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> start = start_match(CLASSIC, bytes(range(16)), (), ("ann", "bob", "cho", "dee"))
    >>> start.match.player_ids
    ('dee', 'cho', 'bob', 'ann')
    """
    key = derive_key(seed, player_seeds)
    if ruleset.draws_seats:
        draws, dealer = draw_seats(ruleset, key), 0
    else:
        draws = tuple(SeatDraw(player, (), player) for player in range(ruleset.seats))
        dealer = draw_dealer(ruleset, key, round_number=1)
    seated = sorted(draws, key=lambda draw: draw.seat)
    names = tuple(player_ids[draw.player] for draw in seated)
    match = write_up(ruleset, names, next_round=1, dealer=dealer, units=(0,) * ruleset.seats)
    return MatchStart(match, draws, seed, commitment(seed))


def advance_match(ruleset: Ruleset, match: Match, units: Sequence[int]) -> Match:
    """Add a round's totals, by seat, to a match that is not over.

    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> match = start_match(CLASSIC, bytes(range(16)), (), ("ann", "bob", "cho", "dee")).match
    >>> match = advance_match(CLASSIC, match, (-25, 75, -25, -25))
    >>> match.points, match.dealer
    ((2600, 4600, 2600, 2600), 1)
    """
    return write_up(
        ruleset,
        match.player_ids,
        next_round=match.next_round + 1,
        dealer=next_dealer(ruleset, match.dealer, units),
        units=tuple(before + won for before, won in zip(match.units, units, strict=True)),
    )


def write_up(
    ruleset: Ruleset,
    player_ids: tuple[str, ...],
    *,
    next_round: int,
    dealer: int,
    units: tuple[int, ...],
) -> Match:
    """Write up a match: all else follows from players, rounds, dealer and units."""
    points = tuple(ruleset.starting_points + ruleset.points_per_unit * won for won in units)
    return Match(
        ruleset=ruleset.number,
        player_ids=player_ids,
        next_round=next_round,
        dealer=dealer,
        units=units,
        points=points,
        finish_reason=_finish_reason(ruleset, next_round, points),
        standings=tuple(_standings(player_ids, units, points)),
    )


def next_dealer(ruleset: Ruleset, dealer: int, units: Sequence[int]) -> int:
    """Name the next dealer.

    BONUS: the deal moves one seat counter-clockwise. CLASSIC: the biggest winner deals; of equal
    ones the first met counter-clockwise from the current dealer, the dealer included.

    >>> from shisanzhi.engine.rulesets import BONUS, CLASSIC
    >>> next_dealer(BONUS, 3, (4, -4, 4, -4)), next_dealer(CLASSIC, 1, (4, -4, 4, -4))
    (0, 2)
    """
    if ruleset.winner_deals:
        return max(counter_clockwise(dealer, ruleset.seats), key=units.__getitem__)
    return (dealer + 1) % ruleset.seats


def draw_seats(ruleset: Ruleset, key: bytes) -> tuple[SeatDraw, ...]:
    """Let each player draw a card; while any two ranks are equal, all draw again."""
    stream = Stream(key, "seats", ruleset.key, round_number=1)
    draws = []
    for cards in _draws(ruleset, stream):
        draws.append(cards)
        if len({card.rank for card in cards}) == ruleset.seats:
            break
    ranking = sorted(range(ruleset.seats), key=lambda player: -draws[-1][player].rank)
    return tuple(
        SeatDraw(player, tuple(cards[player] for cards in draws), ranking.index(player))
        for player in range(ruleset.seats)
    )


def _draws(ruleset: Ruleset, stream: Stream) -> Iterator[tuple[Card, ...]]:
    """Draw a card for each at a time; a deck that is used up is shuffled again."""
    deck, seats = list(ruleset.deck), ruleset.seats
    while True:
        stream.shuffle(deck)
        for draw in range(len(deck) // seats):
            yield tuple(deck[draw * seats : (draw + 1) * seats])


def _finish_reason(ruleset: Ruleset, next_round: int, points: Sequence[int]) -> FinishReason | None:
    """End after the round in which a seat has lost its points, or after the last round."""
    if ruleset.starting_points and min(points) <= 0:
        return FinishReason.POINTS_LOST
    if ruleset.rounds and next_round > ruleset.rounds:
        return FinishReason.ROUNDS_PLAYED
    return None


def _standings(
    player_ids: Sequence[str], units: Sequence[int], points: Sequence[int]
) -> Iterator[Standing]:
    ranking = sorted(units, reverse=True)
    for seat in sorted(range(len(units)), key=lambda seat: -units[seat]):
        place = ranking.index(units[seat]) + 1
        yield Standing(place, seat, player_ids[seat], units[seat], points[seat])
