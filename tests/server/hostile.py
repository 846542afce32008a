"""What one client does to take the service from the others, each for some seconds.

python -m tests.server.hostile [SECONDS]
"""

import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple

import grpc

from tests import questions
from tests.server.calls import OK, ask, get, memory, percentile
from tests.server.load import SERVICE_CONFIG
from tests.server.raw_http2 import Connection, many_calls
from tests.servers import Process, serving

HEALTH = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
EVALUATE = questions.path("Evaluate")
FLAGS = ("--request-timeout", "2", "--response-timeout", "2")
"""Shorter than they are shipped, so that a test sees them come."""


def framed(message: bytes) -> bytes:
    return struct.pack(">BI", 0, len(message)) + message


class Attack(NamedTuple):
    """Some connections, and what each does once it is there."""

    connections: int
    begin: Callable[[Connection], None]
    window: int = 2**31 - 1
    management: bool = False


def open_streams(path: str, count: int, data: bytes = b"", *, end: bool = False) -> Any:
    """Open streams and send the same on each of them."""

    def begin(connection: Connection) -> None:
        with suppress(OSError):
            for _ in range(count):
                stream = connection.open(path, {})
                for start in range(0, len(data), 16384):
                    connection.send(stream, data[start : start + 16384])
                if end:
                    connection.send(stream, b"", end=True)

    return begin


def nothing(_connection: Connection) -> None:
    """Say nothing more."""


def resets(connection: Connection) -> None:
    """Open a stream and reset it, over and over."""
    with suppress(ConnectionError):
        for _ in range(5000):
            connection.reset(connection.open(EVALUATE, {}))


def pings(connection: Connection, times: int = 1) -> None:
    """Ask for pongs, ten thousand each time, and read none."""
    with suppress(OSError):
        for _ in range(times):
            connection.send_pings(10_000)


HALF = struct.pack(">BI", 0, 65_000) + bytes(60_000)


def write_and_reset(path: str, message: bytes) -> Any:
    """Have a stream written to that takes nothing, then reset it."""

    def begin(connection: Connection) -> None:
        with suppress(OSError):
            stream = connection.open(path, {})
            connection.send(stream, framed(message))
            time.sleep(0.1)
            connection.reset(stream)

    return begin


ATTACKS = {
    "answers that are not taken": Attack(
        4, open_streams(EVALUATE, 100, framed(questions.raw("Evaluate")), end=True), window=0
    ),
    "messages half sent": Attack(10, open_streams(EVALUATE, 100, HALF)),
    "headers alone": Attack(10, open_streams(EVALUATE, 100)),
    "watchers": Attack(100, open_streams(WATCH, 100, framed(b""))),
    "reflection": Attack(50, open_streams(REFLECTION, 100)),
    "reflection streams full of requests": Attack(
        100, open_streams(REFLECTION, 4, framed(b"") * 10_000)
    ),
    "watchers on the management port": Attack(
        80, open_streams(WATCH, 10, framed(b"")), management=True
    ),
    "silence on the management port": Attack(200, nothing, management=True),
    "watchers that reset": Attack(8, write_and_reset(WATCH, b""), window=0),
    "unknown methods": Attack(10, open_streams("/no.Service/Method", 100)),
    "streams reset at once": Attack(4, resets),
    "pings": Attack(4, pings),
}


CALLS_AT_ONCE = 99
_RESET = struct.pack("ii", 1, 0)
"""To linger for no time: a closed connection is reset."""


class Comers(NamedTuple):
    """Connections that come and come; each makes calls, stays for some seconds and is reset."""

    per_second: float
    path: str = EVALUATE
    message: bytes = questions.raw("Evaluate")
    stays: float = 0
    management: bool = False


HEALTH_COMERS = Comers(100, f"{HEALTH.removesuffix('Check')}List", b"", stays=2, management=True)
LINGERING_COMERS = Comers(50, questions.path("GetRuleset"), questions.raw("GetRuleset"), stays=0.05)


@contextmanager
def coming(process: Process, comers: Comers) -> Iterator[list[int]]:
    """Let them come for the length of a block; gives the calls of each."""
    address = process.management if comers.management else process.address
    host, _, port = (address or "").rpartition(":")
    said = many_calls(comers.path, framed(comers.message), CALLS_AT_ONCE)
    made: list[int] = []
    there: deque[tuple[float, socket.socket]] = deque()
    over = threading.Event()

    def come() -> None:
        began = time.monotonic()
        while not over.wait(max(0, began + len(made) / comers.per_second - time.monotonic())):
            with suppress(OSError):
                connection = socket.create_connection((host, int(port)))
                there.append((time.monotonic(), connection))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                connection.sendall(said)
            made.append(CALLS_AT_ONCE)
            go(comers.stays)

    def go(stays: float) -> None:
        while there and there[0][0] <= time.monotonic() - stays:
            there.popleft()[1].close()

    thread = threading.Thread(target=come)
    thread.start()
    try:
        yield made
    finally:
        over.set()
        thread.join()
        go(0)


class Seen(NamedTuple):
    """What another client saw meanwhile; seconds, and bytes of the server's memory."""

    calls: list[float]
    health: list[float]
    livez: list[float]
    grown: int

    def __str__(self) -> str:
        return (
            f"calls {len(self.calls)}, p99 {percentile(self.calls, 0.99) * 1000:.0f} ms; "
            f"health at most {max(self.health) * 1000:.0f} ms, livez {max(self.livez) * 1000:.0f}; "
            f"memory +{self.grown / 1e6:.0f} MB"
        )


def shipped_channel(address: str) -> Any:
    """Give a channel of a client that retries as we ship it.

    Of some thousand calls that come at once the core turns some away, whoever made them.
    """
    return grpc.insecure_channel(address, options=[("grpc.service_config", SERVICE_CONFIG)])


@contextmanager
def under(process: Process, attack: Attack) -> Iterator[None]:
    """Hold an attack for the length of a block."""
    address = process.management if attack.management else process.address
    with ExitStack() as stack:
        for _ in range(attack.connections):
            with suppress(ConnectionError):
                connection = Connection(address or "", window=attack.window)
                attack.begin(stack.enter_context(connection))
        yield


def watch(process: Process, seconds: float) -> Seen:
    """Be another client, and a probe, for some seconds; every call must be answered."""
    before = memory(process.pid)
    calls, health, livez = [], [], []
    end = time.monotonic() + seconds
    with shipped_channel(process.address) as channel:
        while time.monotonic() < end:
            outcome = ask(channel, "Evaluate", timeout=5)
            assert outcome.code is OK, outcome
            calls.append(outcome.seconds)
            outcome = ask(channel, HEALTH, b"", timeout=5)
            assert outcome.code is OK, outcome
            health.append(outcome.seconds)
            begun = time.perf_counter()
            assert get(process, "/livez")[0] == 200
            livez.append(time.perf_counter() - begun)
            time.sleep(0.01)
    return Seen(calls, health, livez, memory(process.pid) - before)


def endure(process: Process, attack: Attack, seconds: float) -> Seen:
    """See what others see while an attack lasts; memory is counted from before it."""
    before = memory(process.pid)
    with under(process, attack):
        seen = watch(process, seconds)
        return seen._replace(grown=memory(process.pid) - before)


def answered(process: Process, seconds: float) -> float:
    """Tell which share of another client's calls is answered: of 160 a second, each made once."""
    codes = []
    end = time.monotonic() + seconds

    def ask_on(channel: grpc.Channel) -> None:
        while time.monotonic() < end:
            codes.append(ask(channel, "Evaluate", timeout=2).code)
            time.sleep(0.05)

    with grpc.insecure_channel(process.address) as channel, ThreadPoolExecutor(8) as callers:
        list(callers.map(ask_on, [channel] * 8))
    return codes.count(OK) / len(codes)


if __name__ == "__main__":
    LENGTH = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    for rate in (50, 100, 200, 400):
        with serving(*FLAGS) as served, coming(served, Comers(rate)):
            share = answered(served, LENGTH)
            sys.stdout.write(f"{rate} connections reset a second: {share:.0%} answered\n")
    for some in (HEALTH_COMERS, LINGERING_COMERS):
        with serving(*FLAGS) as served, coming(served, some):
            share, before = answered(served, LENGTH), memory(served.pid)
            sys.stdout.write(f"{some}: {share:.0%} answered, {before / 1e6:.0f} MB\n")
    for name, each in ATTACKS.items():
        with serving(*FLAGS) as served:
            watch(served, 1)
            sys.stdout.write(f"{name}: {endure(served, each, LENGTH)}\n")
            begun = time.monotonic()
            with under(served, each):
                served.signal()
                code = served.wait()
            sys.stdout.write(f"  stops with {code} in {time.monotonic() - begun:.1f} s\n")
