"""Starting: warm before it serves, and a clear error instead of half a server."""

import json
import os
import socket
import statistics
import subprocess
from pathlib import Path

import grpc
import pytest

from shisanzhi.engine.solver.arranger import COMPILED
from tests import questions
from tests.server.calls import OK, ask, memory
from tests.servers import COMMAND, Process, serving


def refused(*flags: str) -> str:
    """Start a server that should not start; give what it says."""
    ended = subprocess.run(
        [COMMAND, "serve", *flags], capture_output=True, text=True, timeout=30, check=False
    )
    assert ended.returncode != 0
    assert not ended.stdout
    assert "Traceback" not in ended.stderr
    return ended.stderr


def listening(family: socket.AddressFamily, address: str) -> socket.socket:
    taken = socket.socket(family, socket.SOCK_STREAM)
    # Even to a socket that would share.
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    taken.bind((address, 0))
    taken.listen()
    return taken


def test_prints_the_address_it_serves_on(server: Process) -> None:
    assert server.stdout[-1] == f"serving on {server.address}\n"
    assert ask(server, "Evaluate").code is OK


def test_the_log_says_whether_the_solver_is_compiled(server: Process) -> None:
    line = json.loads(server.line('"serving"'))
    solver = ("compiled", "info") if COMPILED else ("interpreted", "warning")
    assert (line["solver"], line["level"]) == solver


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])  # noqa: S104 - on purpose
def test_a_port_in_use_is_an_error(host: str) -> None:
    with listening(socket.AF_INET, "127.0.0.1") as taken:
        port = taken.getsockname()[1]
        assert f"{port}: Address already in use" in refused("--host", host, "--port", str(port))


def test_a_port_of_another_server_is_never_shared(server: Process) -> None:
    port = server.address.rpartition(":")[2]
    assert "Address already in use" in refused("--port", port)


def test_a_management_port_in_use_is_an_error(server: Process) -> None:
    assert server.management is not None
    port = server.management.rpartition(":")[2]
    assert "Address already in use" in refused("--port", "0", "--management-port", port)


def test_a_host_that_does_not_resolve_is_an_error() -> None:
    assert "expected a host that resolves, got 'no.such.host.invalid'" in refused(
        "--host", "no.such.host.invalid", "--port", "0"
    )


def test_an_address_of_another_machine_is_an_error() -> None:
    assert "Cannot assign requested address" in refused("--host", "192.0.2.1", "--port", "0")


def test_a_name_with_two_addresses_is_served_on_both_or_not_at_all() -> None:
    with serving("--host", "localhost") as process:
        addresses = [line.split()[-1] for line in process.stdout if line.startswith("serving")]
        for address in addresses:
            with grpc.insecure_channel(address) as channel:
                assert ask(channel, "Evaluate").code is OK


@pytest.mark.alone
def test_the_first_call_is_as_fast_as_the_hundredth() -> None:
    with serving() as process, grpc.insecure_channel(process.address) as channel:
        ask(channel, "/grpc.health.v1.Health/Check", b"")  # so that the connection stands
        for method in questions.METHODS:
            first, *others = [ask(channel, method).seconds for _ in range(100)]
            # A table built by the first call would take a hundred times as long as the others.
            assert first < 10 * statistics.median(others) + 0.01, method


def test_starts_within_a_second_of_cpu_and_90_mb() -> None:
    with serving() as process:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        # CPU is dearer on a machine with other work; the figure of a quiet one is half of it.
        assert seconds < 2
        assert memory(process.pid) < 90e6
