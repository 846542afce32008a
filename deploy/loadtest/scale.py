"""How it scales: the load test at one server, and at two, each pinned to a core of its own.

    python -m deploy.loadtest.scale [SECONDS]

On a machine of two cores the load generator has to share them. So what counts is the processor time
of a round, the servers' and the load generator's apart, which hardly depends on who else is busy;
rounds per second of a core follow from it.
"""

import json
import os
import resource
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from deploy.gateway.local import gateway
from deploy.loadtest.run import arguments, cpu, locust, replicas


class Measured(NamedTuple):
    """Of one run: processor time in milliseconds a round, by whom."""

    rounds: int
    per_second: float
    servers: list[float]
    gateway: float
    generator: float


def measure(count: int, seconds: int, folder: Path, *, behind: bool) -> Measured:
    """Play at some servers, behind the gateway or not, as fast as forty tables go."""
    options = arguments(
        [
            *("--seconds", str(seconds), "--users", "40", "--pace", "0", "--thresholds", ""),
            *(
                "--via",
                "round_robin",
                "--no-spectators",
                "--pin-load",
                f"0-{(os.cpu_count() or 1) - 1}",
            ),
        ]
    )
    with ExitStack() as stack:
        pins = [str(i) for i in range(count)]
        servers = stack.enter_context(replicas(count, folder, pins))
        addresses = [each.address for each in servers]
        host, pids = f"ipv4:{','.join(addresses)}", [each.pid for each in servers]
        if behind:
            running = stack.enter_context(gateway(addresses, folder))
            host = running.platform
            pids.append(running.pid)
        before = [cpu(pid) for pid in pids]
        generator = resource.getrusage(resource.RUSAGE_CHILDREN)
        locust(options, host, folder)
        spent = [cpu(pid) - was for pid, was in zip(pids, before, strict=True)]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    rounds = figures["Score"]["requests"]
    used = after.ru_utime + after.ru_stime - generator.ru_utime - generator.ru_stime
    each = [1000 * one / rounds for one in spent]
    return Measured(rounds, rounds / seconds, each[:count], sum(each[count:]), 1000 * used / rounds)


def main(seconds: int) -> None:
    """Measure one, two, and two behind the gateway."""
    for count, behind in ((1, False), (2, False), (2, True)):
        with tempfile.TemporaryDirectory() as folder:
            got = measure(count, seconds, Path(folder), behind=behind)
        total = sum(got.servers)
        shares = ", ".join(f"{each / total:.0%}" for each in got.servers)
        sys.stdout.write(
            f"servers: {count}{', behind the gateway' if behind else ''}; "
            f"{got.rounds} rounds, {got.per_second:.0f} a second; processor time a round: "
            f"servers {total:.2f} ms ({shares}), gateway {got.gateway:.2f} ms, "
            f"load generator {got.generator:.2f} ms; load average {os.getloadavg()[0]:.1f}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
