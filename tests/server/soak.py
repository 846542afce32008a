"""Hours in minutes: every method, good and bad requests, connections that come and go.

    python -m tests.server.soak [MINUTES]

Memory and file descriptors end where they were once all was warm, and every answer is the same as
the first, byte for byte.
"""

import asyncio
import os
import random
import statistics
import sys
import time
from typing import NamedTuple

import grpc

from shisanzhi.progress import track
from tests import questions
from tests.server.calls import OK, ask, ask_async, memory
from tests.server.fuzz import LEAKS, mutated
from tests.server.load import channel
from tests.servers import Process, serving

WORKERS = 4
SAMPLES = 60
MOST_GROWTH = 4_000_000
CALLS_OF_A_CONNECTION = 500


class Sample(NamedTuple):
    """The size of the process at one time."""

    memory: int
    descriptors: int


def sample(process: Process) -> Sample:
    return Sample(memory(process.pid), len(os.listdir(f"/proc/{process.pid}/fd")))  # noqa: PTH208


class Soak:
    """A load that goes on until its time is up."""

    def __init__(self, process: Process, seconds: float) -> None:
        self.process = process
        self.seconds = seconds
        self.end = time.monotonic() + seconds
        self.expected = {method: ask(process, method).response for method in questions.METHODS}
        self.calls = 0
        self.samples: list[Sample] = []

    async def run(self) -> None:
        await asyncio.gather(self.watch(), *(self.work(number) for number in range(WORKERS)))

    async def watch(self) -> None:
        for _ in track("soak", range(SAMPLES), SAMPLES):
            await asyncio.sleep(self.seconds / SAMPLES)
            self.samples.append(sample(self.process))

    async def work(self, seed: int) -> None:
        draw = random.Random(seed)
        while time.monotonic() < self.end:
            async with channel(self.process.address) as connected:
                for _ in range(CALLS_OF_A_CONNECTION):
                    await self.call(connected, draw)

    async def call(self, connected: grpc.aio.Channel, draw: random.Random) -> None:
        method = draw.choice(questions.METHODS)
        self.calls += 1
        if draw.random() < 0.1:
            outcome = await ask_async(connected, method, mutated(draw, questions.raw(method)))
            assert outcome.code not in LEAKS
            return
        outcome = await ask_async(connected, method)
        assert outcome.code is OK, outcome
        assert outcome.response == self.expected[method]

    def report(self) -> str:
        """Compare the last quarter with the second, when all was warm."""
        quarter = len(self.samples) // 4
        early, late = self.samples[quarter : 2 * quarter], self.samples[-quarter:]
        before, after = (
            statistics.mean(each.memory for each in samples) for samples in (early, late)
        )
        opened, still_open = (
            statistics.mean(each.descriptors for each in samples) for samples in (early, late)
        )
        assert after - before < MOST_GROWTH, f"memory went from {before} to {after}"
        assert still_open - opened < 5, f"descriptors went from {opened} to {still_open}"
        return (
            f"{self.seconds / 60:g} minutes, {self.calls} calls; "
            f"memory {before / 1e6:.1f} -> {after / 1e6:.1f} MB, "
            f"descriptors {opened:.1f} -> {still_open:.1f}"
        )


def main(minutes: float) -> str:
    with serving("--max-connection-age", "20") as process:
        soak = Soak(process, minutes * 60)
        # Its log would fill this process, not that one.
        asyncio.run(soak.run())
        return soak.report()


if __name__ == "__main__":
    sys.stdout.write(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10) + "\n")
