"""The seeded deal: every card as likely in every place, and nothing decides it but the seed."""

import hmac
import random
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shisanzhi.engine import shuffle as shuffle_room
from shisanzhi.engine.cards import Card, parse_cards
from shisanzhi.engine.deal import Deal, deal
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from shisanzhi.engine.shuffle import Stream
from tests import oracle

SEED = bytes(range(16))
DEALS, MORE_DEALS = 40_000, 100_000
ROUND_REJECTED = {"bonus": 4_285_369, "classic": 11_466_522}
"""Rounds of :data:`SEED` whose deal meets a word that must be rejected; found by searching."""


class Words(Stream):
    """A stream of given words."""

    def __init__(self, *words: int) -> None:
        super().__init__(SEED, "deal", "bonus", 1)
        self._words = iter(words)

    @property
    def left(self) -> list[int]:
        return list(self._words)


@pytest.mark.parametrize("limit", [3, 13, 52, 65])
def test_a_word_that_would_favour_low_numbers_is_drawn_again(limit: int) -> None:
    first_rejected = 2**32 - 2**32 % limit
    stream = Words(first_rejected, 2**32 - 1, first_rejected - 1, 7)
    assert stream.bounded(limit) == limit - 1
    assert stream.left == [7]


@pytest.mark.parametrize("limit", [1, 2, 4, 64])
def test_no_word_is_rejected_where_all_numbers_are_equally_likely_anyway(limit: int) -> None:
    stream = Words(2**32 - 1, 0)
    assert stream.bounded(limit) == limit - 1
    assert stream.left == [0]


def test_a_shuffle_draws_the_first_word_to_be_rejected_again() -> None:
    """Of three cards the last stays in its place by a 2, the one before by a 1."""
    cards = parse_cards("2c 3c 4c")
    shuffled, stream = list(cards), Words(2**32 - 2**32 % 3, 2, 1)
    stream.shuffle(shuffled)
    assert (cards, []) == (tuple(shuffled), stream.left)


@pytest.mark.parametrize("ruleset", [BONUS, CLASSIC], ids=lambda ruleset: ruleset.key)
def test_a_deal_that_meets_a_rejected_word_goes_on_with_the_next(
    ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = record_words(monkeypatch)
    round_number = ROUND_REJECTED[ruleset.key]
    dealt = deal(ruleset, SEED, round_number=round_number, dealer=1)
    # One word for each draw, which are as many as cards (the shown one included), and one more.
    assert len(words) == len(ruleset.deck) + 1
    expected = oracle.deal(ruleset.key, SEED, (), round_number, 1)
    assert expected.hands == [[str(card) for card in hand] for hand in dealt.hands]


def record_words(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the words that are drawn."""
    drawn: list[int] = []
    blocks = shuffle_room._blocks

    def recording(key: bytes, prefix: bytes) -> Iterator[Iterator[int]]:
        for block in blocks(key, prefix):
            yield map(note, block)

    def note(word: int) -> int:
        drawn.append(word)
        return word

    monkeypatch.setattr(shuffle_room, "_blocks", recording)
    return drawn


@given(st.binary(max_size=200), st.binary(max_size=100))
def test_the_blocks_are_those_of_hmac(key: bytes, prefix: bytes) -> None:
    digests = [hmac.digest(key, prefix + str(block).encode(), "sha256") for block in range(12)]
    expected = [struct.unpack(">8I", digest) for digest in digests]
    assert expected == list(islice(shuffle_room._blocks(key, prefix), 12))


class Tally(NamedTuple):
    """How often each card fell where: by seat, and by who received in which order; 4 is cut."""

    ruleset: Ruleset
    deals: int
    by_seat: tuple[Counter[Card], ...]
    by_turn: tuple[Counter[Card], ...]


TALLIES = [
    *((ruleset, DEALS) for ruleset in (BONUS, CLASSIC)),
    *(
        pytest.param((ruleset, MORE_DEALS), marks=pytest.mark.census)
        for ruleset in (BONUS, CLASSIC)
    ),
]


@pytest.fixture(scope="module", params=TALLIES, ids=lambda dealt: f"{dealt[0].key}-{dealt[1]}")
def tally(request: pytest.FixtureRequest) -> Tally:
    """Deal many seeds."""
    ruleset, deals = request.param
    by_seat, by_turn = (tuple(Counter[Card]() for _ in range(5)) for _ in range(2))
    for number in range(deals):
        dealt = deal(ruleset, number.to_bytes(16, "big"))
        for seat, hand in enumerate(dealt.hands):
            by_seat[seat].update(hand)
            by_turn[(seat - dealt.first_receiver) % 4].update(hand)
        if dealt.cut_card is not None:
            by_seat[4][dealt.cut_card] += 1
            by_turn[4][dealt.cut_card] += 1
    return Tally(ruleset, deals, by_seat, by_turn)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["by_seat", "by_turn"])
def test_every_card_is_as_likely_in_every_place(tally: Tally, where: str) -> None:
    deck = tally.ruleset.deck
    hand_size = tally.ruleset.hand_size
    sizes = [hand_size] * 4 + [len(deck) - 4 * hand_size]
    statistic, mean = 0.0, 0.0
    for found, size in zip(getattr(tally, where), sizes, strict=True):
        for card, copies in Counter(deck).items() if size else ():
            expected = tally.deals * copies * size / len(deck)
            statistic += (found[card] - expected) ** 2 / expected
            mean += spread(len(deck), copies, size)
    # A chi-squared number is as wide as the root of twice its mean.
    assert abs(statistic - mean) < 4 * (2 * mean) ** 0.5, (statistic, mean)


def spread(deck: int, copies: int, size: int) -> float:
    """Give the variance over the mean of how many copies of a card fall into a place.

    Cards are dealt without putting back, so this is the hypergeometric distribution's.
    """
    return (1 - size / deck) * (deck - copies) / (deck - 1)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [BONUS, CLASSIC], ids=lambda ruleset: ruleset.key)
def test_every_seat_is_as_likely_to_deal_and_to_receive_first(ruleset: Ruleset) -> None:
    deals = [deal(ruleset, number.to_bytes(17, "big")) for number in range(10_000)]
    for name in ("dealer", "first_receiver"):
        found = Counter(getattr(dealt, name) for dealt in deals)
        statistic = sum((found[seat] - 2_500) ** 2 / 2_500 for seat in range(4))
        # 3 degrees of freedom: more than 21.1 happens once in 10,000 times.
        assert statistic < 21.1, (name, found)


def everything_that_fixes_a_deal() -> Iterator[Deal]:
    """Deal once, then again with each part changed by itself."""
    yield deal(CLASSIC, SEED, [b"a", b"b"], 3, dealer=1, cuts=[20, 5])
    yield deal(CLASSIC, SEED[:-1] + b"x", [b"a", b"b"], 3, dealer=1, cuts=[20, 5])
    yield deal(CLASSIC, SEED, [b"b", b"a"], 3, dealer=1, cuts=[20, 5])
    yield deal(CLASSIC, SEED, [b"ab"], 3, dealer=1, cuts=[20, 5])
    yield deal(CLASSIC, SEED, [], 3, dealer=1, cuts=[20, 5])
    yield deal(CLASSIC, SEED, [b"a", b"b"], 4, dealer=1, cuts=[20, 5])
    yield deal(CLASSIC, SEED, [b"a", b"b"], 3, dealer=2, cuts=[20, 5])
    yield deal(CLASSIC, SEED, [b"a", b"b"], 3, dealer=1, cuts=[20, 6])
    yield deal(CLASSIC, SEED, [b"a", b"b"], 3, dealer=1)


def test_each_part_that_fixes_a_deal_changes_it() -> None:
    hands = [dealt.hands for dealt in everything_that_fixes_a_deal()]
    assert len(hands) == len(set(hands))


def test_a_deal_depends_on_no_global_state(monkeypatch: pytest.MonkeyPatch) -> None:
    state = random.getstate()
    try:
        random.seed(1)
        expected = list(everything_that_fixes_a_deal())
        random.seed(2)
        before = random.getstate()
        assert expected == list(everything_that_fixes_a_deal())
        assert before == random.getstate()
    finally:
        random.setstate(state)
    for name in ("os.urandom", "random.random", "random.getrandbits", "time.time"):
        monkeypatch.setattr(name, refuse)
    assert expected == list(everything_that_fixes_a_deal())


def refuse(*_: object) -> None:
    raise AssertionError("expected a deal from its seed alone, got a call for chance or time")


def test_a_hand_lists_its_cards_in_the_order_received() -> None:
    dealt = deal(BONUS, SEED, dealer=2)
    received = list(chain.from_iterable(zip(*turned(dealt.hands, 2), strict=True)))
    stream = Stream(SEED, "deal", "bonus", 1)
    deck = list(BONUS.deck)
    stream.shuffle(deck)
    assert deck.pop(stream.bounded(65)) == dealt.cut_card
    assert deck == received


def turned(hands: Sequence[Sequence[Card]], first: int) -> list[Sequence[Card]]:
    return [hands[(first + step) % 4] for step in range(4)]
