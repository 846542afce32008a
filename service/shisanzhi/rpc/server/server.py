"""One server: how it is put together, started, drained and stopped."""

import asyncio
import math
import time
from functools import partial
from typing import Final, NamedTuple

from shisanzhi.rpc.calls.acceptor import Acceptor
from shisanzhi.rpc.calls.handlers import Handlers
from shisanzhi.rpc.calls.methods import METHODS, SERVICE
from shisanzhi.rpc.limits import connections
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.observability.access_log import AccessLog
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.observability.recorder import Recorder
from shisanzhi.rpc.observability.tracing import Tracing
from shisanzhi.rpc.server import addresses, reflection
from shisanzhi.rpc.server.channel_options import channel_options
from shisanzhi.rpc.server.health import SERVICE_NAME as HEALTH_SERVICE
from shisanzhi.rpc.server.health import Health
from shisanzhi.rpc.server.management import Management
from shisanzhi.rpc.server.scrapes import Encode
from shisanzhi.rpc.server.tls import Certificates
from shisanzhi.rpc.server.warm import warm
from shisanzhi.settings import Settings

_QUIET: Final = 0.1
_LONGEST_HOLD: Final = 0.5
_FAREWELL: Final = 1.0
"""Seconds that the last spans get to be sent."""
_GOODBYE: Final = 0.05
"""Seconds that clients get to hear that their connection takes no more calls."""
_PATIENCE: Final = 1.0
"""Seconds that clients get, once nothing is in flight, to take answers and to go."""
_SWEEP: Final = 0.25


class Bound(NamedTuple):
    """The addresses in use."""

    serving: tuple[str, ...]
    management: tuple[str, ...]


class Server:
    """One server: made, started, drained and stopped once."""

    def __init__(self, settings: Settings, metrics: Metrics, log: AccessLog) -> None:
        """Register every handler; nothing is bound yet. Needs a running event loop.

        Raises :class:`~shisanzhi.rpc.server.tls.TlsError`,
        :class:`~shisanzhi.rpc.observability.tracing.TracingError`.
        """
        self._settings = settings
        self.metrics = metrics
        self.health = Health((SERVICE.full_name,))
        self._certificates = Certificates(settings, metrics) if settings.tls_certificate else None
        self._tracing = Tracing() if settings.tracing else None
        self._recorder = Recorder(metrics, log, self._tracing.record if self._tracing else None)
        self._limits = Limits(settings)
        metrics.follow(self._limits)
        self._acceptor = Acceptor(self._handlers(), channel_options(settings))
        probes = self._no_handlers()
        self.health.add_to(probes)
        self._management = Management(
            settings, self._exposition, self.health, probes, metrics.crowded_out.inc
        )
        self._tasks: list[asyncio.Task[None]] = []

    def _no_handlers(self) -> Handlers:
        return Handlers(self._limits, self.metrics, self._recorder)

    def _handlers(self) -> Handlers:
        handlers = self._no_handlers()
        for rpc in METHODS.values():
            handlers.add(rpc)
        services = [SERVICE.full_name]
        if self._settings.health:
            self.health.add_to(handlers)
            services.append(HEALTH_SERVICE)
        if self._settings.reflection:
            reflection.add_to(handlers, services)
        return handlers

    async def _exposition(self, encode: Encode) -> bytes:
        with self._recorder.paused():
            self.metrics.tallies.flush()
            return await asyncio.to_thread(encode, self.metrics.registry)

    async def start(self) -> Bound:
        """Bind, warm up, then serve; give the bound addresses.

        Raises :class:`~shisanzhi.rpc.server.addresses.BindError`.
        """
        settings = self._settings
        management: tuple[str, ...] = ()
        if settings.management_port is not None:
            management = await self._management.start(settings.management_port)
        serving = addresses.bind(settings.host, settings.port, self._add_port)
        self.metrics.connections.set_function(partial(connections.count, serving))
        warm()
        await self._acceptor.start()
        self._tasks.append(asyncio.create_task(self._sweep()))
        if self._certificates is not None:
            self._tasks.append(asyncio.create_task(self._certificates.watch()))
        self.health.set_serving()
        return Bound(serving, management)

    def _add_port(self, address: str) -> int:
        credentials = None if self._certificates is None else self._certificates.credentials()
        return self._acceptor.listen(address, credentials)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            self._limits.sweep()

    async def ended(self) -> BaseException | None:
        """Wait until serving ends, on either port; give what ended it, None if it was stopped."""
        ends = [self._acceptor.ended, *(each.ended for each in self._management.acceptors)]
        done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        return next(iter(done)).result()

    async def drain(self, *, patient: bool = True) -> None:
        """Say NOT_SERVING and, if patient, serve on while that spreads."""
        self.health.drain()
        if patient:
            await asyncio.sleep(self._settings.drain_delay)

    async def stop(self) -> None:
        """Take no new calls, and let those in flight finish within the grace."""
        limits = self._limits
        limits.in_flight.most = math.inf
        self._acceptor.hurry()
        await limits.gate.close(_QUIET, _LONGEST_HOLD)
        stopping = asyncio.ensure_future(self._acceptor.close(self._settings.grace))
        await asyncio.sleep(_GOODBYE)
        limits.gate.open()
        await self._see_off(stopping)
        await self._end()

    async def _see_off(self, stopping: "asyncio.Future[None]") -> None:
        """Wait for the last connection to go; not for one whose client does not do its part."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and not stopping.done():
            self._limits.sweep()
            await asyncio.wait((stopping,), timeout=_GOODBYE)
            if self._limits.in_flight.count:
                end = time.monotonic() + _PATIENCE
        await self._acceptor.cut_off()

    async def abort(self) -> None:
        self.health.drain()
        self._limits.gate.open()
        await self._acceptor.cut_off()
        await self._end()

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._limits.workers.close()
        self._recorder.flush()
        if self._tracing is not None:
            await asyncio.to_thread(self._tracing.close, _FAREWELL)
        await self._management.stop()
