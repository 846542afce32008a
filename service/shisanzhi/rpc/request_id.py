"""Which call a log line, a response and a trace speak of."""

import itertools
import re
import secrets
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


def request_id(given: str | bytes | None) -> str:
    """Give the client's id if it is sane, that is short and printable, else a new one.

    >>> request_id("order-17"), request_id("two words") == "two words"
    ('order-17', False)
    """
    if isinstance(given, str) and _SANE(given):
        return given
    return f"{_PROCESS}-{next(_COUNT):x}"


def trace_parent(given: str | bytes | None) -> str | None:
    """Give the W3C trace context if it is one.

    >>> trace_parent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    >>> trace_parent("00-00-00-00") is None
    True
    """
    return given if isinstance(given, str) and _TRACE_PARENT(given) else None
