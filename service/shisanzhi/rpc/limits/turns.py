"""Who works when: connections that wait for a place take turns, in queues that have an end."""

import asyncio
from typing import Final

from shisanzhi.rpc.limits.queues import Queues
from shisanzhi.rpc.limits.refusals import QueueFullError

_CONNECTIONS_TO_FILL_A_QUEUE: Final = 4
"""One connection alone may fill a quarter of a queue."""


class Turns:
    """Places to work at; the connections that wait for one take turns."""

    __slots__ = ("_free", "_most", "_most_each", "_queues")

    def __init__(self, places: int, max_waiting: int) -> None:
        """Take how many may work at once, and how many may wait."""
        self._free = places
        self._most = max_waiting
        self._most_each = max(1, max_waiting // _CONNECTIONS_TO_FILL_A_QUEUE)
        self._queues = Queues()

    async def take(self, peer: str, *, again: bool = False) -> None:
        """Wait for a place, which is then to be given back; raises :class:`QueueFullError`.

        Who has had one may always wait for one again, and is sent away by nobody.
        """
        if self._free:
            self._free -= 1
            return
        if not again and not (self._may_wait(peer) or self._queues.make_room(peer)):
            raise QueueFullError
        turn = self._queues.join(peer, begun=again)
        try:
            await turn
        except asyncio.CancelledError:
            if self._queues.leave(peer, turn):
                self.give_back(peer)
            raise

    def give_back(self, peer: str) -> None:
        """Give the place that a connection had to the one whose turn it is."""
        self._queues.put_behind(peer)
        if not self._queues.call_next():
            self._free += 1

    def close(self) -> None:
        self._queues.close()

    def _may_wait(self, peer: str) -> bool:
        return len(self._queues) < self._most and self._queues.length(peer) < self._most_each
