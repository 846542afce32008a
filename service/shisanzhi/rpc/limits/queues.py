"""Who waits, connection by connection, so that connections take turns."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable
from weakref import WeakSet

from shisanzhi.rpc.limits.refusals import GoneError, QueueFullError


class Queues:
    """A queue for each connection that has somebody waiting; the first one's first is next.

    Used by the event loop alone, so nothing is locked.
    """

    __slots__ = ("_begun", "_waiting")

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._begun: WeakSet[asyncio.Future[None]] = WeakSet()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def length(self, peer: str) -> int:
        """Count those of one connection."""
        return len(self._waiting.get(peer, ()))

    def join(self, peer: str, *, begun: bool = False) -> asyncio.Future[None]:
        """Wait for a turn: a future that is done when it has come, or whoever waits has to go.

        That is told by :class:`QueueFullError`; it does not happen to who has begun. And by
        :class:`GoneError`, whose connection has gone.
        """
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(peer, deque()).append(turn)
        if begun:
            self._begun.add(turn)
        return turn

    def leave(self, peer: str, turn: asyncio.Future[None]) -> bool:
        """Wait no longer; tell whether the turn had come."""
        if not turn.cancelled():
            return turn.exception() is None
        queue = self._waiting.get(peer)
        if queue and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[peer]
        return False

    @property
    def peers(self) -> Collection[str]:
        """The connections that have somebody waiting."""
        return self._waiting.keys()

    def drop(self, peers: Iterable[str]) -> None:
        """Send away all of connections that have gone, with :class:`GoneError`."""
        for peer in peers:
            for turn in self._waiting.pop(peer, ()):
                if not turn.cancelled():
                    turn.set_exception(GoneError())

    def put_behind(self, peer: str) -> None:
        """Let a connection come after all others, also those that have only just come."""
        if queue := self._waiting.pop(peer, None):
            self._waiting[peer] = queue

    def call_next(self) -> bool:
        """Say that it is the next one's turn; tell whether there was one."""
        while self._waiting:
            peer = next(iter(self._waiting))
            queue = self._waiting.pop(peer)
            turn = queue.popleft()
            if queue:
                self._waiting[peer] = queue  # behind all others
            if not turn.cancelled():
                turn.set_result(None)
                return True
        return False

    def make_room(self, peer: str) -> bool:
        """Send away the last of the connection that has most waiting, for one that has much less.

        Tells whether there was such a one.
        """
        if not self._waiting:
            return False
        longest = max(self._waiting.values(), key=len)
        if self.length(peer) + 1 >= len(longest):
            return False
        last = next((turn for turn in reversed(longest) if turn not in self._begun), None)
        if last is None:
            return False
        longest.remove(last)
        if not last.cancelled():
            last.set_exception(QueueFullError())
        return True

    def close(self) -> None:
        """Cancel all who wait."""
        for queue in self._waiting.values():
            for turn in queue:
                turn.cancel()
