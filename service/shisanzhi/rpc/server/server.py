"""One server: how it is put together, started, drained and stopped."""

import asyncio
import math
import time
from functools import partial
from typing import Final, NamedTuple

from google.protobuf import message_factory

from shisanzhi.engine.solver import arranger
from shisanzhi.rpc.calls.acceptor import Acceptor
from shisanzhi.rpc.calls.guard import Guard
from shisanzhi.rpc.calls.handlers import Handlers
from shisanzhi.rpc.calls.servicer import GameLogic
from shisanzhi.rpc.limits import connections
from shisanzhi.rpc.observability.access_log import AccessLog
from shisanzhi.rpc.observability.books import Ledger
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.observability.tracing import Tracing
from shisanzhi.rpc.server import addresses, reflection
from shisanzhi.rpc.server.channel_options import channel_options
from shisanzhi.rpc.server.health import SERVICE_NAME as HEALTH_SERVICE
from shisanzhi.rpc.server.health import Health
from shisanzhi.rpc.server.management import Encode, Management
from shisanzhi.rpc.server.tls import Certificates, ClientNames
from shisanzhi.rpc.server.warm import warm
from shisanzhi.settings import Settings
from shisanzhi.v1 import game_logic_service_pb2

SERVICE: Final = game_logic_service_pb2.DESCRIPTOR.services_by_name["GameLogicService"]

COMPILED: Final = frozenset({"Arrange"})
"""Methods that do their work outside of the interpreter, and may take longer than others."""
BATCHES: Final = {"BatchArrange": "Arrange", "BatchScore": "Score"}
"""Methods that answer many requests of another."""

_QUIET: Final = 0.1
_LONGEST_HOLD: Final = 0.5
_FAREWELL: Final = 1.0
"""Seconds that the last spans get to be sent."""
_GOODBYE: Final = 0.05
"""Seconds that clients get to hear that their connection takes no more calls."""
_PATIENCE: Final = 1.0
"""Seconds that clients get, once nothing is in hand, to take answers and to go."""
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
        self._logic = GameLogic()
        self._certificates = (
            Certificates(settings, self.metrics) if settings.tls_certificate else None
        )
        self._tracing = Tracing() if settings.tracing else None
        self._ledger = Ledger(metrics, log, self._tracing.record if self._tracing else None)
        names = settings.tls_client_names
        self._guard = Guard(
            settings, metrics, self._ledger, ClientNames(names).admit if names else None
        )
        self._guard.tell(metrics)
        self._acceptor = Acceptor(self._handlers(self._guard), channel_options(settings))
        probes = Handlers(self._guard)
        self.health.add_to(probes)
        self._management = Management(
            settings, self._exposition, self.health, probes, metrics.crowded_out.inc
        )
        self._tasks: list[asyncio.Task[None]] = []

    def _handlers(self, guard: Guard) -> Handlers:
        handlers = Handlers(guard)
        for method in SERVICE.methods:
            self._add(handlers, method.name)
        services = [SERVICE.full_name]
        if self._settings.health:
            self.health.add_to(handlers)
            services.append(HEALTH_SERVICE)
        if self._settings.reflection:
            reflection.add_to(handlers, services)
        return handlers

    def _add(self, handlers: Handlers, name: str) -> None:
        batch = name in BATCHES
        asked = BATCHES.get(name, name)
        compiled = asked in COMPILED
        request_type = message_factory.GetMessageClass(SERVICE.methods_by_name[asked].input_type)
        counted = partial(self.metrics.domain.counted, asked, in_threads=batch)
        what = f"/{SERVICE.full_name}/{name}", request_type, counted(getattr(self._logic, asked))
        if batch:
            handlers.add_batch(*what, compiled=compiled)
        elif compiled:
            at_once = counted(self._logic.arrange_at_once) if arranger.COMPILED else None
            handlers.add_compiled(*what, at_once)
        else:
            handlers.add_unary(*what)

    async def _exposition(self, encode: Encode) -> bytes:
        with self._ledger.held():
            self.metrics.tallies.settle()
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
        warm(self._logic)
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
            self._guard.sweep()

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
        guard = self._guard
        guard.hands.most = math.inf
        self._acceptor.hurry()
        await guard.gate.close(_QUIET, _LONGEST_HOLD)
        stopping = asyncio.ensure_future(self._acceptor.close(self._settings.grace))
        await asyncio.sleep(_GOODBYE)
        guard.gate.open()
        await self._see_off(stopping)
        await self._end()

    async def _see_off(self, stopping: "asyncio.Future[None]") -> None:
        """Wait for the last connection to go; not for one whose client does not do its part."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and not stopping.done():
            self._guard.sweep()
            await asyncio.wait((stopping,), timeout=_GOODBYE)
            if self._guard.hands.count:
                end = time.monotonic() + _PATIENCE
        await self._close()

    async def _close(self) -> None:
        """End every connection, but do not wait for the core where a flood keeps it from that."""
        closing = asyncio.ensure_future(self._acceptor.close(None))
        await asyncio.wait((closing,), timeout=_PATIENCE)

    async def abort(self) -> None:
        """Stop at once; calls in flight are cut off."""
        self.health.drain()
        self._guard.gate.open()
        await self._close()
        await self._end()

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._guard.workers.close()
        self._ledger.book()
        if self._tracing is not None:
            await asyncio.to_thread(self._tracing.close, _FAREWELL)
        await self._management.stop()
