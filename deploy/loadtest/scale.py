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
import time
from pathlib import Path
from typing import NamedTuple

from deploy.loadtest.run import arguments, locust, replicas


class Measured(NamedTuple):
    """Of one run: processor time in milliseconds a round, by whom."""

    rounds: int
    per_second: float
    servers: list[float]
    generator: float


def cpu(pid: int) -> float:
    """Give the processor time of a process, in seconds."""
    return time.clock_gettime((~pid << 3) | 2)  # the clock of a process, as Linux numbers it


def measure(count: int, seconds: int, folder: Path) -> Measured:
    """Play at some servers, as fast as forty tables go."""
    options = arguments(
        [
            *("--seconds", str(seconds), "--users", "40", "--pace", "0", "--thresholds", ""),
            *("--via", "round_robin", "--pin-load", f"0-{(os.cpu_count() or 1) - 1}"),
        ]
    )
    with replicas(count, folder, [str(i) for i in range(count)]) as servers:
        before = [cpu(each.pid) for each in servers]
        generator = resource.getrusage(resource.RUSAGE_CHILDREN)
        locust(options, f"ipv4:{','.join(each.address for each in servers)}", folder)
        spent = [cpu(each.pid) - was for each, was in zip(servers, before, strict=True)]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    rounds = figures["Score"]["requests"]
    used = after.ru_utime + after.ru_stime - generator.ru_utime - generator.ru_stime
    per_round = [1000 * each / rounds for each in spent]
    return Measured(rounds, rounds / seconds, per_round, 1000 * used / rounds)


def main(seconds: int) -> None:
    """Measure one and two."""
    for count in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            got = measure(count, seconds, Path(folder))
        total = sum(got.servers)
        sys.stdout.write(
            f"servers: {count}, rounds: {got.rounds}, {got.per_second:.0f} a second; "
            f"processor time a round: servers {total:.2f} ms "
            f"({', '.join(f'{each / total:.0%}' for each in got.servers)}), "
            f"load generator {got.generator:.2f} ms; load average {os.getloadavg()[0]:.1f}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
