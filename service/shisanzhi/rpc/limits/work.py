"""How much work the process takes on at once."""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from shisanzhi.rpc.limits.processors import processors
from shisanzhi.rpc.limits.refusals import ExpiredError, OverloadedError, QueueFullError

_SWITCH_INTERVAL: Final = sys.getswitchinterval()
_BUSY_SWITCH_INTERVAL: Final = 0.00005
"""Seconds for which a worker may keep the interpreter while the event loop waits for it.

At 5 ms, as Python has it, health and refusals took five times as long under heavy calls, and at
0.2 ms half as long again. It is so short only while there is heavy work: grpc has threads too, and
a light call cost a fifth more.
"""

_LONGEST_STRETCH: Final = 0.004

_CONNECTIONS_TO_FILL_A_QUEUE: Final = 4
"""One connection alone may fill a quarter of a queue."""

_Done = TypeVar("_Done")


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


class Stretch:
    """Keeps the event loop from answering at a stretch for longer than others can wait.

    However many calls come together, after some milliseconds of them it looks at its sockets again:
    at those of probes too.
    """

    __slots__ = ("_began",)

    def __init__(self) -> None:
        """Begin with a rest."""
        self._began: float | None = None

    async def wait(self) -> None:
        """Wait for the loop's next turn if this one has lasted long enough, then again."""
        while self._is_over():  # noqa: ASYNC110 - the loop's next turn is what is waited for
            await asyncio.sleep(0)

    def _is_over(self) -> bool:
        now = time.monotonic()
        if self._began is None:
            self._began = now
            asyncio.get_running_loop().call_soon(self._rest)
        return now - self._began > _LONGEST_STRETCH

    def _rest(self) -> None:
        self._began = None


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
        """Wait until the gate opens, if it is shut."""
        if self.shut:
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


class Turns:
    """Places to work at; the connections that wait for one take turns.

    Used by the event loop alone, so nothing is locked.
    """

    __slots__ = ("_begun", "_free", "_most", "_most_each", "_waiting")

    def __init__(self, places: int, max_waiting: int) -> None:
        """Take how many may work at once, and how many may wait."""
        self._free = places
        self._most = max_waiting
        self._most_each = max(1, max_waiting // _CONNECTIONS_TO_FILL_A_QUEUE)
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._begun: set[asyncio.Future[None]] = set()

    async def take(self, peer: str, *, again: bool = False) -> None:
        """Wait for a place, which is then to be given back; raises :class:`QueueFullError`.

        Who has had one may always wait for one again, and is sent away by nobody.
        """
        if self._free:
            self._free -= 1
            return
        if not again and not (self._may_wait(peer) or self._make_room(peer)):
            raise QueueFullError
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(peer, deque()).append(turn)
        if again:
            self._begun.add(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._leave(peer, turn)
            raise
        finally:
            self._begun.discard(turn)

    def give_back(self, peer: str) -> None:
        """Give the place that a connection had to the one whose turn it is."""
        if queue := self._waiting.pop(peer, None):
            self._waiting[peer] = queue  # behind all others, also those that came meanwhile
        while self._waiting:
            peer = next(iter(self._waiting))
            queue = self._waiting.pop(peer)
            turn = queue.popleft()
            if queue:
                self._waiting[peer] = queue  # behind all others
            if not turn.cancelled():
                turn.set_result(None)
                return
        self._free += 1

    def close(self) -> None:
        """Send everybody away who waits."""
        for queue in self._waiting.values():
            for turn in queue:
                turn.cancel()

    def _may_wait(self, peer: str) -> bool:
        waiting = sum(map(len, self._waiting.values()))
        return waiting < self._most and len(self._waiting.get(peer, ())) < self._most_each

    def _make_room(self, peer: str) -> bool:
        """Refuse the last of the connection that has most waiting, for one that has much less."""
        if not self._waiting:
            return False
        longest = max(self._waiting.values(), key=len)
        if len(self._waiting.get(peer, ())) + 1 >= len(longest):
            return False
        last = next((turn for turn in reversed(longest) if turn not in self._begun), None)
        if last is None:
            return False
        longest.remove(last)
        last.set_exception(QueueFullError())
        return True

    def _leave(self, peer: str, turn: asyncio.Future[None]) -> None:
        if not turn.cancelled():
            if turn.exception() is None:  # it had come
                self.give_back(peer)
            return
        queue = self._waiting.get(peer)
        if queue and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[peer]


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
        future.add_done_callback(lambda _: self._put_down_soon(loop, turns, peer))
        return await asyncio.wrap_future(future)

    def _put_down_soon(self, loop: asyncio.AbstractEventLoop, turns: Turns, peer: str) -> None:
        with suppress(RuntimeError):  # the loop is closed where the server stopped at once
            loop.call_soon_threadsafe(self._put_down, turns, peer)

    def _put_down(self, turns: Turns, peer: str) -> None:
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
