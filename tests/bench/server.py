"""What a call costs the server, beside a bare grpc.aio server that does nothing.

    python -m tests.bench.server [--quick]

Three servers take turns under the same load: ``noop`` answers with a stored message of the same
size, ``bare`` asks the game logic with nothing around it, ``shipped`` is the command as it ships,
with metrics, log, limits and the mapping of errors. Cost is the CPU time of the server's process
per call.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from tests import questions

KINDS = ("noop", "bare", "shipped")
GOALS = {"Evaluate": 1.25, "Validate": 1.25, "Score": 1.5, "DealRound": 1.5}
CONCURRENCY = 16


@dataclass
class Target:
    """A server under load; its log goes to a file, as it would somewhere."""

    address: str
    pid: int
    channel: Any = None

    def cpu(self) -> float:
        """Give the CPU time of the process, in seconds."""
        return time.clock_gettime(
            (~self.pid << 3) | 2
        )  # the clock of a process, as Linux numbers it


@contextmanager
def server(kind: str) -> Iterator[Target]:
    command = (
        [str(Path(sys.executable).with_name("shisanzhi")), "serve", "--port", "0"]
        if kind == "shipped"
        else [sys.executable, "-m", "tests.bench.noop_server", kind]
    )
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield Target(line.split()[-1], process.pid)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


async def _calls(target: Target, method: str, count: int) -> list[float]:
    """Make calls, a fixed number at once; give the seconds that each took."""
    call = target.channel.unary_unary(questions.path(method))
    raw = questions.request(method).SerializeToString()
    left = count
    took: list[float] = []

    async def caller() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            start = time.perf_counter()
            await call(raw)
            took.append(time.perf_counter() - start)

    await asyncio.gather(*(caller() for _ in range(CONCURRENCY)))
    return took


async def _costs(targets: dict[str, Target], rounds: int, calls: int) -> None:
    print(f"server CPU per call in µs, medians of {rounds} turns of {calls} calls")
    print(f"{'':12}{'noop':>8}{'bare':>8}{'shipped':>9}{'bare/noop':>11}{'shipped/noop':>14}  goal")
    for method, goal in GOALS.items():
        costs = defaultdict(list)
        for turn in range(rounds + 1):
            for kind in KINDS[turn % 3 :] + KINDS[: turn % 3]:
                target = targets[kind]
                before = target.cpu()
                await _calls(target, method, calls)
                if turn:  # the first warms up
                    costs[kind].append((target.cpu() - before) / calls * 1e6)
        ratios = {
            kind: statistics.median(
                mine / noop for mine, noop in zip(costs[kind], costs["noop"], strict=True)
            )
            for kind in KINDS
        }
        noop, bare, shipped = (statistics.median(costs[kind]) for kind in KINDS)
        print(
            f"{method:12}{noop:8.0f}{bare:8.0f}{shipped:9.0f}{ratios['bare']:11.2f}"
            f"{ratios['shipped']:14.2f}  {goal}"
            f"   instrumentation {shipped - bare:+.0f} µs",
            flush=True,
        )


async def main(rounds: int, calls: int) -> None:
    with ExitStack() as stack:
        targets = {kind: stack.enter_context(server(kind)) for kind in KINDS}
        for target in targets.values():
            target.channel = grpc.aio.insecure_channel(target.address)
        await _costs(targets, rounds, calls)
        for target in targets.values():
            await target.channel.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    quick = parser.parse_args().quick
    asyncio.run(main(40 if quick else 150, 150))
