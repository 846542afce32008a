"""For how long the event loop may answer without a look at its sockets, and who is next."""

import asyncio
import time
from typing import Final

from shisanzhi.rpc.limits.queues import Queues

_LONGEST: Final = 0.004
"""Seconds."""


class Stretch:
    """Keeps the event loop from answering at a stretch for longer than others can wait.

    However many calls come together, after some milliseconds of them it looks at its sockets again:
    at those of probes too. From then on it answers one call in each of its turns, of each
    connection in turn, until nobody waits.
    """

    __slots__ = ("_began", "queues")

    def __init__(self) -> None:
        self._began: float | None = None
        self.queues = Queues()

    async def wait(self, peer: str) -> bool:
        """Wait for a turn if this stretch has lasted long enough, or others wait already.

        Tells whether there was a wait; raises :class:`QueueFullError`.
        """
        if not (self._is_over() or self.queues):
            return False
        await self.queues.join(peer)
        return True

    def _is_over(self) -> bool:
        now = time.monotonic()
        if self._began is None:
            self._begin(now)
            return False
        return now - self._began > _LONGEST

    def _begin(self, now: float) -> None:
        self._began = now
        asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        """Go on in the loop's next turn: with the next who waits, if there is one."""
        self._began = None
        if self.queues.call_next():
            self._begin(time.monotonic())
