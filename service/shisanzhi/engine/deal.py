"""The seeded deal ``shisanzhi.v1``: a seed gives the same round in any language, forever."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from shisanzhi.engine.cards import Card
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.shuffle import ALGORITHM, Stream, derive_key


class Deal(NamedTuple):
    """A round dealt: hands by seat, each in the order received.

    BONUS has a cut card, out of the round; CLASSIC a turned-up card, which stays in the deck.
    """

    seed: bytes
    commitment: bytes
    dealer: int
    cut_card: Card | None
    turned_up_card: Card | None
    first_receiver: int
    hands: tuple[tuple[Card, ...], ...]
    algorithm: str


def deal(  # noqa: PLR0913 - one argument for each thing that fixes a deal
    ruleset: Ruleset,
    seed: bytes,
    player_seeds: Sequence[bytes] = (),
    round_number: int = 1,
    *,
    dealer: int | None = None,
    cuts: Sequence[int] = (),
) -> Deal:
    """Deal one round. With no dealer named, one is drawn from a stream of its own.

    >>> from shisanzhi.engine.rulesets import BONUS
    >>> round_dealt = deal(BONUS, bytes(range(16)))
    >>> round_dealt.dealer, str(round_dealt.cut_card), len(round_dealt.hands[0])
    (1, '9d', 16)
    """
    key = derive_key(seed, player_seeds)
    if dealer is None:
        dealer = draw_dealer(ruleset, key, round_number)
    stream = Stream(key, "deal", ruleset.key, round_number)
    deck = list(ruleset.deck)
    stream.shuffle(deck)
    for cut in cuts:
        deck = deck[cut:] + deck[:cut]
    shown = stream.bounded(len(deck))
    cut_card, turned_up_card = None, None
    if ruleset.has_bonus_rank:
        cut_card, first_receiver = deck.pop(shown), dealer
    else:
        turned_up_card = deck[shown]
        first_receiver = (dealer + turned_up_card.rank.count - 1) % ruleset.seats
    return Deal(
        seed=seed,
        commitment=commitment(seed),
        dealer=dealer,
        cut_card=cut_card,
        turned_up_card=turned_up_card,
        first_receiver=first_receiver,
        hands=_hands(ruleset, deck, first_receiver),
        algorithm=ALGORITHM,
    )


def draw_dealer(ruleset: Ruleset, key: bytes, round_number: int) -> int:
    """Draw the dealer of a round that names none."""
    return Stream(key, "dealer", ruleset.key, round_number).bounded(ruleset.seats)


def commitment(seed: bytes) -> bytes:
    """Give what is published before the round: the SHA-256 of the seed.

    >>> commitment(bytes(range(16))).hex()[:8]
    'be45cb26'
    """
    return hashlib.sha256(seed).digest()


def _hands(
    ruleset: Ruleset, deck: Sequence[Card], first_receiver: int
) -> tuple[tuple[Card, ...], ...]:
    """Deal the cards one at a time, counter-clockwise, until all hands are full."""
    seats = ruleset.seats
    dealt = deck[: seats * ruleset.hand_size]
    return tuple(tuple(dealt[(seat - first_receiver) % seats :: seats]) for seat in range(seats))
