"""Behind a real Envoy, with the shipped configuration: servers come and go, no call is lost."""

import asyncio
import sys
from pathlib import Path

import grpc
import pytest

from deploy.gateway.local import gateway
from tests.server.calls import ask_async
from tests.server.cutting_off import cutting_off
from tests.server.load import channel, load
from tests.server.test_unreadable_paths import PATHS, refused
from tests.servers import Process, start, stop

RESTARTS = 10
CONCURRENT = 20

pytestmark = pytest.mark.real


def ask_envoy(address: str) -> str:
    async def run() -> str:
        async with channel(address) as connected:
            return (await ask_async(connected, "Evaluate", timeout=2)).code.name

    return asyncio.run(run())


def test_restarting_one_of_two_servers_ten_times_fails_no_call(tmp_path: Path) -> None:
    async def run(address: str, second: Process) -> Process:
        port = second.address.rpartition(":")[2]
        connected = [channel(address, enable_retries=0) for _ in range(4)]
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
        with gateway([first.address, second.address], tmp_path) as running:
            second = asyncio.run(run(running.platform, second))
    finally:
        stop(first)
        stop(second)


def test_a_call_that_a_stopping_server_cut_off_is_made_again(tmp_path: Path) -> None:
    with cutting_off(0) as server, gateway([server.address], tmp_path) as running:
        server.cut_off(2)
        assert ask_envoy(running.platform) == "OK"
        assert server.asked == 3


def test_a_path_that_is_no_utf_8_ends_no_server_behind_it(tmp_path: Path) -> None:
    first, second = start(), start()
    try:
        with gateway([first.address, second.address], tmp_path) as running:
            for address in (running.platform, running.public):
                with grpc.insecure_channel(address) as connected:
                    for path in PATHS:
                        refused(connected, path)
            assert [ask_envoy(running.platform) for _ in range(10)] == ["OK"] * 10
        assert [server.popen.poll() for server in (first, second)] == [None, None]
    finally:
        stop(first)
        stop(second)
