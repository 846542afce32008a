"""Build the server, start it, and stop it so that nobody notices."""

import asyncio
import math
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import grpc
import structlog
from google.protobuf import message_factory
from google.protobuf.message import Message

from shisanzhi.config import Settings
from shisanzhi.rpc import addresses, reflection
from shisanzhi.rpc.access_log import AccessLog
from shisanzhi.rpc.handlers import Ask, Guard, Handlers
from shisanzhi.rpc.health import SERVICE_NAME as HEALTH_SERVICE
from shisanzhi.rpc.health import Health
from shisanzhi.rpc.limits import Gate, Hands, Workers
from shisanzhi.rpc.metrics import Metrics
from shisanzhi.rpc.refusals import UnknownMethodError
from shisanzhi.rpc.servicer import GameLogic
from shisanzhi.v1 import game_logic_service_pb2

SERVICE: Final = game_logic_service_pb2.DESCRIPTOR.services_by_name["GameLogicService"]

HEAVY: Final = frozenset({"Arrange"})
"""Methods that take longer than the event loop can wait."""

_QUIET: Final = 0.1
_MOST_HOLD: Final = 0.5
_GOAWAY: Final = 0.05
"""Seconds that clients get to hear that the connection takes no more calls."""

_log = structlog.get_logger()


class Server:
    """One server: made, started, drained and stopped once."""

    def __init__(self, settings: Settings) -> None:
        """Register every handler; nothing is bound yet. Needs a running event loop."""
        self._settings = settings
        self.metrics = Metrics()
        self._hands = hands = Hands(settings.max_concurrent_rpcs)
        self.metrics.in_flight.set_function(lambda: hands.count)
        self._gate = Gate()
        self._workers = Workers(settings.workers, settings.max_queued)
        guard = Guard(
            metrics=self.metrics,
            log=AccessLog(settings.log_ok_every),
            hands=hands,
            workers=self._workers,
            gate=self._gate,
            max_message_bytes=settings.max_message_bytes,
        )
        self.health = Health((SERVICE.full_name,))
        self._grpc = grpc.aio.server(options=_channel_options(settings))
        self._grpc.add_generic_rpc_handlers((self._handlers(guard),))

    def _handlers(self, guard: Guard) -> Handlers:
        handlers = Handlers(guard)
        logic = GameLogic()
        for method in SERVICE.methods:
            handlers.add_unary(
                f"/{SERVICE.full_name}/{method.name}",
                message_factory.GetMessageClass(method.input_type),
                getattr(logic, method.name, _not_here),
                heavy=method.name in HEAVY,
            )
        services = [SERVICE.full_name]
        if self._settings.health:
            self.health.add_to(handlers)
            services.append(HEALTH_SERVICE)
        if self._settings.reflection:
            reflection.add_to(handlers, services)
        return handlers

    async def start(self) -> tuple[str, ...]:
        """Bind, begin to serve, and give the bound addresses.

        Raises :class:`~shisanzhi.rpc.addresses.BindError`.
        """
        bound = addresses.bind(
            self._settings.host, self._settings.port, self._grpc.add_insecure_port
        )
        await self._grpc.start()
        self.health.set_serving()
        return bound

    async def drain(self) -> None:
        """Say NOT_SERVING, and serve on while that spreads."""
        self.health.drain()
        await asyncio.sleep(self._settings.drain_delay)

    async def stop(self) -> None:
        """Take no new connections, and let calls in flight finish within the grace."""
        self._hands.most = math.inf
        await self._gate.close(_QUIET, _MOST_HOLD)
        stopping = asyncio.ensure_future(self._grpc.stop(self._settings.grace))
        await asyncio.sleep(_GOAWAY)
        self._gate.open()
        await stopping
        self._workers.close()

    async def abort(self) -> None:
        """Stop at once; calls in flight are cut off."""
        await self._grpc.stop(None)
        self._workers.close()


def _not_here(_request: Message) -> Message:
    raise UnknownMethodError


def _channel_options(settings: Settings) -> list[tuple[str, int]]:
    return [
        # On by default, and then a second server on the same port starts without a word.
        ("grpc.so_reuseport", 0),
    ]


async def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve until a signal says stop; announce each bound address once it serves.

    A first SIGTERM or SIGINT drains and stops, a second one stops at once.
    """
    signals: asyncio.Queue[signal.Signals] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signals.put_nowait, number)
    server = Server(settings)
    for address in await server.start():
        announce(f"serving on {address}")
    _log.info("serving")
    await signals.get()
    _log.info("draining")
    stopping = asyncio.ensure_future(_stop(server))
    impatience = asyncio.ensure_future(signals.get())
    await asyncio.wait((stopping, impatience), return_when=asyncio.FIRST_COMPLETED)
    if not stopping.done():
        _log.warning("stopping at once")
        stopping.cancel()
        with suppress(asyncio.CancelledError):
            await stopping
        await server.abort()
    _log.info("stopped")


async def _stop(server: Server) -> None:
    await server.drain()
    await server.stop()
