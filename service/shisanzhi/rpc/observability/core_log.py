"""What grpc's core writes to stderr, as log lines of ours; and the failed TLS handshakes in it.

The core writes lines of its own kind among JSON, such as for each header that it cannot read. And
a handshake that fails never becomes a call: the core tells of it nowhere else. So file descriptor 2
is a socket that a thread reads, and our own lines go to what it was before.

The socket keeps what is written at a time together, which is how the core writes each of its lines:
so the text of a client that stands in one, a line break and all, cannot pass for a line of its own.

The core may write while it holds Python's lock, which that thread needs to read. So the end for
writing does not wait: what is more than the socket holds is lost.
"""

import fcntl
import os
import re
import select
import socket
import struct
import sys
import termios
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, Self

import structlog
from structlog.typing import FilteringBoundLogger

from shisanzhi.rpc.observability.output import Output

_STDERR: Final = 2
_KIND: Final = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
_MOST_BYTES: Final = 65536
"""Of what is written at a time; a line of the core has 15,000 at most."""
_FAREWELL: Final = 0.5
"""Seconds that the last lines get to be read."""
_LINE: Final = re.compile(r"([IWEF])\d{4} [\d:.]+ +\d+ ([\w.]+:\d+)\] (.*)", re.DOTALL)
_LEVELS: Final = {"I": "info", "W": "warning", "E": "error", "F": "critical"}
_OF_CLIENTS: Final = (
    *("call.cc", "chttp2_transport.cc", "frame_", "hpack_", "message_compress.cc", "parsing.cc"),
    *("secure_endpoint.cc", "security_handshaker.cc", "server_call.cc", "ssl_transport_security"),
)
"""Sources of the core that tell what a client did wrong, at whatever level: at info, that is."""
_MOST_LINES: Final = {True: 50, False: 500}
"""A second, of those that tell of clients, who can make thousands, and of all others."""
_MOST_LETTERS: Final = 1000
"""Of a text: a client can have the core say much."""
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
        self._stands_in = False
        self._second = 0
        self._said: Counter[bool] = Counter()

    def __enter__(self) -> Self:
        self._reading, writing = socket.socketpair(socket.AF_UNIX, _KIND)
        with writing:
            self._room = writing.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
            os.set_blocking(writing.fileno(), False)
            os.dup2(writing.fileno(), _STDERR)
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
        rest = ""
        with self._reading:
            for text in self._texts():
                with suppress(Exception):  # or nobody would read on
                    if core := _LINE.match(text):
                        self._tell(logger, *core.groups())
                    else:  # a dying interpreter's, say, and not always whole lines
                        *lines, rest = (rest + text).split("\n")
                        self._tell_others(logger, lines)

    def _texts(self) -> Iterator[str]:
        """Give what was written at a time, until nobody can write any more."""
        while data := self._data():
            yield data.decode(errors="replace")

    def _data(self) -> bytes:
        select.select((self._reading,), (), ())
        if self._stands_in and self._is_full():
            self._log.lose(1)  # how many found no room nobody knows
        return self._reading.recv(_MOST_BYTES)

    def _is_full(self) -> bool:
        """Tell whether the next line finds no room, where the system tells how much is taken."""
        with suppress(OSError):
            (taken,) = struct.unpack("i", fcntl.ioctl(_STDERR, termios.TIOCOUTQ, bytes(4)))
            return bool(taken >= self._room)
        return False

    def _tell(self, logger: FilteringBoundLogger, letter: str, place: str, text: str) -> None:
        text = text.removesuffix("\n")
        if letter != "F" and self._is_one_too_many(of_client=place.startswith(_OF_CLIENTS)):
            self._log.lose(1)
        else:
            tell = getattr(logger, _level(letter, place))
            tell("grpc core", place=place, text=text[:_MOST_LETTERS])
        if text.startswith(_HANDSHAKE):
            self._on_failed_handshake(_cause(text))

    def _tell_others(self, logger: FilteringBoundLogger, lines: list[str]) -> None:
        for line in lines:
            if self._is_one_too_many(of_client=False):
                self._log.lose(1)
            else:
                logger.warning("stderr", text=line[:_MOST_LETTERS])

    def _is_one_too_many(self, *, of_client: bool) -> bool:
        if self._second != (second := int(time.monotonic())):
            self._second = second
            self._said.clear()
        self._said[of_client] += 1
        return self._said[of_client] > _MOST_LINES[of_client]


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
