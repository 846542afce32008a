"""Cards as text, and back. What only a newer service knows is written as its number."""

from collections.abc import Iterable

from shisanzhi.engine import cards as engine
from shisanzhi.v1 import card_pb2

_RANKS = {int(rank): rank for rank in engine.Rank}


def parse_card(text: str) -> card_pb2.Card.ValueType:
    """Read one card, such as ``As``, ``10d`` or ``♠A``; raises ValueError for what is none.

    >>> parse_card("As") == parse_card("♠a") == card_pb2.CARD_SPADES_ACE
    True
    """
    return card_pb2.Card.ValueType(int(engine.Card.parse(text)))


def parse_cards(text: str) -> list[card_pb2.Card.ValueType]:
    """Read cards separated by white space, in the order written.

    >>> parse_cards("As Td")
    [78, 42]
    """
    return [parse_card(word) for word in text.split()]


def card_text(card: int) -> str:
    """Write a card so that :func:`parse_card` reads it back.

    >>> card_text(card_pb2.CARD_SPADES_ACE), card_text(99)
    ('As', '99')
    """
    known = engine.CARDS.get(card)
    return str(known or card)


def cards_text(cards: Iterable[int]) -> str:
    """Write cards so that :func:`parse_cards` reads them back.

    >>> cards_text([78, 42])
    'As Td'
    """
    return " ".join(map(card_text, cards))


def card_symbol(card: int) -> str:
    """Write a card for a person.

    >>> card_symbol(card_pb2.CARD_DIAMONDS_TEN), card_symbol(99)
    ('10♦', '99')
    """
    known = engine.CARDS.get(card)
    return rank_text(known.rank) + known.suit.symbol if known else str(card)


def rank_text(rank: int) -> str:
    """Write a rank for a person.

    >>> rank_text(14), rank_text(10), rank_text(99)
    ('A', '10', '99')
    """
    known = _RANKS.get(rank)
    return known.letter.replace("T", "10") if known else str(rank)
