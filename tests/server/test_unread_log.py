"""A log that nobody reads, or without room, stops nothing: lines are lost whole, and counted."""

import asyncio
import fcntl
import json
import os
import pty
import resource
import subprocess
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.server.calls import OK, ask, ask_async, get, series, total
from tests.server.load import channel
from tests.servers import COMMAND, DEFAULT_FLAGS, Process, serving, wait_for

LONG_PATH = f"/{60 * 'x'}/{60 * 'y'}"
LONG_ID = 128 * "z"
AT_ONCE = 50


def lost(process: Process) -> float:
    return total(series(process), "shisanzhi_log_lines_lost_total")


def call(process: Process, count: int) -> None:
    """Make calls, each of which has a long line in the log."""

    async def run() -> None:
        async with channel(process.address) as connected:
            metadata = (("x-request-id", LONG_ID),)
            for made in range(0, count, AT_ONCE):
                more = range(min(AT_ONCE, count - made))
                asked = (ask_async(connected, LONG_PATH, b"", metadata=metadata) for _ in more)
                for outcome in await asyncio.gather(*asked):
                    assert outcome.code is grpc.StatusCode.UNIMPLEMENTED

    asyncio.run(run())


def call_until_lines_are_lost(process: Process) -> int:
    """Give how many calls that took."""
    made = 0
    before = lost(process)
    while lost(process) == before:
        assert made < 20_000, "expected a log that takes no more"
        call(process, 500)
        made += 500
    return made


def assert_all_is_well(process: Process) -> None:
    begun = time.monotonic()
    assert ask(process, "Evaluate").code is OK
    assert ask(process, "Evaluate", b"").code is grpc.StatusCode.INVALID_ARGUMENT
    assert ask(process, "/grpc.health.v1.Health/Check", b"").code is OK
    assert get(process, "/livez")[0] == 200
    assert time.monotonic() - begun < 5


def assert_it_stops(process: Process) -> None:
    begun = time.monotonic()
    process.signal()
    assert process.wait(20) == 0
    assert time.monotonic() - begun < 5


@contextmanager
def unread() -> Iterator[tuple[Process, int]]:
    """Run a server whose log is a pipe that nobody reads; give the end to read from too."""
    reader, writer = os.pipe()
    try:
        with serving(stderr=writer) as process:
            os.close(writer)
            yield process, reader
    finally:
        os.close(reader)


def events(log: bytes) -> list[dict[str, Any]]:
    """Parse whole lines; none may be torn."""
    assert log.endswith(b"\n")
    return [json.loads(line) for line in log.splitlines()]


def everything(reader: int) -> bytes:
    """Read until the end."""
    received = b""
    while more := os.read(reader, 65536):
        received += more
    return received


def test_calls_probes_metrics_and_stopping_never_wait_for_the_log() -> None:
    with unread() as (process, reader):
        call_until_lines_are_lost(process)
        assert_all_is_well(process)
        assert_it_stops(process)
        assert {event["event"] for event in events(everything(reader))} == {"serving", "call"}


def test_once_it_is_read_again_the_log_says_how_many_lines_it_lacks() -> None:
    with unread() as (process, reader):
        made = call_until_lines_are_lost(process)
        missing = lost(process)
        log: list[bytes] = []
        reading = threading.Thread(target=lambda: log.append(everything(reader)))
        reading.start()
        time.sleep(0.5)
        assert lost(process) == missing
        assert_it_stops(process)
        reading.join()
    read = events(log[0])
    (gap,) = (event for event in read if event["event"] == "log lines lost")
    assert gap["lines"] == gap["total"] == missing
    assert made == missing + sum(event["event"] == "call" for event in read)
    assert read[-1]["event"] == "stopped"


def test_whoever_shares_the_log_may_make_it_non_blocking() -> None:
    """Node.js does so with the pipes that it hands to its children."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with serving(stderr=writer) as process:
        call(process, 500)
        os.close(writer)
        log: list[bytes] = []
        reading = threading.Thread(target=lambda: log.append(everything(reader)))
        reading.start()
        assert_it_stops(process)
        reading.join()
    assert sum(event["event"] == "call" for event in events(log[0])) == 500
    os.close(reader)


def test_a_stopped_terminal_stops_nothing() -> None:
    main, terminal = pty.openpty()
    with serving(stderr=terminal) as process:
        termios.tcflow(terminal, termios.TCOOFF)
        call_until_lines_are_lost(process)
        assert_all_is_well(process)
        termios.tcflow(terminal, termios.TCOON)
        shown = b""
        while b"log lines lost" not in shown:
            shown = shown[-100:] + os.read(main, 65536)
        termios.tcflow(terminal, termios.TCOOFF)
        call(process, 300)
        assert_it_stops(process)
    os.close(terminal)
    os.close(main)


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-", ""])
def test_a_log_that_takes_nothing_is_counted(redirection: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    shell = ("/bin/sh", "-c", f'exec "$@" {redirection}', "sh", COMMAND)
    with serving(command=shell, stderr=writer) as process:
        os.close(writer)
        before = lost(process)
        assert_all_is_well(process)
        wait_for(lambda: lost(process) >= before + 2)
        assert_it_stops(process)


class Disk:
    """A place for a log that can be full, and have room again."""

    def __init__(self, path: Path) -> None:
        self.log = path / "log"

    def fill(self, process: Process) -> None:
        """Leave room for a line and a half."""
        self._limit(process, self.log.stat().st_size + 700)

    def make_room(self, process: Process) -> None:
        self._limit(process, resource.RLIM_INFINITY)

    @staticmethod
    def _limit(process: Process, size: int) -> None:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class SmallDisk(Disk):
    """The real thing, for which one must be root."""

    def fill(self, process: Process) -> None:
        del process
        self._remount(64)
        (self.log.parent / "ballast").write_bytes(bytes(32 << 10))

    def make_room(self, process: Process) -> None:
        del process
        (self.log.parent / "ballast").unlink()
        self._remount(512)

    def _remount(self, kib: int) -> None:
        options = f"remount,size={kib}k"
        subprocess.run(["/bin/mount", "-o", options, self.log.parent], check=True)


@pytest.fixture(params=[Disk, SmallDisk])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    if request.param is Disk:
        yield Disk(tmp_path)
        return
    mount = ["/bin/mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("expected to be allowed to mount a tmpfs")
    try:
        yield SmallDisk(tmp_path)
    finally:
        subprocess.run(["/bin/umount", tmp_path], check=True)


def test_a_full_disk_loses_lines_and_tears_none(disk: Disk) -> None:
    with disk.log.open("wb") as file, serving(stderr=file.fileno()) as process:
        call(process, 20)
        disk.fill(process)
        made = 20 + call_until_lines_are_lost(process)
        assert_all_is_well(process)
        missing = lost(process)
        assert not disk.log.read_bytes().endswith(b"\n")
        disk.make_room(process)
        call(process, 1)
        wait_for(lambda: b"log lines lost" in disk.log.read_bytes())
        assert lost(process) == missing
        assert_it_stops(process)
    read = events(disk.log.read_bytes())
    (gap,) = (event for event in read if event["event"] == "log lines lost")
    assert gap["lines"] == gap["total"] == missing
    assert made + 3 == missing + sum(event["event"] == "call" for event in read)
    assert read[-1]["event"] == "stopped"


@contextmanager
def ended(popen: subprocess.Popen[str]) -> Iterator[None]:
    """Leave no process behind."""
    try:
        yield
    finally:
        popen.kill()
        popen.wait()


@pytest.mark.parametrize("stdout", ["unread", "closed", "full"])
def test_announcements_that_nobody_reads_hold_up_nothing(stdout: str) -> None:
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writer, bytes(4096))
    redirection = {"unread": "", "closed": ">&-", "full": ">/dev/full"}[stdout]
    popen = subprocess.Popen(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", COMMAND, "serve", *DEFAULT_FLAGS],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert popen.stderr is not None
    with popen.stderr, ended(popen):
        line = json.loads(popen.stderr.readline())
        process = Process(popen, line["addresses"][0], line["management"][0], stdout=[])
        assert_all_is_well(process)
        assert_it_stops(process)
    os.close(reader)
    os.close(writer)


def test_a_core_that_says_more_than_can_be_read_does_not_stop_the_server() -> None:
    reader, writer = os.pipe()
    environment = {"GRPC_TRACE": "all", "GRPC_VERBOSITY": "debug"}
    with serving(stderr=writer, environment=environment) as process:
        for _ in range(10):
            assert ask(process, "Evaluate").code is OK
        assert lost(process) > 0
        process.signal()
        assert process.wait(20) == 0
    os.close(writer)
    os.close(reader)
