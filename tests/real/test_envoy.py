"""Behind a real Envoy, with the configuration that we ship."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from tests.server.calls import ask_async
from tests.server.cutting_off import cutting_off
from tests.server.load import channel, load
from tests.server.test_unreadable_paths import PATHS, refused
from tests.servers import Process, start, stop

SHIPPED = Path(__file__).parents[2] / "deploy" / "envoy" / "envoy.yaml"
RESTARTS = 10
CONCURRENT = 20

pytestmark = pytest.mark.real


def free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


def endpoint(address: str) -> str:
    host, _, port = address.rpartition(":")
    return (
        " " * 14
        + "- endpoint:\n"
        + " " * 18
        + "address:\n"
        + " " * 20
        + f"socket_address: {{ address: {host}, port_value: {port} }}\n"
    )


def configuration(port: int, addresses: Sequence[str]) -> str:
    """Give the shipped configuration with other addresses."""
    text = SHIPPED.read_text()
    for shipped, ours in (
        ("address: 0.0.0.0, port_value: 8080", f"address: 127.0.0.1, port_value: {port}"),
        ("port_value: 9901", "port_value: 0"),
        (endpoint("shisanzhi:50051"), "".join(map(endpoint, addresses))),
    ):
        assert shipped in text
        text = text.replace(shipped, ours)
    return text


@contextmanager
def envoy(folder: Path, addresses: Sequence[str]) -> Iterator[str]:
    """Run an Envoy in front of the servers; give its address."""
    port = free_port()
    file = folder / "envoy.yaml"
    file.write_text(configuration(port, addresses))
    command = Path(sys.executable).with_name("envoy")
    with (folder / "envoy.log").open("w") as log:
        process = subprocess.Popen(
            [command, "-c", file, "--use-dynamic-base-id", "--log-level", "warning"],
            stdout=log,
            stderr=log,
        )
        try:
            address = f"127.0.0.1:{port}"
            end = time.monotonic() + 30
            while ask_envoy(address) != "OK":
                assert process.poll() is None, (folder / "envoy.log").read_text()
                assert time.monotonic() < end, (folder / "envoy.log").read_text()
                time.sleep(0.1)
            yield address
        finally:
            process.terminate()
            process.wait(20)


def ask_envoy(address: str) -> str:
    async def run() -> str:
        async with channel(address) as connected:
            return (await ask_async(connected, "Evaluate", timeout=2)).code.name

    return asyncio.run(run())


def test_restarting_one_of_two_servers_ten_times_fails_no_call(tmp_path: Path) -> None:
    async def run(address: str, second: Process) -> Process:
        port = second.address.rpartition(":")[2]
        connected = [channel(address) for _ in range(4)]
        async with load(connected, CONCURRENT) as made:
            for _ in range(RESTARTS):
                await asyncio.sleep(1)
                assert await asyncio.to_thread(stop, second) == 0
                second = await asyncio.to_thread(start, "--port", port, "--drain-delay", "2")
            await asyncio.sleep(1)
        for each in connected:
            await each.close()
        sys.stdout.write(f"{len(made.outcomes)} calls, failed: {dict(made.summary())}\n")
        assert not made.summary()
        assert len(made.outcomes) > 1000
        return second

    first, second = start(), start("--drain-delay", "2")
    try:
        with envoy(tmp_path, [first.address, second.address]) as address:
            second = asyncio.run(run(address, second))
    finally:
        stop(first)
        stop(second)


def test_a_call_that_a_stopping_server_cut_off_is_made_again(tmp_path: Path) -> None:
    with cutting_off(0) as server, envoy(tmp_path, [server.address]) as address:
        server.cut_off(2)
        assert ask_envoy(address) == "OK"
        assert server.asked == 3


def test_a_path_that_is_no_utf_8_ends_no_server_behind_it(tmp_path: Path) -> None:
    first, second = start(), start()
    try:
        with envoy(tmp_path, [first.address, second.address]) as address:
            with grpc.insecure_channel(address) as connected:
                for path in PATHS:
                    refused(connected, path)
            assert [ask_envoy(address) for _ in range(10)] == ["OK"] * 10
        assert [server.popen.poll() for server in (first, second)] == [None, None]
    finally:
        stop(first)
        stop(second)
