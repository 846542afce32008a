"""What a call costs the server, beside a bare grpc.aio server that does nothing.

    python -m tests.bench.server [--quick]

Three servers take turns under the same load: ``noop`` answers with a stored message of the same
size, ``bare`` asks the game logic with nothing around it, ``shipped`` is the command as it ships,
with metrics, log, limits and the mapping of errors. Cost is the CPU time of the server's process
per call, what it does after the last call (booking and logging) included. A round is six calls:
the deal, four hands arranged, the score; it is held against six that do nothing.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from shisanzhi.progress import track
from tests import questions

KINDS = ("noop", "bare", "shipped")
Asked = tuple[str, bytes]
"""A method and a request."""
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


class Work(NamedTuple):
    """Calls made one after another, and the most that they may cost over as many no-ops."""

    calls: Sequence[Asked]
    goal: float


def work() -> dict[str, Work]:
    """Give what is measured."""

    def one(method: str) -> list[Asked]:
        return [(method, questions.raw(method))]

    def given_hands(method: str) -> list[Asked]:
        return [(method, questions.with_hands(method).SerializeToString())]

    hands = questions.response("DealRound").hands
    arranges = [("Arrange", questions.arrange(hand).SerializeToString()) for hand in hands]
    return {
        "Evaluate": Work(one("Evaluate"), 1.15),
        "Validate": Work(one("Validate"), 1.2),
        "Validate, hand": Work(given_hands("Validate"), 1.2),
        "Score": Work(one("Score"), 1.4),
        "Score, hands": Work(given_hands("Score"), 1.4),
        "DealRound": Work(one("DealRound"), 1.25),
        "Arrange": Work(one("Arrange"), 2.0),
        "round": Work([*one("DealRound"), *arranges, *given_hands("Score")], 1.7),
    }


async def _do(target: Target, work: Work) -> None:
    """Do some work over and over, a fixed number at once."""
    calls = [(target.channel.unary_unary(questions.path(name)), raw) for name, raw in work.calls]
    left = CALLS // len(calls)

    async def caller() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            for call, raw in calls:
                await call(raw)

    await asyncio.gather(*(caller() for _ in range(CONCURRENCY)))


async def cost(target: Target, work: Work) -> float:
    """Give the CPU time of one piece of work, in µs."""
    before = target.cpu()
    await _do(target, work)
    await asyncio.sleep(REST)
    return (target.cpu() - before) / (CALLS // len(work.calls)) * 1e6


async def _turns(work: Work, turns: int, costs: dict[str, list[float]]) -> None:
    """Let fresh servers take turns: two of the same kind can differ by a twentieth all along."""
    with ExitStack() as stack:
        targets = {kind: stack.enter_context(server(kind)) for kind in KINDS}
        for target in targets.values():
            target.channel = grpc.aio.insecure_channel(target.address)
        for turn in range(turns + 1):
            first = turn % len(KINDS)
            for kind in KINDS[first:] + KINDS[:first]:
                took = await cost(targets[kind], work)
                if turn:  # the first warms up
                    costs[kind].append(took)
        for target in targets.values():
            await target.channel.close()


async def _measure(name: str, work: Work, servers: int, turns: int) -> None:
    costs: dict[str, list[float]] = defaultdict(list)
    for _ in track(name, range(servers), servers):
        await _turns(work, turns, costs)
    noop, bare, shipped = (statistics.median(costs[kind]) for kind in KINDS)
    ratios = {
        kind: statistics.median(
            mine / noop for mine, noop in zip(costs[kind], costs["noop"], strict=True)
        )
        for kind in KINDS
    }
    print(
        f"{name:16}{noop:7.0f}{bare:7.0f}{shipped:9.0f}{ratios['bare']:11.2f}"
        f"{ratios['shipped']:14.2f}{work.goal:6}",
        flush=True,
    )


async def main(servers: int, turns: int) -> None:
    print(f"server CPU in µs: medians of {servers * turns} turns of {CALLS} calls")
    print(
        f"{'':16}{'noop':>7}{'bare':>7}{'shipped':>9}"
        f"{'bare/noop':>11}{'shipped/noop':>14}{'goal':>6}"
    )
    for name, each in work().items():
        await _measure(name, each, servers, turns)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    quick = parser.parse_args().quick
    asyncio.run(main(3 if quick else 8, 10 if quick else 20))
