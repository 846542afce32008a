"""Answers that are held back while the server begins to stop."""

import asyncio
import time


class Gate:
    """Holds answers back, for the moment in which the server stops.

    grpc cuts off calls that it has received but not handed over yet, and under load there are
    always some. While answers are held back, clients wait and the last of those calls come in.
    """

    __slots__ = ("_arrivals", "_opened", "shut")

    def __init__(self) -> None:
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
