"""One server: how it is put together, started, drained and stopped."""

import asyncio
import math
from typing import Final, NamedTuple

import grpc
from google.protobuf import message_factory

from shisanzhi.rpc import addresses, reflection
from shisanzhi.rpc.access_log import AccessLog
from shisanzhi.rpc.call import Guard
from shisanzhi.rpc.channel_options import channel_options
from shisanzhi.rpc.handlers import Handlers
from shisanzhi.rpc.health import SERVICE_NAME as HEALTH_SERVICE
from shisanzhi.rpc.health import Health
from shisanzhi.rpc.ledger import Ledger
from shisanzhi.rpc.limits import Gate, Hands, Workers
from shisanzhi.rpc.management import Encode, Management
from shisanzhi.rpc.metrics import Metrics
from shisanzhi.rpc.servicer import GameLogic
from shisanzhi.rpc.tls import Certificates, ClientNames
from shisanzhi.rpc.tracing import Tracing
from shisanzhi.rpc.warm import warm
from shisanzhi.settings import Settings
from shisanzhi.v1 import game_logic_service_pb2

SERVICE: Final = game_logic_service_pb2.DESCRIPTOR.services_by_name["GameLogicService"]

HEAVY: Final = frozenset({"Arrange"})
"""Methods that take longer than the event loop can wait."""

_QUIET: Final = 0.1
_LONGEST_HOLD: Final = 0.5
_FAREWELL: Final = 1.0
"""Seconds that the last spans get to be sent."""
_GOODBYE: Final = 0.05
"""Seconds that clients get to hear that their connection takes no more calls."""


class Bound(NamedTuple):
    """The addresses in use."""

    serving: tuple[str, ...]
    management: tuple[str, ...]


class Server:
    """One server: made, started, drained and stopped once."""

    def __init__(self, settings: Settings, metrics: Metrics, log: AccessLog) -> None:
        """Register every handler; nothing is bound yet. Needs a running event loop.

        Raises :class:`~shisanzhi.rpc.tls.TlsError`, :class:`~shisanzhi.rpc.tracing.TracingError`.
        """
        self._settings = settings
        self.metrics = metrics
        self.health = Health((SERVICE.full_name,))
        self._hands = Hands(settings.max_concurrent_rpcs)
        self.metrics.in_flight.set_function(lambda: self._hands.count)
        self._gate = Gate()
        self._workers = Workers(settings.workers, settings.max_queued)
        self._logic = GameLogic()
        self._certificates = (
            Certificates(settings, self.metrics) if settings.tls_certificate else None
        )
        self._tracing = Tracing() if settings.tracing else None
        self._ledger = Ledger(metrics, log, self._tracing.record if self._tracing else None)
        guard = self._guard()
        self._grpc = grpc.aio.server(options=channel_options(settings))
        self._grpc.add_generic_rpc_handlers((self._handlers(guard),))
        probes = Handlers(guard)
        self.health.add_to(probes)
        self._management = Management(settings, self._exposition, self.health, probes)
        self._tasks: list[asyncio.Task[None]] = []

    def _guard(self) -> Guard:
        names = self._settings.tls_client_names
        return Guard(
            metrics=self.metrics,
            ledger=self._ledger,
            hands=self._hands,
            workers=self._workers,
            gate=self._gate,
            max_message_bytes=self._settings.max_message_bytes,
            admit=ClientNames(names).admit if names else None,
        )

    def _handlers(self, guard: Guard) -> Handlers:
        handlers = Handlers(guard)
        for method in SERVICE.methods:
            handlers.add_unary(
                f"/{SERVICE.full_name}/{method.name}",
                message_factory.GetMessageClass(method.input_type),
                self.metrics.domain.counted(method.name, getattr(self._logic, method.name)),
                heavy=method.name in HEAVY,
            )
        services = [SERVICE.full_name]
        if self._settings.health:
            self.health.add_to(handlers)
            services.append(HEALTH_SERVICE)
        if self._settings.reflection:
            reflection.add_to(handlers, services)
        return handlers

    async def _exposition(self, encode: Encode) -> bytes:
        with self._ledger.held():
            self.metrics.tallies.settle()
            return await asyncio.to_thread(encode, self.metrics.registry)

    async def start(self) -> Bound:
        """Bind, warm up, then serve; give the bound addresses.

        Raises :class:`~shisanzhi.rpc.addresses.BindError`.
        """
        settings = self._settings
        management: tuple[str, ...] = ()
        if settings.management_port is not None:
            management = await self._management.start(settings.management_port)
        serving = addresses.bind(settings.host, settings.port, self._add_port)
        warm(self._logic)
        await self._grpc.start()
        if self._certificates is not None:
            self._tasks.append(asyncio.create_task(self._certificates.watch()))
        self.health.set_serving()
        return Bound(serving, management)

    def _add_port(self, address: str) -> int:
        if self._certificates is None:
            return self._grpc.add_insecure_port(address)
        return self._grpc.add_secure_port(address, self._certificates.credentials())

    async def drain(self, *, patient: bool = True) -> None:
        """Say NOT_SERVING and, if patient, serve on while that spreads."""
        self.health.drain()
        if patient:
            await asyncio.sleep(self._settings.drain_delay)

    async def stop(self) -> None:
        """Take no new calls, and let those in flight finish within the grace."""
        self._hands.most = math.inf
        await self._gate.close(_QUIET, _LONGEST_HOLD)
        stopping = asyncio.ensure_future(self._grpc.stop(self._settings.grace))
        await asyncio.sleep(_GOODBYE)
        self._gate.open()
        await stopping
        await self._end()

    async def abort(self) -> None:
        """Stop at once; calls in flight are cut off."""
        self.health.drain()
        await self._grpc.stop(None)
        await self._end()

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._workers.close()
        self._ledger.book()
        if self._tracing is not None:
            await asyncio.to_thread(self._tracing.close, _FAREWELL)
        await self._management.stop()
