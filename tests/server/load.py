"""Constant load: calls that are made whatever becomes of them, and what became of them."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

import shisanzhi
from tests.server.calls import OK, Outcome, ask_async

SERVICE_CONFIG = Path(shisanzhi.__file__).with_name("service_config.json").read_text()


class Load:
    """Workers that make one call after another; ``outcomes`` are in the order of their ends."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self.running = True
        self.at_work: list[asyncio.Task[None]] = []

    @property
    def failures(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.code is not OK]

    def summary(self) -> Counter[tuple[str, str]]:
        return Counter((outcome.code.name, outcome.details) for outcome in self.failures)

    async def work(
        self, channel: grpc.aio.Channel, method: str, *, stubborn: bool, rate: float
    ) -> None:
        due = time.monotonic()
        while self.running:
            if rate:
                due += 1 / rate
                await asyncio.sleep(due - time.monotonic())
            outcome = await ask_async(channel, method)
            self.outcomes.append(outcome)
            if outcome.code is not OK and not stubborn:
                return


@asynccontextmanager
async def load(
    channels: Sequence[grpc.aio.Channel],
    workers: int,
    method: str = "Evaluate",
    *,
    stubborn: bool = True,
    rate: float = 0.0,
) -> AsyncIterator[Load]:
    """Have so many workers call, spread over the channels, for the length of a block.

    Each makes a call when the last one has ended; with a rate, so many a second of them all, and
    what it could not make in time it makes up for. One that is not stubborn goes home when a call
    of its own fails.
    """
    made = Load()
    made.at_work = [
        asyncio.ensure_future(
            made.work(channels[i % len(channels)], method, stubborn=stubborn, rate=rate / workers)
        )
        for i in range(workers)
    ]
    try:
        yield made
    finally:
        made.running = False
        await asyncio.gather(*made.at_work)


def channel(target: str, **options: str | int) -> Any:
    """Give a channel that shares no connection with another."""
    named = {f"grpc.{name}": value for name, value in options.items()}
    return grpc.aio.insecure_channel(
        target, options=[("grpc.use_local_subchannel_pool", 1), *named.items()]
    )


def balanced(addresses: Sequence[str]) -> Any:
    """Give a channel over all addresses, with the service config that we ship."""
    return channel(f"ipv4:{','.join(addresses)}", service_config=SERVICE_CONFIG)
