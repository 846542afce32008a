"""What a call costs the server, beside a bare grpc.aio server that does nothing.

    python -m tests.bench.server [--quick]

Three servers take turns under the same load: ``noop`` answers with a stored message of the same
size, ``bare`` asks the game logic with nothing around it, ``shipped`` is the command as it ships,
with metrics, log, limits and the mapping of errors. Cost is the CPU time of the server's process
per call, what it does after the last call (booking and logging) included. Instrumentation is what
``shipped`` takes over ``bare``.
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
CALLS = 200
REST = 0.07
"""Seconds after which a server has booked its calls."""


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


async def _cost(target: Target, method: str) -> float:
    """Give the CPU time of one call, in µs."""
    before = target.cpu()
    await _calls(target, method, CALLS)
    await asyncio.sleep(REST)
    return (target.cpu() - before) / CALLS * 1e6


async def _turns(method: str, turns: int, costs: dict[str, list[float]]) -> None:
    """Let fresh servers take turns: two of the same kind can differ by a twentieth all along."""
    with ExitStack() as stack:
        targets = {kind: stack.enter_context(server(kind)) for kind in KINDS}
        for target in targets.values():
            target.channel = grpc.aio.insecure_channel(target.address)
        for turn in range(turns + 1):
            first = turn % len(KINDS)
            for kind in KINDS[first:] + KINDS[:first]:
                cost = await _cost(targets[kind], method)
                if turn:  # the first warms up
                    costs[kind].append(cost)
        for target in targets.values():
            await target.channel.close()


async def _measure(method: str, servers: int, turns: int) -> None:
    costs: dict[str, list[float]] = defaultdict(list)
    for _ in range(servers):
        await _turns(method, turns, costs)
    noop, bare, shipped = (statistics.median(costs[kind]) for kind in KINDS)
    ratios = {
        kind: statistics.median(
            mine / noop for mine, noop in zip(costs[kind], costs["noop"], strict=True)
        )
        for kind in KINDS
    }
    print(
        f"{method:10}{noop:7.0f}{bare:7.0f}{shipped:9.0f}{ratios['bare']:11.2f}"
        f"{ratios['shipped']:14.2f}{GOALS[method]:6}{shipped - bare:+17.0f} µs",
        flush=True,
    )


async def main(servers: int, turns: int) -> None:
    print(f"server CPU per call in µs: medians of {servers * turns} turns of {CALLS} calls")
    print(
        f"{'':10}{'noop':>7}{'bare':>7}{'shipped':>9}"
        f"{'bare/noop':>11}{'shipped/noop':>14}{'goal':>6}{'instrumentation':>20}"
    )
    for method in GOALS:
        await _measure(method, servers, turns)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    quick = parser.parse_args().quick
    asyncio.run(main(3 if quick else 8, 10 if quick else 20))
