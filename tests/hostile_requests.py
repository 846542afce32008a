"""The costliest requests of any size that anybody has thought of."""

from collections.abc import Callable
from typing import Any, Final

from shisanzhi.engine.deal import deal
from shisanzhi.engine.rulesets import BONUS
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.ruleset_pb2 import RULESET_BONUS
from tests import questions

FULL: Final = 65_000
"""Bytes: just within the shipped limit."""

CLASSIC: Final = b"\x08\x02"
STRAIGHT: Final = bytes([18, 35, 52, 69, 22])
ACE, NO_CARD, MINUS_ONE = b"\x4e", b"\x01", b"\xff" * 9 + b"\x01"
UNKNOWN_GROUP: Final = b"\xa3\x06", b"\xa4\x06"

Make = Callable[[int], bytes]
"""Size in bytes -> a request of about that size."""


def varint(number: int) -> bytes:
    low, high = number & 127, number >> 7
    return bytes([low | 128]) + varint(high) if high else bytes([low])


def field(number: int, payload: bytes = b"") -> bytes:
    """Encode one field of bytes, or of a message."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def full_of(unit: bytes, most: int = FULL) -> Make:
    """Repeat something until the request is full, or has so many of it."""
    return lambda size: CLASSIC + unit * min(most, (size - len(CLASSIC)) // len(unit))


def rows(cards: bytes) -> Make:
    return full_of(field(3, field(1, cards)), most=1000)


def within(number: int, make: Make, beside: bytes = b"") -> Make:
    """Put a request into a field of another."""
    return lambda size: beside + field(number, make(size - len(beside) - 8))


def four_times(number: int, make: Make, beside: bytes = b"") -> Make:
    return lambda size: CLASSIC + beside + field(number, make((size - len(beside)) // 4 - 8)) * 4


def list_of(number: int, item: bytes) -> Make:
    """Pack a list of numbers."""
    return lambda size: field(number, item * ((size - 8) // len(item)))


def groups(depth: int) -> bytes:
    """Nest groups that no message knows."""
    begin, end = UNKNOWN_GROUP
    return begin * depth + end * depth


def hard_hand(_size: int) -> bytes:
    dealt = deal(BONUS, bytes(16))
    cut_card: Any = dealt.cut_card
    hand: Any = dealt.hands[0]
    return service_pb2.ArrangeRequest(
        ruleset=RULESET_BONUS, cut_card=cut_card, hand=hand, max_suggestions=20
    ).SerializeToString()


def classic(make: Make) -> Make:
    return lambda size: CLASSIC + make(size - len(CLASSIC))


EMPTY_ARRANGEMENTS = field(3) * 4
BOOKS = questions.raw("AdvanceMatch")

REQUESTS: Final[dict[str, Make]] = {
    "Evaluate: rows": rows(STRAIGHT),
    "Evaluate: rows of three": rows(STRAIGHT[:3]),
    "Evaluate: rows of cards that are none": rows(NO_CARD * 5),
    "Evaluate: rows of numbers below zero": rows(MINUS_ONE * 5),
    "Evaluate: rows of the same card": rows(ACE * 4),
    "Evaluate: long rows": rows(ACE * 60),
    "Evaluate: empty rows": full_of(field(3), most=1000),
    "Evaluate: too many rows": full_of(field(3)),
    "Evaluate: an endless row": within(3, list_of(1, ACE), CLASSIC),
    "Validate: an endless row of a card": within(3, list_of(1, ACE), CLASSIC),
    "Validate: an endless row of what is none": within(3, list_of(3, NO_CARD), CLASSIC),
    "Validate: an endless hand": classic(list_of(4, NO_CARD)),
    "Validate: an endless hand, unpacked": full_of(b"\x20\x01"),
    "Score: empty arrangements": full_of(field(3)),
    "Score: endless rows": four_times(3, list_of(1, ACE)),
    "Score: empty hands": full_of(field(5)),
    "Score: endless hands": four_times(5, list_of(1, ACE), EMPTY_ARRANGEMENTS),
    "DealRound: empty player seeds": full_of(field(3)),
    "DealRound: cuts": classic(list_of(6, b"\x00")),
    "DealRound: an endless seed": lambda size: CLASSIC + field(2, bytes(size - 8)),
    "StartMatch: empty players": full_of(field(4)),
    "StartMatch: endless players": four_times(4, lambda size: "東".encode() * (size // 3)),
    "AdvanceMatch: empty players": within(1, full_of(field(2))),
    "AdvanceMatch: empty standings": within(1, full_of(field(9)), BOOKS),
    "AdvanceMatch: points": within(1, list_of(6, b"\x01"), BOOKS),
    "AdvanceMatch: units": within(1, list_of(5, b"\x01"), BOOKS),
    "AdvanceMatch: the match again and again": full_of(field(1)),
    "Arrange: an endless hand": classic(list_of(3, NO_CARD)),
    "GetRuleset: the ruleset again and again": full_of(CLASSIC),
    "GetTexts: unknown fields": full_of(b"\x78\x01"),
    "ListRulesets: unknown fields": full_of(b"\xa0\x06\x01"),
    "ListRulesets: unknown groups": full_of(groups(1)),
    "ListRulesets: nested groups": full_of(groups(90)),
    "ListRulesets: groups without an end": full_of(UNKNOWN_GROUP[0]),
}
"""By the method, and what they are full of."""

HEAVY: Final[dict[str, Make]] = {
    "Arrange: a hard hand": hard_hand,
}


BATCH_FULL: Final = 520_000
"""Bytes: just within the shipped limit of a batch."""


def thousand(make: Make) -> Make:
    """Repeat a request a thousand times, each as large as fits."""
    return lambda size: field(1, make(size // 1000 - 8)) * 1000


BATCHES: Final[dict[str, Make]] = {
    "BatchScore: empty requests": lambda size: field(1) * min(1000, size // 2),
    "BatchScore: too many requests": lambda size: field(1) * (size // 2),
    "BatchScore: arrangements of what is no card": thousand(
        lambda size: CLASSIC + field(3, field(1, NO_CARD * 3) + field(2, NO_CARD * (size // 5))) * 4
    ),
    "BatchScore: one endless request": lambda size: field(1, full_of(field(3), size)(size - 8)),
    "BatchArrange: hands of what is no card": thousand(list_of(3, NO_CARD)),
    "BatchArrange: hands of one card": thousand(lambda size: CLASSIC + list_of(3, ACE)(size)),
    "BatchArrange: hard hands": lambda size: field(1, hard_hand(size)) * 1000,
}
"""Worked on in pieces, however much there is of them."""


def method_of(name: str) -> str:
    return name.split(":", maxsplit=1)[0]


def make(name: str, size: int = 0) -> tuple[str, bytes]:
    """Give the method and a request of about that size; 0 is as large as may be."""
    size = size or (BATCH_FULL if name in BATCHES else FULL)
    return method_of(name), (REQUESTS | HEAVY | BATCHES)[name](size)
