"""Several times the load that a server takes.

python -m tests.server.overload [SECONDS]
"""

import asyncio
import sys
import time
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import grpc
from google.rpc import error_details_pb2

from shisanzhi.progress import track
from shisanzhi.v1.game_logic_service_pb2 import BatchArrangeRequest
from tests import questions
from tests.server.calls import OK, Outcome, ask_async, get, memory, percentile, series, total
from tests.server.load import channel
from tests.servers import Process, serving

LIMIT = 8
TIMES = 4
FLAGS = ("--workers", "2", "--max-queued", str(LIMIT - 2))
STEPS = 100
"""In which it tells how far it is."""
HANDS = BatchArrangeRequest(requests=[questions.request("Arrange")] * 60)
"""Some ten milliseconds of a worker's time."""
HEALTH = "/grpc.health.v1.Health/Check"


class Overload(NamedTuple):
    """What was seen; latencies in seconds."""

    accepted: list[float]
    refused: list[float]
    health: list[float]
    memory_before: int
    memory_after: int

    def __str__(self) -> str:
        def tell(name: str, values: list[float]) -> str:
            parts = [
                f"p{share:g} {percentile(values, share / 100) * 1000:.1f}" for share in (50, 99)
            ]
            return f"{name} {len(values)}: {', '.join(parts)}, max {max(values) * 1000:.1f} ms"

        return "\n".join(
            (
                tell("accepted", self.accepted),
                tell("refused", self.refused),
                tell("health", self.health),
                f"memory {self.memory_before / 1e6:.1f} -> {self.memory_after / 1e6:.1f} MB",
            )
        )


async def _load(
    process: Process, workers: int, seconds: float
) -> tuple[list[Outcome], list[float]]:
    outcomes: list[Outcome] = []
    health: list[float] = []
    end = time.monotonic() + seconds

    async def caller(connected: Any) -> None:
        while time.monotonic() < end:
            outcome = await ask_async(connected, "BatchArrange", HANDS)
            outcomes.append(outcome)
            if outcome.code is not OK:
                delay = outcome.detail(error_details_pb2.RetryInfo()).retry_delay
                await asyncio.sleep(delay.ToTimedelta().total_seconds())

    async def prober(address: str) -> None:
        async with channel(address) as connected:
            while time.monotonic() < end:
                outcome = await ask_async(connected, HEALTH, b"")
                assert outcome.code is OK
                health.append(outcome.seconds)
                await asyncio.sleep(0.05)

    async def wait() -> None:
        for _ in track("overload", range(STEPS), STEPS):
            await asyncio.sleep(seconds / STEPS)

    async with AsyncExitStack() as stack:
        # One connection alone may queue a quarter of what all may.
        channels = [await stack.enter_async_context(channel(process.address)) for _ in range(LIMIT)]
        probers = [prober(address) for address in (process.address, process.management or "")]
        callers = [caller(channels[number % LIMIT]) for number in range(workers)]
        await asyncio.gather(wait(), *probers, *callers)
    return outcomes, health


def run(seconds: float) -> Overload:
    """Make several times as many calls at once as it takes; who is refused waits as told."""
    with serving(*FLAGS) as process:
        asyncio.run(_load(process, LIMIT, 1))
        before = memory(process.pid)
        outcomes, health = asyncio.run(_load(process, LIMIT * TIMES, seconds))
        refused = [outcome for outcome in outcomes if outcome.code is not OK]
        for outcome in refused:
            assert outcome.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        time.sleep(1)
        assert total(series(process), "shisanzhi_in_flight_calls") == 0
        assert get(process, "/healthz")[0] == 200
        return Overload(
            [outcome.seconds for outcome in outcomes if outcome.code is OK],
            [outcome.seconds for outcome in refused],
            health,
            before,
            memory(process.pid),
        )


if __name__ == "__main__":
    sys.stdout.write(f"{run(float(sys.argv[1]) if len(sys.argv) > 1 else 20)}\n")
