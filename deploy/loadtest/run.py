"""The load test on one machine: servers, if wanted a gateway, and locust; then all is stopped.

python -m deploy.loadtest.run --replicas 2 --via gateway --seconds 60
"""

import argparse
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from deploy.gateway.local import free_ports, gateway
from deploy.loadtest.players import EXAMPLE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BIN = Path(sys.executable).parent
QUIET = {"GRPC_ENABLE_FORK_SUPPORT": "0", "GRPC_VERBOSITY": "NONE"}
"""For grpc's core: nobody forks; and a gateway without a health of its own is no news."""
PATIENCE = 120
"""Seconds that the match gets after the load has ended."""
DRAIN = 2.0
"""Seconds: the manifests' delay, scaled down; health checks look every second."""


def cpu(pid: int) -> float:
    """Give the processor time of a process, in seconds."""
    return time.clock_gettime((~pid << 3) | 2)  # the clock of a process, as Linux numbers it


class Replica:
    """A server on a port of its own, to be ended and replaced."""

    def __init__(self, port: int, log: Path, cores: str = "") -> None:
        """Start it."""
        self.port = port
        self._log = log
        self._cores = cores
        self._process = self._start()

    @property
    def address(self) -> str:
        """Where it serves."""
        return f"127.0.0.1:{self.port}"

    def _start(self) -> "subprocess.Popen[str]":
        pinned = ["taskset", "--cpu-list", self._cores] if self._cores else []
        flags = ["--port", str(self.port), "--drain-delay", str(DRAIN), "--log-ok-every", "0"]
        with self._log.open("a") as log:
            process = subprocess.Popen(
                [*pinned, BIN / "shisanzhi", "serve", *flags, "--management-port", "0"],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        # It says nothing more than where it serves.
        with process.stdout or sys.exit("expected a pipe") as said:
            if any(line.startswith("serving on ") for line in said):
                return process
        sys.exit(f"expected a server that starts; see {self._log}")

    @property
    def pid(self) -> int:
        """Which process it is."""
        return self._process.pid

    def replace(self, number: signal.Signals) -> None:
        """End it by a signal, wait, and start another in its place."""
        self._process.send_signal(number)
        self._process.wait(60)
        self._process = self._start()

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(60)


@contextmanager
def replicas(count: int, folder: Path, pins: Sequence[str] = ()) -> Iterator[list[Replica]]:
    """Run some for the length of a block."""
    started: list[Replica] = []
    try:
        for i, port in enumerate(free_ports(count)):
            pin = pins[i % len(pins)] if pins else ""
            started.append(Replica(port, folder / f"server-{i}.log", pin))
        yield started
    finally:
        for each in started:
            each.stop()


@contextmanager
def disturbing(servers: list[Replica], kinds: list[signal.Signals]) -> Iterator[list[str]]:
    """End and replace one server after the other meanwhile; tell how."""
    done: list[str] = []
    over = threading.Event()

    def disturb() -> None:
        for server, kind in zip(itertools.cycle(servers), itertools.cycle(kinds), strict=False):
            if over.wait(2):
                return
            server.replace(kind)
            done.append(kind.name)

    thread = threading.Thread(target=disturb)
    if kinds:
        thread.start()
    try:
        yield done
    finally:
        over.set()
        if kinds:
            thread.join()


def locust(options: argparse.Namespace, host: str, folder: Path) -> int:
    """Run locust; give its exit code."""
    users = ["Arrivals"] if options.arrival_rate else ["Tables", "Spectators"]
    users = users[:1] if options.no_spectators else users
    shown = (
        ["--web-host", "127.0.0.1", "--web-port", "8089"]
        if options.web
        else [
            "--headless",
            "--only-summary",
            "--run-time",
            f"{options.seconds}s",
            "--stop-timeout",
            "12",
        ]
    )
    count = 1 if options.arrival_rate else options.users
    words: list[str | Path] = [
        *(["taskset", "--cpu-list", options.pin_load] if options.pin_load else []),
        BIN / "locust",
        *("--locustfile", str(HERE / "locustfile.py"), "--host", host, *shown),
        *("--users", str(count), "--spawn-rate", str(max(1, count / 3))),
        *("--pace", str(options.pace), "--arrival-rate", str(options.arrival_rate)),
        *("--thresholds", options.thresholds, "--html", str(folder / "report.html")),
        *("--figures", str(folder / "figures.json"), "--loglevel", "WARNING"),
        *(["--no-retries"] if options.no_retries else []),
        *users,
    ]
    return subprocess.run(words, check=False, env={**QUIET, **os.environ}).returncode


@contextmanager
def match(logic: str, seconds: float) -> Iterator["subprocess.Popen[str]"]:
    """Have a table server play a match meanwhile, which is killed and played on: see match.py."""
    words = ["-m", "deploy.loadtest.match", "--logic", logic, "--seconds", str(seconds)]
    path = os.pathsep.join((str(ROOT), str(EXAMPLE)))
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**QUIET, **os.environ, "PYTHONPATH": path},
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def outcome(process: "subprocess.Popen[str]") -> tuple[str, int]:
    """Wait for the match; give what is to be said of it, and its exit code."""
    try:
        said, _ = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"match: expected it to end within {PATIENCE} s after the load\n", 1
    return said, process.returncode


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--via", choices=("gateway", "round_robin"), default="gateway")
    parser.add_argument("--host", default="", help="of servers that run already; none are started")
    parser.add_argument("--users", type=int, default=40, help="four of five are tables")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds from round to round")
    parser.add_argument(
        "--arrival-rate", type=float, default=0.0, help="open loop: rounds a second"
    )
    parser.add_argument("--no-spectators", action="store_true", help="tables alone")
    parser.add_argument("--no-match", action="store_true", help="no match of a table server")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--web", action="store_true", help="with a web page on port 8089")
    parser.add_argument("--no-retries", action="store_true", help="the client makes no call again")
    parser.add_argument(
        "--disturb", default="", metavar="TERM,KILL", help="end and replace servers meanwhile"
    )
    parser.add_argument("--pin", default="", metavar="0,1", help="a core for each server in turn")
    parser.add_argument("--pin-load", default="", metavar="CORES")
    parser.add_argument("--thresholds", default=str(HERE / "thresholds.toml"))
    parser.add_argument("--report", default="build/loadtest", metavar="FOLDER")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Run it all; give 0 if the thresholds were met, and the match is as it should be."""
    options = arguments(given)
    folder = Path(options.report)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = [signal.Signals[f"SIG{name}"] for name in re.findall(r"\w+", options.disturb)]
    with ExitStack() as stack:
        host = options.host
        servers: list[Replica] = []
        if not host:
            pins = re.findall(r"\d+", options.pin)
            servers = stack.enter_context(replicas(options.replicas, folder, pins))
            addresses = [each.address for each in servers]
            host = (
                stack.enter_context(gateway(addresses, folder)).platform
                if options.via == "gateway"
                else f"ipv4:{','.join(addresses)}"
            )
        done = stack.enter_context(disturbing(servers, kinds))
        # Over before the load is.
        playing = (
            None if options.no_match else stack.enter_context(match(host, options.seconds / 2))
        )
        load_before = os.getloadavg()[0]
        begun = time.monotonic()
        code = locust(options, host, folder)
        took = time.monotonic() - begun
        if playing:
            said, failed = outcome(playing)
            sys.stdout.write(said)
            code = code or failed
    ended = f", servers ended and replaced: {', '.join(done)}" if done else ""
    print(  # noqa: T201 - for who ran it
        f"{took:.0f} s, {len(servers)} servers, load average {load_before:.1f} before and "
        f"{os.getloadavg()[0]:.1f} after{ended}; report in {folder}/report.html; exit code {code}"
    )
    return code


if __name__ == "__main__":
    sys.exit(main())
