"""Real servers for tests: the command itself, in a process of its own, on a free port."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

COMMAND = Path(sys.executable).with_name("shisanzhi")
FAULTY = (sys.executable, Path(__file__).parent / "server" / "faulty.py")
"""The command with faults built in, to be had where a test needs one."""
START_SECONDS = 30
DEFAULT_FLAGS = ("--port", "0", "--management-port", "0", "--drain-delay", "0")


@dataclass
class Process:
    """A server process; ``log`` is what it has written to stderr so far."""

    popen: subprocess.Popen[str]
    address: str
    management: str | None
    stdout: list[str]
    log: list[str] = field(default_factory=list)

    @property
    def pid(self) -> int:
        return self.popen.pid

    @property
    def text(self) -> str:
        """Everything it has written."""
        return "".join(self.stdout + self.log)

    def line(self, *words: str) -> str:
        """Wait for a line of the log that holds all of some words, and give it."""

        def found() -> str:
            return next((line for line in self.log if all(word in line for word in words)), "")

        wait_for(lambda: bool(found()))
        return found()

    def signal(self, number: signal.Signals = signal.SIGTERM) -> None:
        self.popen.send_signal(number)

    def wait(self, seconds: float = 30) -> int:
        """Wait for the process to end; give its exit code."""
        return self.popen.wait(seconds)


def wait_for(true: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "expected it to come about in time"
        time.sleep(0.01)


def start(
    *flags: str,
    environment: Mapping[str, str] | None = None,
    command: Sequence[str | Path] = (COMMAND,),
    stderr: int = subprocess.PIPE,
) -> Process:
    """Start a server on a free loopback port, with no drain delay unless asked for.

    With a descriptor for stderr nobody reads its log, unless the test does.
    """
    popen = subprocess.Popen(
        [*command, "serve", *DEFAULT_FLAGS, *flags],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    assert popen.stdout is not None
    process = Process(popen, "", None, [])
    reader = threading.Thread(target=_drain, args=(popen.stderr, process.log), daemon=True)
    reader.start()
    watchdog = threading.Timer(START_SECONDS, popen.kill)
    watchdog.start()
    try:
        for line in popen.stdout:
            process.stdout.append(line)
            if line.startswith("management on "):
                process.management = line.split()[-1]
            if match := re.fullmatch(r"serving on (\S+)\n", line):
                process.address = match[1]
                break
    finally:
        watchdog.cancel()
        if not process.address:
            popen.kill()
            popen.wait()
            reader.join()
            popen.stdout.close()
    if not process.address:
        raise AssertionError(f"expected a server that starts, got: {process.text}")
    return process


def _drain(pipe: IO[str] | None, log: list[str]) -> None:
    if pipe is not None:
        with pipe:
            log.extend(pipe)


def stop(process: Process) -> int:
    """End the process if it still runs; give its exit code."""
    if process.popen.poll() is None:
        process.signal()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.popen.kill()
    exit_code = process.wait()
    assert process.popen.stdout is not None
    process.popen.stdout.close()
    return exit_code


@contextmanager
def serving(
    *flags: str,
    environment: Mapping[str, str] | None = None,
    command: Sequence[str | Path] = (COMMAND,),
    stderr: int = subprocess.PIPE,
) -> Iterator[Process]:
    """Run a server for the length of a block."""
    process = start(*flags, environment=environment, command=command, stderr=stderr)
    try:
        yield process
    finally:
        stop(process)
