"""For how long the event loop may answer without a look at its sockets."""

import asyncio
import time
from typing import Final

_LONGEST: Final = 0.004
"""Seconds."""


class Stretch:
    """Keeps the event loop from answering at a stretch for longer than others can wait.

    However many calls come together, after some milliseconds of them it looks at its sockets again:
    at those of probes too.
    """

    __slots__ = ("_began",)

    def __init__(self) -> None:
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
        return now - self._began > _LONGEST

    def _rest(self) -> None:
        self._began = None
