"""Requests as large as may be, from one connection and from many, and what others see of it.

python -m tests.server.crowd [SECONDS]
"""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import NamedTuple

import grpc

from shisanzhi.rpc.calls.unary_call import LIGHT_BYTES
from tests import hostile_requests
from tests.server.calls import OK, ask_async, get, percentile, series, total
from tests.server.load import channel
from tests.servers import Process, serving, wait_for

MODULE = "tests.server.crowd"
HEALTH = "/grpc.health.v1.Health/Check"
FLAGS = ("--log-ok-every", "0", "--log-level", "error")
LIGHT = ("Validate", "Score", "Evaluate")
PAUSE = 0.01


class Crowd(NamedTuple):
    """A load: the name of a request, how many connections, and how many calls at once on each.

    The size of the request is in bytes; 0 is as large as may be.
    """

    request: str
    connections: int
    calls: int
    size: int = 0

    def __str__(self) -> str:
        size = f" in {self.size} bytes" if self.size else ""
        return f"{self.request}{size}, {self.connections} x {self.calls}"


CROWDS = tuple(
    Crowd(request, *shape)
    for request, calls in (
        ("Score: empty arrangements", 16),
        ("Evaluate: rows", 32),
        ("Evaluate: rows of the same card", 32),
        ("Evaluate: long rows", 16),
        ("Arrange: a hard hand", 32),
        ("BatchScore: empty requests", 16),
        ("BatchScore: one endless request", 16),
        ("BatchArrange: hard hands", 16),
    )
    for shape in ((1, calls), (8, calls // 4))
) + tuple(Crowd("Evaluate: rows", *shape, LIGHT_BYTES) for shape in ((1, 95), (4, 50)))


class Seen(NamedTuple):
    """What others saw beside a load; latencies in seconds."""

    livez: list[float]
    health: list[float]
    light: list[float]

    @property
    def worst_probe(self) -> float:
        return max(*self.livez, *self.health)

    @property
    def light_p99(self) -> float:
        return percentile(self.light, 0.99)

    def __str__(self) -> str:
        return ", ".join(
            f"{name} p50 {statistics.median(values) * 1000:.1f} p99"
            f" {percentile(values, 0.99) * 1000:.1f} max {max(values) * 1000:.1f}"
            for name, values in self._asdict().items()
        )


async def _crowd(address: str, crowd: Crowd) -> None:
    """Make one call after another, for good."""
    method, raw = hostile_requests.make(crowd.request, crowd.size)
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(channel(address)) for _ in range(crowd.connections)
        ]

        async def caller(connected: grpc.aio.Channel) -> None:
            while True:
                await ask_async(connected, method, raw)

        await asyncio.gather(*(caller(each) for each in channels * crowd.calls))


@contextmanager
def crowding(process: Process, crowd: Crowd) -> Iterator[None]:
    """Keep up a load, from a process of its own, for the length of a block."""
    loader = subprocess.Popen([sys.executable, "-m", MODULE, process.address, *map(str, crowd)])
    try:
        wait_for(lambda: total(series(process), "shisanzhi_in_flight_calls") > 0, 30)
        yield
        assert loader.poll() is None
    finally:
        loader.kill()
        loader.wait()


async def _look(process: Process, seconds: float) -> Seen:
    seen = Seen([], [], [])
    end = time.monotonic() + seconds

    async def keep(values: list[float], once: Callable[[], Awaitable[object]]) -> None:
        while time.monotonic() < end:
            started = time.perf_counter()
            await once()
            values.append(time.perf_counter() - started)
            await asyncio.sleep(PAUSE)

    async def livez() -> None:
        assert (await asyncio.to_thread(get, process, "/livez"))[0] == 200

    async with channel(process.address) as serving_, channel(process.management or "") as managing:

        def ask(
            connected: grpc.aio.Channel, method: str, raw: bytes | None = None
        ) -> Callable[[], Awaitable[object]]:
            async def once() -> None:
                assert (await ask_async(connected, method, raw)).code is OK

            return once

        await asyncio.gather(
            keep(seen.livez, livez),
            keep(seen.health, ask(serving_, HEALTH, b"")),
            keep(seen.health, ask(managing, HEALTH, b"")),
            *(keep(seen.light, ask(serving_, method)) for method in LIGHT),
        )
    return seen


def look(process: Process, crowd: Crowd, seconds: float) -> Seen:
    """Tell what others see of a server for so long."""
    asyncio.run(_look(process, 0.5))
    with crowding(process, crowd):
        return asyncio.run(_look(process, seconds))


def main(arguments: list[str]) -> None:
    """Tell about every crowd; with more arguments be one."""
    if len(arguments) > 1:
        address, request, *numbers = arguments
        asyncio.run(_crowd(address, Crowd(request, *map(int, numbers))))
    seconds = float(arguments[0]) if arguments else 10
    for crowd in CROWDS:
        with serving(*FLAGS) as process:
            sys.stdout.write(f"{crowd}: {look(process, crowd, seconds)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
