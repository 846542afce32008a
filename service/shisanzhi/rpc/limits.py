"""How much work the process takes on at once."""

import asyncio
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from shisanzhi.rpc.processors import processors
from shisanzhi.rpc.refusals import ExpiredError, OverloadedError, QueueFullError

_SWITCH_INTERVAL: Final = sys.getswitchinterval()
_BUSY_SWITCH_INTERVAL: Final = 0.0002
"""Seconds for which a worker may keep the interpreter while the event loop waits for it.

At 5 ms, as Python has it, health and refusals took five times as long under heavy calls. It is
so short only while there is heavy work: grpc has threads too, and a light call cost a fifth more.
"""


class Hands:
    """Counts the calls in hand and refuses one too many.

    A call is in hand from its request until its answer is made.
    """

    __slots__ = ("count", "most")

    def __init__(self, most: float) -> None:
        """Take the greatest number of calls at once."""
        self.most = most
        self.count = 0

    def take(self) -> None:
        """Take one call, which is then to be put down; raises :class:`OverloadedError`."""
        if self.count >= self.most:
            raise OverloadedError
        self.count += 1

    def put_down(self) -> None:
        """Put one call down."""
        self.count -= 1


class Gate:
    """Holds answers back, for the moment in which the server stops.

    grpc cuts off calls that it has received but not handed over yet, and under load there are
    always some. While answers are held back, clients wait and the last of those calls come in.
    """

    __slots__ = ("_arrivals", "_opened", "shut")

    def __init__(self) -> None:
        """Start open."""
        self.shut = False
        self._opened = asyncio.Event()
        self._arrivals = 0

    async def wait(self) -> None:
        """Wait until the gate opens."""
        self._arrivals += 1
        await self._opened.wait()

    async def close(self, quiet: float, most: float) -> None:
        """Hold answers back, until none has come up for ``quiet`` seconds or ``most`` are over."""
        self.shut = True
        end = time.monotonic() + most
        seen = -1
        while seen != self._arrivals and time.monotonic() < end:
            seen = self._arrivals
            await asyncio.sleep(quiet)

    def open(self) -> None:
        """Let all answers go, for good."""
        self.shut = False
        self._opened.set()


class Workers:
    """Threads for methods that would keep the event loop, with a queue that has an end."""

    def __init__(self, threads: int, max_queued: int) -> None:
        """Take the number of threads, 0 for one per CPU, and how many calls may wait for one."""
        threads = threads or processors()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="worker")
        self._most = threads + max_queued
        self._count = 0

    async def run(self, work: Callable[[bytes], bytes], raw: bytes, expiry: float | None) -> bytes:
        """Do the work in a thread, unless the monotonic time ``expiry`` comes first.

        Raises :class:`QueueFullError`, :class:`ExpiredError`. A call that is cancelled while it
        waits is never begun.
        """
        if self._count >= self._most:
            raise QueueFullError
        self._count += 1
        if self._count == 1:
            sys.setswitchinterval(_BUSY_SWITCH_INTERVAL)
        future = self._pool.submit(_unless_expired, work, raw, expiry)
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: self._put_down_soon(loop))
        return await asyncio.wrap_future(future)

    def _put_down_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the loop is closed where the server stopped at once
            loop.call_soon_threadsafe(self._put_down)

    def _put_down(self) -> None:
        self._count -= 1
        if self._count == 0:
            sys.setswitchinterval(_SWITCH_INTERVAL)

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _unless_expired(work: Callable[[bytes], bytes], raw: bytes, expiry: float | None) -> bytes:
    if expiry is not None and time.monotonic() >= expiry:
        raise ExpiredError
    return work(raw)
