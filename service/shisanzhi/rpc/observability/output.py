"""Output that nobody waits for: a thread writes it, and what it cannot write is lost and counted.

Whoever writes to a pipe or a terminal whose reader does not read waits for that reader. Such a
descriptor cannot be told not to wait without telling every process that shares it.
"""

import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, Self

_MOST_WAITING: Final = 1 << 20
"""Bytes that wait for a slow reader before lines are lost."""
_PAUSE: Final = 0.01
"""Seconds between writes, since to wake a thread for each line costs more than the line."""
_FAREWELL: Final = 1.0
"""Seconds that the last lines get to be written."""


def _nobody(*_counts: int) -> None:
    """Tell nobody."""


class Output:
    """A descriptor, written to by a thread of its own. No method waits for a reader, or raises."""

    def __init__(
        self,
        descriptor: int,
        on_lost: Callable[[int], None] = _nobody,
        on_room: Callable[[int, int], None] = _nobody,
    ) -> None:
        """Take whom to tell of lost lines: how many, at once; and once others can be written again.

        The latter is told how many since it was last told, and how many in all.
        """
        self._descriptor = os.dup(descriptor)
        self._on_lost = on_lost
        self._on_room = on_room
        self._changed = threading.Condition()
        self._waiting: list[bytes] = []
        self._size = 0
        self._closing = False
        self._torn = b""
        self._untold = self._lost = 0
        self._thread = threading.Thread(target=self._run, name="output", daemon=True)

    def __enter__(self) -> Self:
        """Begin to write."""
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Write what is left, unless that takes longer than a second."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(_FAREWELL)

    def write(self, lines: str) -> None:
        """Hand over whole lines; what is no text in UTF-8 is replaced."""
        data = lines.encode(errors="replace")
        with self._changed:
            if self._size >= _MOST_WAITING:
                self.lose(data.count(b"\n"))
            elif data:
                self._waiting.append(data)
                self._size += len(data)
                self._changed.notify()

    def lose(self, count: int) -> None:
        """Count lines as lost."""
        with self._changed:
            self._untold += count
            self._lost += count
        self._on_lost(count)

    def flush(self) -> None:
        """Do nothing: what was handed over is written as soon as can be."""

    def fileno(self) -> int:
        """Give the file descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Tell whether it is a terminal."""
        return os.isatty(self._descriptor)

    def _run(self) -> None:
        while data := self._taken():
            written = [self._write(piece) for piece in _pieces(data)]
            if written[-1]:
                self._tell()
            time.sleep(_PAUSE)

    def _taken(self) -> bytes:
        """Wait for lines, and take them; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            data = b"".join(self._waiting)
            self._waiting.clear()
            self._size = 0
        return data

    def _write(self, lines: bytes) -> bool:
        """Write lines, after what is left of one that was begun; tell whether they were written."""
        data, torn = self._torn + lines, bool(self._torn)
        while data:
            try:
                written = os.write(self._descriptor, data)
            except BlockingIOError:  # another process that shares it made it so
                _wait(self._descriptor)
            except OSError:
                begun, end, whole = data.partition(b"\n") if torn else (b"", b"", data)
                self._torn = begun + end
                self.lose(whole.count(b"\n"))
                return False
            else:
                torn = not data.endswith(b"\n", 0, written)
                data = data[written:]
        self._torn = b""
        return True

    def _tell(self) -> None:
        with self._changed:
            if not self._untold or self._size >= _MOST_WAITING:
                return
            untold, self._untold = self._untold, 0
        with suppress(Exception):
            self._on_room(untold, self._lost)


def _pieces(data: bytes) -> Iterator[bytes]:
    r"""Cut between lines, so that a pipe takes each piece whole or not at all if lines are short.

    >>> [len(piece) for piece in _pieces(3 * (1999 * b"x" + b"\n") + 4999 * b"x" + b"\n")]
    [4000, 2000, 5000]
    """
    start = 0
    while start < len(data):
        end = data.rfind(b"\n", start, start + select.PIPE_BUF) + 1
        end = end or data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end


def _wait(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    poll.poll()


def claim_standard_descriptors() -> None:
    """Open what is closed of stdin, stdout and stderr, so that no socket takes its number.

    What is written to it is lost, as it would be.
    """
    while (opened := os.open(os.devnull, os.O_RDONLY)) <= 2:
        pass
    os.close(opened)
