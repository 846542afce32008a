"""For how long the event loop may answer without a look at its sockets, and who is next."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable
from typing import Final

from shisanzhi.rpc.limits.queues import Queues

_LONGEST: Final = 0.004
"""Seconds."""


class Stretch:
    """Keeps the event loop from answering at a stretch for longer than others can wait.

    However many calls come together, after some milliseconds of them it looks at its sockets again:
    at those of probes too. From then on it answers one call in each of its turns, of each
    connection in turn, until nobody waits; and one that is exempt, so that neither kind, however
    many connections make such calls, keeps the other waiting.
    """

    __slots__ = ("_began", "_gone", "calls", "exempt")

    def __init__(self, gone: Callable[[Iterable[str]], Collection[str]]) -> None:
        """Take what tells which of some peers have gone, as far as that is known by now."""
        self._gone = gone
        self._began: float | None = None
        self.calls = Queues()
        self.exempt = Queues()

    async def wait(self, peer: str, *, exempt: bool = False) -> bool:
        """Wait for a turn if this stretch has lasted long enough, or others wait already.

        Tells whether there was a wait; raises :class:`QueueFullError`, :class:`GoneError`.
        """
        queues = self.exempt if exempt else self.calls
        if not (self._is_over() or queues):
            return False
        await queues.join(peer)
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
        """Go on in the loop's next turn: with the next of each kind who waits, if there is one."""
        self._began = None
        called = [self._call_next(queues) for queues in (self.calls, self.exempt)]
        if any(called):
            self._begin(time.monotonic())

    def _call_next(self, queues: Queues) -> bool:
        if queues:
            queues.drop(self._gone(queues.peers))
        return queues.call_next()
