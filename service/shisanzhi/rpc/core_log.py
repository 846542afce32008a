"""What grpc's core writes to stderr, as log lines of ours; and the failed TLS handshakes in it.

The core writes lines of its own kind among JSON, such as for each header that it cannot read. And
a handshake that fails never becomes a call: the core tells of it nowhere else. So file descriptor 2
is a pipe that a thread reads, and our own lines go to what it was before.
"""

import os
import re
import threading
from collections.abc import Callable
from typing import Final, Self

import structlog
from structlog.typing import FilteringBoundLogger

from shisanzhi.rpc.logs import Stream

_STDERR: Final = 2
_LINE: Final = re.compile(r"([IWEF])\d{4} [\d:.]+ +\d+ ([\w.]+:\d+)\] (.*)")
_LEVELS: Final = {"I": "info", "W": "warning", "E": "error", "F": "critical"}
_OF_CLIENTS: Final = (
    *("call.cc", "chttp2_transport.cc", "frame_", "hpack_", "message_compress.cc", "parsing.cc"),
    *("secure_endpoint.cc", "security_handshaker.cc", "server_call.cc", "ssl_transport_security"),
)
"""Sources of the core that tell what a client did wrong, at whatever level: at info, that is."""
_HANDSHAKE: Final = "Handshake failed"
_CAUSES: Final = {
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "no_certificate",
    "CERTIFICATE_VERIFY_FAILED": "bad_certificate",
}
CAUSES: Final = (*_CAUSES.values(), "other")
"""Why a handshake failed, as it is counted."""


class CoreLog:
    """Stands in for stderr for the length of a block; ``stream`` is what it was before."""

    def __init__(self, on_failed_handshake: Callable[[str], None]) -> None:
        """Take whom to tell the cause of each failed handshake; it is told in another thread."""
        self.stream = Stream(os.fdopen(os.dup(_STDERR), "w", buffering=1))
        self._on_failed_handshake = on_failed_handshake
        self._thread = threading.Thread(target=self._read, name="core log", daemon=True)
        self._read_end = 0

    def __enter__(self) -> Self:
        """Begin to stand in."""
        self._read_end, write_end = os.pipe()
        os.dup2(write_end, _STDERR)
        os.close(write_end)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Give stderr back, once all is read."""
        os.dup2(self.stream.fileno(), _STDERR)
        self._thread.join()

    def _read(self) -> None:
        logger: FilteringBoundLogger = structlog.get_logger()
        with os.fdopen(self._read_end, errors="replace") as lines:
            for line in lines:
                parsed = _LINE.match(line)
                if parsed is None:  # not the core's: a dying interpreter's, say
                    self.stream.write(line)
                    continue
                level, place, text = parsed.groups()
                getattr(logger, _level(level, place))("grpc core", place=place, text=text)
                if text.startswith(_HANDSHAKE):
                    self._on_failed_handshake(_cause(text))


def _level(letter: str, place: str) -> str:
    """Give the level for a line of the core.

    >>> _level("E", "hpack_parser.cc:1048"), _level("E", "posix_engine_listener.cc:90")
    ('info', 'error')
    """
    of_client = place.startswith(_OF_CLIENTS) and letter != "F"
    return "info" if of_client else _LEVELS[letter]


def _cause(text: str) -> str:
    """Give the cause of a failed handshake.

    >>> _cause("Handshake failed with error SSL_ERROR_SSL: WRONG_VERSION_NUMBER")
    'other'
    """
    return next((cause for sign, cause in _CAUSES.items() if sign in text), "other")
