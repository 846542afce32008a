"""Who works when: connections that wait for a place take turns, in queues that have an end."""

import asyncio
from collections import deque
from typing import Final

from shisanzhi.rpc.limits.refusals import QueueFullError

_CONNECTIONS_TO_FILL_A_QUEUE: Final = 4
"""One connection alone may fill a quarter of a queue."""


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
