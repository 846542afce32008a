"""A server in this process, on the test's own event loop: what it counts and logs is at hand."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

import grpc
from structlog.testing import capture_logs

from shisanzhi.config import load
from shisanzhi.rpc.calls.methods import METHODS, TakesLongerError, Weight
from shisanzhi.rpc.observability.access_log import AccessLog
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.server import server as server_module
from shisanzhi.rpc.server.server import Bound, Server
from tests.server.calls import Outcome, ask_async


class Here:
    """The server, and a channel to it."""

    def __init__(self, server: Server, bound: Bound, logged: list[Any]) -> None:
        self.server = server
        self.limits = server._limits
        self.bound = bound
        self.address = bound.serving[0]
        self.channel: Any = grpc.aio.insecure_channel(self.address)
        self._logged = logged
        self._writers: list[asyncio.StreamWriter] = []

    async def connect(self, said: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the management port, and say that."""
        host, _, port = self.bound.management[0].rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        self._writers.append(writer)
        writer.write(said)
        return reader, writer

    async def close(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        await self.channel.close()
        await self.server.abort()

    async def ask(self, method: str, request: Any = None, **options: Any) -> Outcome:
        return await ask_async(self.channel, method, request, **options)

    @property
    def log(self) -> list[dict[str, Any]]:
        """Every line so far."""
        self.server._recorder.flush()
        return self._logged

    def value(self, name: str, **labels: str) -> float | None:
        """Give what a scrape would give now."""
        self.server._recorder.flush()
        self.server.metrics.tallies.flush()
        return self.server.metrics.registry.get_sample_value(name, labels)

    def counted(self, name: str, path: str, kind: str = "unary", **labels: str) -> float | None:
        """Give what is counted of a method."""
        _, service, method = path.split("/")
        which = {"grpc_type": kind, "grpc_service": service, "grpc_method": method}
        return self.value(f"grpc_server_{name}", **which, **labels)


class Lines:
    """Stands in for an output to which JSON is written."""

    def __init__(self, lines: list[Any]) -> None:
        self._lines = lines

    def write(self, text: str) -> None:
        self._lines += map(json.loads, text.splitlines())


@asynccontextmanager
async def serving_here(**flags: object) -> AsyncIterator[Here]:
    texts = {"port": "0"} | {key: str(value) for key, value in flags.items()}
    with capture_logs() as logged, patch.object(server_module, "warm"):
        lines: Any = Lines(logged)
        server = Server(load(texts, {}).settings, Metrics(), AccessLog(1, lines))
        here = Here(server, await server.start(), logged)
        try:
            yield here
        finally:
            await here.close()


def run(test: Callable[[Here], Awaitable[None]], **flags: object) -> None:
    """Run a test against a server that stands still as soon as the test does."""

    async def within() -> None:
        async with serving_here(**flags) as here:
            await test(here)

    asyncio.run(asyncio.wait_for(within(), 20))


class Held:
    """A heavy method whose answers wait until they are let go."""

    def __init__(self, monkeypatch: Any, method: str = "Score") -> None:
        self._go = threading.Event()
        self.begun = 0
        rpc = METHODS[method]
        self._answer = rpc.answer
        held = rpc._replace(answer=self._held, weight=Weight.COMPILED, quick=_takes_longer)
        monkeypatch.setitem(METHODS, method, held)

    def _held(self, request: Any) -> Any:
        self.begun += 1
        assert self._go.wait(10)
        return self._answer(request)

    def hold(self) -> None:
        self._go.clear()

    def let_go(self) -> None:
        self._go.set()


def _takes_longer(_request: Any) -> Any:
    raise TakesLongerError


async def until(true: Callable[[], bool]) -> None:
    """Wait on the event loop until something is so."""
    async with asyncio.timeout(5):
        while not true():  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(0.002)
