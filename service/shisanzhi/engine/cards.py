"""Ranks, suits and cards, the two decks, and how cards are written: ``As``, ``Td``, ``9c``."""

import enum
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping
from typing import Final, Self

from shisanzhi.engine.errors import CardSyntaxError


class Rank(enum.IntEnum):
    """A card's rank: the ace is high, the two is low."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """The rank as one letter.

        >>> [Rank.TWO.letter, Rank.TEN.letter, Rank.ACE.letter]
        ['2', 'T', 'A']
        """
        return _RANK_SIGNS[self][0]

    @property
    def count(self) -> int:
        """The number that a turned-up card counts off: ace 1, jack 11, queen 12, king 13.

        >>> [Rank.ACE.count, Rank.SEVEN.count, Rank.KING.count]
        [1, 7, 13]
        """
        return 1 if self is Rank.ACE else int(self)


class Suit(enum.IntEnum):
    """A card's suit, in the order of the canonical deck. Suits never break ties."""

    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4

    @property
    def letter(self) -> str:
        """The suit as one letter.

        >>> "".join(suit.letter for suit in Suit)
        'cdhs'
        """
        return _SUIT_SIGNS[self][0]

    @property
    def symbol(self) -> str:
        """The suit as it is drawn.

        >>> "".join(suit.symbol for suit in Suit)
        '♣♦♥♠'
        """
        return _SUIT_SIGNS[self][1]


_RANK_SIGNS: Final = {
    rank: (letter,) for rank, letter in zip(Rank, "23456789TJQKA", strict=True)
} | {Rank.TEN: ("T", "10")}
"""How a rank is written, and what else is read."""
_SUIT_SIGNS: Final = {
    Suit.CLUBS: ("c", "♣", "♧", "梅花", "草花"),
    Suit.DIAMONDS: ("d", "♦", "♢", "方塊", "方块", "方片"),
    Suit.HEARTS: ("h", "♥", "♡", "紅心", "红心", "紅桃", "红桃"),
    Suit.SPADES: ("s", "♠", "♤", "黑桃"),
}
"""How a suit is written and drawn, and what else is read."""
_SUIT_NUMBER: Final = 16
_RANKS: Final = {int(rank): rank for rank in Rank}
_SUITS: Final = {int(suit): suit for suit in Suit}


class Card(int):
    """A card is its number on the wire: 16 · suit + rank. The two copies of a spade are equal.

    >>> Card.of(Rank.ACE, Suit.SPADES), int(Card.of(Rank.ACE, Suit.SPADES))
    (Card.parse('As'), 78)
    """

    __slots__ = ()

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Self:
        return cls(_SUIT_NUMBER * suit + rank)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read one card: ``As``, ``10d`` or ``Td``, ``a♠`` or ``♠A``, ``黑桃A``.

        Full-width letters and symbols drawn as pictures are read as what they stand for.

        >>> Card.parse("10d"), Card.parse("♠a"), Card.parse("黑桃Ａ")
        (Card.parse('Td'), Card.parse('As'), Card.parse('As'))
        >>> Card.parse("1s")
        Traceback (most recent call last):
        ...
        shisanzhi.engine.errors.CardSyntaxError: expected a card such as As, Td, 10d or ♠A, got '1s'
        """
        card = _CARD_BY_TEXT.get(_plain(text))
        if card is None:
            raise CardSyntaxError(text)
        return card

    @property
    def rank(self) -> Rank:
        return _RANKS[self % _SUIT_NUMBER]

    @property
    def suit(self) -> Suit:
        return _SUITS[self // _SUIT_NUMBER]

    def __str__(self) -> str:
        """Two letters that :meth:`parse` reads back."""
        return self.rank.letter + self.suit.letter

    def __repr__(self) -> str:
        """An expression that gives the card back."""
        return f"Card.parse('{self}')"


STANDARD_DECK: Final = tuple(Card.of(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards in canonical order: clubs, diamonds, hearts, spades, each 2 to A."""

DOUBLE_SPADES_DECK: Final = STANDARD_DECK + STANDARD_DECK[-len(Rank) :]
"""The 65 cards of BONUS (加一色): the standard deck, then a second run of spades 2 to A."""

CARDS: Final = {int(card): card for card in STANDARD_DECK}
"""Every card that exists, by its number."""
_NUMBERS: Final = frozenset(CARDS)


_VARIATION_SELECTORS: Final = dict.fromkeys((0xFE0E, 0xFE0F))
"""What asks for a symbol as text or as a picture."""


def _plain(text: str) -> str:
    """Give the one notation for all those that mean the same."""
    return unicodedata.normalize("NFKC", text).translate(_VARIATION_SELECTORS).upper()


_CARD_BY_TEXT: Final = {
    _plain(text): card
    for card in STANDARD_DECK
    for rank in _RANK_SIGNS[card.rank]
    for suit in _SUIT_SIGNS[card.suit]
    for text in (rank + suit, suit + rank)
}


def are_cards(numbers: Iterable[int]) -> bool:
    """Tell whether some numbers are all cards.

    >>> are_cards([78, 18]), are_cards([78, 0])
    (True, False)
    """
    return _NUMBERS.issuperset(numbers)


def ranks_of(cards: Iterable[int]) -> set[int]:
    """Give the ranks that some cards have, by number.

    >>> ranks_of(parse_cards("As Ad Kc"))
    {13, 14}
    """
    return {card % _SUIT_NUMBER for card in cards}


def suits_of(cards: Iterable[int]) -> set[int]:
    """Give the suits that some cards have, by number.

    >>> suits_of(parse_cards("As Ad Kd"))
    {2, 4}
    """
    return {card // _SUIT_NUMBER for card in cards}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space, in the order written.

    >>> parse_cards("As Td")
    (Card.parse('As'), Card.parse('Td'))
    """
    return tuple(Card.parse(word) for word in text.split())


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards so that :func:`parse_cards` reads them back.

    >>> format_cards(parse_cards("♠A 10d 9c"))
    'As Td 9c'
    """
    return " ".join(map(str, cards))


Stock = MutableMapping[int, int]
"""Copies of each card that are left to take."""


def count_cards(cards: Iterable[int]) -> Stock:
    return Counter(cards)


def take(stock: Stock, cards: Iterable[int]) -> bool:
    """Take cards out of a stock, as far as it has them; tell whether it had them all.

    >>> stock = count_cards(parse_cards("As As Kd"))
    >>> take(stock, parse_cards("As Kd")), take(stock, parse_cards("As As"))
    (True, False)
    """
    for card in cards:
        left = stock.get(card)
        if not left:
            return False
        stock[card] = left - 1
    return True


_PACKED_BITS: Final = 8
_UNITS: Final = {number: 1 << _PACKED_BITS * place for place, number in enumerate(CARDS)}
_GUARDS: Final = sum(_UNITS.values()) << _PACKED_BITS - 1
MAX_PACKED: Final = (1 << _PACKED_BITS - 1) - 1
"""Cards that may be packed into one number."""


def pack(cards: Iterable[int]) -> int:
    """Count the copies of each card, all in one number: packed cards are added as numbers are.

    Raises KeyError for what is no card.

    >>> pack(parse_cards("As Kd")) + pack(parse_cards("As")) == pack(parse_cards("As As Kd"))
    True
    """
    return sum(map(_UNITS.__getitem__, cards))


def covers(stock: int, cards: int) -> bool:
    """Tell whether packed cards can be taken out of a packed stock.

    Each count has a bit to borrow from, which is still there if it was enough.

    >>> stock = pack(parse_cards("As As Kd"))
    >>> covers(stock, pack(parse_cards("As Kd"))), covers(stock, pack(parse_cards("Kd Kd")))
    (True, False)
    """
    return (stock + _GUARDS - cards) & _GUARDS == _GUARDS


def not_left(stock: Stock, cards: Iterable[int]) -> Iterator[tuple[int, Card]]:
    """Take cards out of a stock; give those that it had none left of, with their places, from 0.

    What is no card is passed over.

    >>> stock = count_cards(parse_cards("As As Kd"))
    >>> [(place, str(card)) for place, card in not_left(stock, parse_cards("As Kd Kd As"))]
    [(2, 'Kd')]
    """
    for place, card in enumerate(cards):
        if left := stock.get(card):
            stock[card] = left - 1
        elif card in CARDS:
            yield place, CARDS[card]
