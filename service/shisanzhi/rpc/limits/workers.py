"""Threads for what would keep the event loop."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from shisanzhi.rpc.limits.processors import processors
from shisanzhi.rpc.limits.refusals import ExpiredError
from shisanzhi.rpc.limits.turns import Turns

_SWITCH_INTERVAL: Final = sys.getswitchinterval()
_BUSY_SWITCH_INTERVAL: Final = 0.00005
"""Seconds for which a worker may keep the interpreter while the event loop waits for it.

At 5 ms, as Python has it, health and refusals took five times as long under heavy calls, and at
0.2 ms half as long again. It is so short only while there is heavy work: grpc has threads too, and
a light call cost a fifth more.
"""

_Done = TypeVar("_Done")


class Workers:
    """Threads for calls that would keep the event loop, with queues that have an end.

    Compiled work lets go of the interpreter, and has a thread per processor. Of work in Python only
    one runs at a time: two were no faster, and light calls beside them waited twice as long.
    """

    def __init__(self, threads: int, max_queued: int) -> None:
        """Take the threads for compiled work, 0 for one per CPU, and how many may wait for each."""
        threads = threads or processors()
        self._pool = ThreadPoolExecutor(threads + 1, thread_name_prefix="worker")
        self._compiled = Turns(threads, max_queued)
        self._python = Turns(1, max_queued)
        self._busy = 0

    async def run(
        self,
        work: Callable[[bytes], bytes],
        raw: bytes,
        expiry: float | None,
        peer: str,
        *,
        compiled: bool,
    ) -> bytes:
        """Do the work of a connection in a thread, unless ``expiry`` comes first.

        That is a monotonic time. Raises :class:`QueueFullError`, :class:`ExpiredError`. A call that
        is cancelled while it waits is never begun.
        """
        turns = self._compiled if compiled else self._python
        await turns.take(peer)
        return await self._run(turns, peer, partial(work, raw), expiry)

    async def run_in_pieces(
        self, pieces: Iterator[bytes | None], expiry: float | None, peer: str, *, compiled: bool
    ) -> bytes:
        """Do the same piece by piece: each gives None, save the last, and waits for a turn."""
        turns = self._compiled if compiled else self._python
        await turns.take(peer)
        work: Callable[[], bytes | None] = pieces.__next__
        while (response := await self._run(turns, peer, work, expiry)) is None:
            await turns.take(peer, again=True)
        return response

    async def _run(
        self, turns: Turns, peer: str, work: Callable[[], _Done], expiry: float | None
    ) -> _Done:
        """Do some work in a thread, at a place that was taken; it is given back when it is done."""
        self._busy += 1
        if self._busy == 1:
            sys.setswitchinterval(_BUSY_SWITCH_INTERVAL)
        future = self._pool.submit(_unless_expired, work, expiry)
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: self._give_back_soon(loop, turns, peer))
        return await asyncio.wrap_future(future)

    def _give_back_soon(self, loop: asyncio.AbstractEventLoop, turns: Turns, peer: str) -> None:
        with suppress(RuntimeError):  # the loop is closed where the server stopped at once
            loop.call_soon_threadsafe(self._give_back, turns, peer)

    def _give_back(self, turns: Turns, peer: str) -> None:
        self._busy -= 1
        if self._busy == 0:
            sys.setswitchinterval(_SWITCH_INTERVAL)
        turns.give_back(peer)

    def close(self) -> None:
        """Begin nothing more."""
        self._compiled.close()
        self._python.close()
        self._pool.shutdown(wait=False, cancel_futures=True)


def _unless_expired(work: Callable[[], _Done], expiry: float | None) -> _Done:
    if expiry is not None and time.monotonic() >= expiry:
        raise ExpiredError
    return work()
