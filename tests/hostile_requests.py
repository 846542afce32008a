"""The costliest requests of legal size that anybody has thought of."""

from collections.abc import Callable
from typing import Any, Final

from shisanzhi.engine.deal import deal
from shisanzhi.engine.rulesets import BONUS
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.ruleset_pb2 import RULESET_BONUS
from tests import questions

SIZE: Final = 65_000
"""Bytes: just within the shipped limit."""

CLASSIC: Final = b"\x08\x02"
ACE, NO_CARD, MINUS_ONE = b"\x4e", b"\x01", b"\xff" * 9 + b"\x01"


def field(number: int, payload: bytes) -> bytes:
    """Encode one field of bytes, or of a message."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def varint(number: int) -> bytes:
    low, high = number & 127, number >> 7
    return bytes([low | 128]) + varint(high) if high else bytes([low])


def full_of(unit: bytes, before: bytes = CLASSIC) -> bytes:
    """Repeat something until the request is full."""
    return before + unit * ((SIZE - len(before)) // len(unit))


def rows(cards: bytes, count: int = 1000) -> bytes:
    return CLASSIC + field(3, field(1, cards)) * count


def groups(depth: int) -> bytes:
    """Nest groups that no message knows."""
    return b"\xa3\x06" * depth + b"\xa4\x06" * depth


def hard_hand() -> bytes:
    dealt = deal(BONUS, bytes(16))
    cut_card: Any = dealt.cut_card
    hand: Any = dealt.hands[0]
    return service_pb2.ArrangeRequest(
        ruleset=RULESET_BONUS, cut_card=cut_card, hand=hand, max_suggestions=20
    ).SerializeToString()


STRAIGHT = bytes([18, 35, 52, 69, 22])
BOOKS = questions.raw("AdvanceMatch")

_MADE: dict[str, Callable[[], bytes]] = {
    "Arrange": hard_hand,
    "Evaluate: 1000 rows": lambda: rows(STRAIGHT),
    "Evaluate: 1000 rows at fault": lambda: rows(NO_CARD * 5),
    "Evaluate: 1000 long rows": lambda: rows(ACE * 60),
    "Score: empty arrangements": lambda: full_of(field(3, b"")),
}
REQUESTS = {name: (name.split(":")[0], make()) for name, make in _MADE.items()}
"""By what they are: the method and the request."""
