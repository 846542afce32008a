"""What grpc's core writes to stderr, as log lines of ours; and the failed TLS handshakes in it.

The core writes lines of its own kind among JSON, such as for each header that it cannot read. And
a handshake that fails never becomes a call: the core tells of it nowhere else. So file descriptor 2
is a pipe that a thread reads, and our own lines go to what it was before.

The core may write while it holds Python's lock, which that thread needs to read. So the pipe's end
for writing does not wait: what is more than the pipe holds is lost.
"""

import os
import re
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, Self

import structlog
from structlog.typing import FilteringBoundLogger

from shisanzhi.rpc.observability.output import Output

_STDERR: Final = 2
_PIPE_BYTES: Final = 65536
_FAREWELL: Final = 0.5
"""Seconds that the last lines get to be read."""
_LINE: Final = re.compile(r"([IWEF])\d{4} [\d:.]+ +\d+ ([\w.]+:\d+)\] (.*)")
_LEVELS: Final = {"I": "info", "W": "warning", "E": "error", "F": "critical"}
_OF_CLIENTS: Final = (
    *("call.cc", "chttp2_transport.cc", "frame_", "hpack_", "message_compress.cc", "parsing.cc"),
    *("secure_endpoint.cc", "security_handshaker.cc", "server_call.cc", "ssl_transport_security"),
)
"""Sources of the core that tell what a client did wrong, at whatever level: at info, that is."""
_MOST_OF_CLIENTS: Final = 50
"""Lines of those a second: a client can make thousands, which would crowd out all others."""
_HANDSHAKE: Final = "Handshake failed"
_CAUSES: Final = {
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "no_certificate",
    "CERTIFICATE_VERIFY_FAILED": "bad_certificate",
}
CAUSES: Final = (*_CAUSES.values(), "other")
"""Why a handshake failed, as it is counted."""


class CoreLog:
    """Stands in for stderr for the length of a block."""

    def __init__(self, log: Output, on_failed_handshake: Callable[[str], None]) -> None:
        """Take where stderr's lines go, and whom to tell the cause of each failed handshake.

        It is told in another thread.
        """
        self._log = log
        self._on_failed_handshake = on_failed_handshake
        self._thread = threading.Thread(target=self._read, name="core log", daemon=True)
        self._read_end = -1
        self._stands_in = False
        self._second = self._of_clients = 0

    def __enter__(self) -> Self:
        self._read_end, write_end = os.pipe()
        os.set_blocking(write_end, False)
        os.dup2(write_end, _STDERR)
        os.close(write_end)
        self._stands_in = True
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        """Give stderr back to whoever tells of the error; without one nobody has anything to say.

        Nobody but the core, whose threads live on, and would wait for a reader.
        """
        self._stands_in = False
        stderr = self._log.fileno() if kind else os.open(os.devnull, os.O_WRONLY)
        os.dup2(stderr, _STDERR)
        self._thread.join(_FAREWELL)

    def _read(self) -> None:
        logger: FilteringBoundLogger = structlog.get_logger()
        for line in self._lines():
            with suppress(Exception):  # or nobody would read on
                self._tell(logger, line)
        os.close(self._read_end)

    def _lines(self) -> Iterator[str]:
        rest = b""
        while data := self._data():
            *lines, rest = (rest + data).split(b"\n")
            yield from (line.decode(errors="replace") for line in lines)

    def _data(self) -> bytes:
        select.select((self._read_end,), (), ())
        if self._stands_in and not select.select((), (_STDERR,), (), 0)[1]:
            self._log.lose(1)  # the pipe is full; how many found no room nobody knows
        return os.read(self._read_end, _PIPE_BYTES)

    def _tell(self, logger: FilteringBoundLogger, line: str) -> None:
        parsed = _LINE.match(line)
        if parsed is None:  # not the core's: a dying interpreter's, say
            logger.warning("stderr", text=line)
            return
        letter, place, text = parsed.groups()
        if place.startswith(_OF_CLIENTS) and self._is_one_too_many():
            self._log.lose(1)
        else:
            getattr(logger, _level(letter, place))("grpc core", place=place, text=text)
        if text.startswith(_HANDSHAKE):
            self._on_failed_handshake(_cause(text))

    def _is_one_too_many(self) -> bool:
        if self._second != (second := int(time.monotonic())):
            self._second, self._of_clients = second, 0
        self._of_clients += 1
        return self._of_clients > _MOST_OF_CLIENTS


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
