"""What full servers carry: one and two, each pinned to a core, asked as fast as they answer.

    python -m deploy.loadtest.replay [SECONDS]

Locust takes as much of a machine as the servers do, so on two cores it fills no two servers.
h2load (Debian's nghttp2-client) takes an eighth; but it sends one request again and again, so a
round's methods are measured one after the other. One server and two take turns, and whatever else
the machine does meets both.
"""

import re
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from deploy.loadtest.run import Replica, cpu, replicas
from shisanzhi.progress import track
from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC

CALLS = {"DealRound": 1, "Arrange": 4, "Validate": 4, "Score": 1, "AdvanceMatch": 1}
"""Of a round, as the load test plays it."""
TURNS = 3
LEAST_SECONDS = 0.5
"""Of one measurement."""


class Recorded(NamedTuple):
    """A request, framed for gRPC, and how many bytes its framed answer has."""

    method: str
    body: Path
    answer: int


def record(address: str, folder: Path) -> list[Recorded]:
    """Play a round; give a request of each method."""
    asked: dict[str, Recorded] = {}
    with grpc.insecure_channel(address) as channel:
        logic: Any = GameLogicServiceStub(channel)

        def ask(method: str, **fields: Any) -> Any:
            request = getattr(messages, f"{method}Request")(**fields)
            answer = getattr(logic, method)(request)
            raw = request.SerializeToString()
            body = folder / method
            body.write_bytes(struct.pack(">BI", 0, len(raw)) + raw)
            asked[method] = Recorded(method, body, 5 + answer.ByteSize())
            return answer

        rules: Any = {"ruleset": RULESET_CLASSIC}
        seed = bytes(range(48))
        match = ask("StartMatch", **rules, seed=seed, player_ids="ABCD").match
        hands = ask("DealRound", **rules, seed=seed, round=1, dealer=match.dealer).hands
        laid = [
            ask("Arrange", **rules, hand=hand.cards).suggestions[0].arrangement for hand in hands
        ]
        ask("Validate", **rules, arrangement=laid[0], hand=hands[0].cards)
        dealt: Any = {"dealer": match.dealer, "hands": hands}
        seats = ask("Score", **rules, **dealt, arrangements=laid).result.seats
        ask("AdvanceMatch", match=match, units=[seat.total_units for seat in seats])
    return [asked[method] for method in CALLS]


class Measured(NamedTuple):
    """Of one call: seconds until the next is done, processor time of the servers and of h2load."""

    each: float
    servers: float
    generator: float


def measure(servers: list[Replica], request: Recorded, seconds: float) -> Measured:
    """Ask each server as fast as it answers."""
    spent = -sum(cpu(each.pid) for each in servers)
    used = -_children()
    sending = [_h2load(each.address, request, seconds) for each in servers]
    done = sum(_done(each.communicate()[0], request) for each in sending)
    spent += sum(cpu(each.pid) for each in servers)
    used += _children()
    return Measured(seconds / done, spent / done, used / done)


def _children() -> float:
    """Give the processor time of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _h2load(address: str, request: Recorded, seconds: float) -> "subprocess.Popen[str]":
    words: list[str | Path] = [
        *(
            "h2load",
            "--duration",
            f"{1000 * seconds:.0f}ms",
            "--clients",
            "4",
            "--max-concurrent-streams",
            "8",
        ),
        *("--header", "content-type: application/grpc", "--header", "te: trailers"),
        *("--data", request.body),
        f"http://{address}/shisanzhi.v1.GameLogicService/{request.method}",
    ]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def _done(said: str, request: Recorded) -> int:
    """Give how many calls were answered, and see that it was with an answer, not with a refusal."""
    counted = re.search(r" (\d+) succeeded.* \((\d+)\) data", said, re.DOTALL)
    done, data = map(int, counted.groups()) if counted else (0, 0)
    if not done or data != done * request.answer:
        sys.exit(f"expected {request.method} to answer {request.answer} bytes, got: {said}")
    return done


class Round(NamedTuple):
    """Of a whole round."""

    per_second: float
    servers_ms: float
    generator_ms: float


def whole(measured: dict[str, Measured]) -> Round:
    """Add up what was measured, by method."""
    each, servers, generator = (
        sum(CALLS[method] * one[i] for method, one in measured.items()) for i in range(3)
    )
    return Round(1 / each, 1000 * servers, 1000 * generator)


def turns(seconds: float, folder: Path) -> Iterator[tuple[Round, Round]]:
    """Measure one server and two, turn after turn."""
    with replicas(2, folder, ["0", "1"]) as servers:
        requests = record(servers[0].address, folder)
        lasting = max(LEAST_SECONDS, seconds / (2 * TURNS * len(requests)))
        for _ in range(TURNS):
            pairs = {
                request.method: [measure(some, request, lasting) for some in (servers[:1], servers)]
                for request in track("measuring a turn", requests, len(requests))
            }
            one, two = (
                whole({method: pair[i] for method, pair in pairs.items()}) for i in range(2)
            )
            yield one, two


def main(seconds: float) -> None:
    """Measure, and print every turn, and of all turns what the second server adds and costs."""
    if not shutil.which("h2load"):
        sys.exit("expected h2load, which Debian has in nghttp2-client")
    carried, cost = [], []
    with tempfile.TemporaryDirectory() as folder:
        for one, two in turns(seconds, Path(folder)):
            carried.append(two.per_second / one.per_second)
            cost.append(two.servers_ms / one.servers_ms)
            sys.stdout.write(
                f"rounds a second: {one.per_second:.0f} with one server, {two.per_second:.0f} with "
                f"two; processor time of a round: servers {one.servers_ms:.2f} ms and "
                f"{two.servers_ms:.2f} ms, h2load {one.generator_ms:.2f} ms and "
                f"{two.generator_ms:.2f} ms\n"
            )
            sys.stdout.flush()
    sys.stdout.write(
        f"two servers carry {statistics.median(carried):.2f} times what one does, at "
        f"{statistics.median(cost):.2f} times the processor time of a round\n"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
