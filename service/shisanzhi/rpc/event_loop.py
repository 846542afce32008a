"""The event loop that the server runs on: asyncio's own, with a selector that asks less often."""

import asyncio
import selectors
from typing import Final

_TURNS: Final = 8


class _UnhurriedSelector(selectors.DefaultSelector):
    """Passes over the sockets for a few turns while there is work to do anyway.

    asyncio asks the kernel in each turn, and a call takes some six turns. What comes in meanwhile
    is then taken together.
    """

    def __init__(self) -> None:
        super().__init__()
        self._passed_over = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Give what is ready; nothing, for a few turns, to a caller who would not wait."""
        if timeout == 0 and self._passed_over < _TURNS:
            self._passed_over += 1
            return []
        self._passed_over = 0
        return super().select(timeout)


def event_loop() -> asyncio.AbstractEventLoop:
    """Make the loop."""
    return asyncio.SelectorEventLoop(_UnhurriedSelector())
