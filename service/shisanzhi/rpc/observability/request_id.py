"""Which call a log line, a response and a trace speak of."""

import itertools
import re
import secrets
from collections.abc import Sequence
from typing import Final

REQUEST_ID: Final = "x-request-id"
TRACE_PARENT: Final = "traceparent"

_SANE: Final = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}", re.ASCII).fullmatch
_TRACE_PARENT: Final = re.compile(
    r"[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}", re.ASCII
).fullmatch

# A random start and a count: as unique as a random number for each call, and much cheaper.
_PROCESS: Final = secrets.token_hex(6)
_COUNT: Final = itertools.count(1)


Metadata = Sequence[tuple[str, str | bytes]]


def request_id(metadata: Metadata) -> str:
    """Give the client's id if it is sane, that is short and printable, else a new one.

    >>> request_id([("x-request-id", "order-17")])
    'order-17'
    >>> request_id([("x-request-id", "two words")]) == "two words"
    False
    """
    given = _find(metadata, REQUEST_ID)
    if isinstance(given, str) and _SANE(given):
        return given
    return f"{_PROCESS}-{next(_COUNT):x}"


def trace_parent(metadata: Metadata) -> str | None:
    """Give the client's W3C trace context if it is one.

    >>> trace_parent([("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")])
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    >>> trace_parent([("traceparent", "00-00-00-00")]) is None
    True
    """
    given = _find(metadata, TRACE_PARENT)
    return given if isinstance(given, str) and _TRACE_PARENT(given) else None


def _find(metadata: Metadata, key: str) -> str | bytes | None:
    for name, value in metadata:
        if name == key:
            return value
    return None
