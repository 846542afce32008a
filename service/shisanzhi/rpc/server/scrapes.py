"""The metrics for whoever scrapes, made seldom enough that nobody takes the processor with them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

_EVERY: Final = 0.1
"""Seconds from the end of a scrape to the next, which all who ask meanwhile share."""

Encode = Callable[[CollectorRegistry], bytes]
"""Metrics -> their exposition, in one of its formats."""
Exposition = Callable[[Encode], Awaitable[bytes]]
"""What books all that is to be booked, and then encodes."""


class Scraped(NamedTuple):
    """Metrics as they are sent, and the content type that says in which format."""

    kind: str
    text: bytes


class Format(NamedTuple):
    """What encodes metrics, and the content type that names it."""

    encode: Encode
    kind: str


_OPEN_METRICS: Final = Format(*choose_encoder("application/openmetrics-text; version=1.0.0"))
_PLAIN: Final = Format(*choose_encoder("text/plain"))


class Scrapes:
    """Gives metrics in one of two formats, whatever others prometheus_client has.

    So few are soon made for all; a client can name others without end.
    """

    def __init__(self, exposition: Exposition, most_waiting: int) -> None:
        """Take what makes them, and how many may wait for the next: others get the last."""
        self._exposition = exposition
        self._most_waiting = most_waiting
        self._one_at_a_time = asyncio.Lock()
        self._not_before = 0.0
        self._coming: dict[Format, asyncio.Future[Scraped]] = {}
        self._last: dict[Format, Scraped] = {}
        self._waiting = 0

    async def next(self, accept: str) -> Scraped:
        """Give those that are made next, or the last if too many wait; ``accept`` is HTTP's."""
        wanted = _format(accept)
        if self._waiting >= self._most_waiting and wanted in self._last:
            return self._last[wanted]
        if wanted not in self._coming:
            self._coming[wanted] = asyncio.ensure_future(self._make(wanted))
        self._waiting += 1
        try:
            # Whoever leaves leaves the others theirs.
            return await asyncio.shield(self._coming[wanted])
        finally:
            self._waiting -= 1

    async def _make(self, wanted: Format) -> Scraped:
        loop = asyncio.get_running_loop()
        async with self._one_at_a_time:
            await asyncio.sleep(self._not_before - loop.time())
            del self._coming[wanted]
            made = self._last[wanted] = Scraped(wanted.kind, await self._exposition(wanted.encode))
            self._not_before = loop.time() + _EVERY
            return made


def _format(accept: str) -> Format:
    """Choose a format; the plain one can be read by whoever reads any.

    >>> _format("application/openmetrics-text; version=1.0.0; q=0.5, */*; q=0.1").kind
    'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores'
    >>> _format("*/*").kind
    'text/plain; version=0.0.4; charset=utf-8'
    """
    wanted = "application/openmetrics-text;version=1." in accept.replace(" ", "")
    return _OPEN_METRICS if wanted else _PLAIN
