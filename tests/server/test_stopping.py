"""Stopping: nobody notices who watches health or retries; and the process ends as it should."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests import questions
from tests.server.calls import OK, Outcome, ask
from tests.server.load import balanced, channel, load
from tests.server.raw_http2 import Connection
from tests.server.test_health import ENDED, NOT_SERVING, SERVING, reading, watch
from tests.servers import COMMAND, FAULTY, Process, serving, start, stop

CONCURRENT = 200
HEALTH = "grpc.health.v1.Health"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"


def never_arrived(outcome: Outcome) -> bool:
    """Tell whether a call failed for want of a server, not because one dropped it."""
    return outcome.code is grpc.StatusCode.UNAVAILABLE and "failed to connect" in outcome.details


async def stop_under_load(process: Process, channels: list[grpc.aio.Channel]) -> float:
    """Send SIGTERM under constant load; give the seconds that the process took to end."""
    async with load(channels, CONCURRENT, stubborn=False) as made:
        await asyncio.sleep(1.0)
        begun = time.monotonic()
        process.signal()
        exit_code = await asyncio.to_thread(process.wait)
        took = time.monotonic() - begun
        await asyncio.wait(made.at_work, timeout=20)
    assert exit_code == 0
    assert len(made.outcomes) > CONCURRENT
    assert [outcome for outcome in made.failures if not never_arrived(outcome)] == []
    assert len(made.failures) == CONCURRENT  # each worker found the door closed, once
    return took


def test_no_call_in_flight_is_lost() -> None:
    async def run() -> None:
        with serving() as process:
            channels = [channel(process.address) for _ in range(4)]
            assert await stop_under_load(process, channels) < 5

    asyncio.run(run())


def test_an_open_watch_does_not_hold_up_the_stop() -> None:
    with (
        serving("--grace", "30") as process,
        grpc.insecure_channel(process.address) as connected,
    ):
        watchers = [reading(watch(connected, name)) for name in ("", "liveness", "unknown")]
        for statuses in watchers:
            statuses.get(timeout=10)
        begun = time.monotonic()
        process.signal()
        assert process.wait() == 0
        assert time.monotonic() - begun < 3
        assert watchers[0].get(timeout=10) == NOT_SERVING
        assert [statuses.get(timeout=10) for statuses in watchers] == [ENDED] * 3


def test_first_not_serving_then_the_delay_then_closed() -> None:
    with serving("--drain-delay", "1.5") as process:
        with grpc.insecure_channel(process.address) as connected:
            statuses = reading(watch(connected, ""))
            assert statuses.get(timeout=10) == SERVING
            process.signal()
            begun = time.monotonic()
            assert statuses.get(timeout=10) == NOT_SERVING
            assert time.monotonic() - begun < 0.5
            assert statuses.get(timeout=10) == ENDED
            served = 0
            while ask(process, "Evaluate").code is OK:
                served += 1
            closed = time.monotonic() - begun
        assert served
        assert 1.4 < closed < 3.5
        assert process.wait() == 0


def test_what_runs_in_a_thread_finishes_within_the_grace() -> None:
    with serving(command=FAULTY) as process, grpc.insecure_channel(process.address) as connected:
        arrange: Any = connected.unary_unary("/shisanzhi.v1.GameLogicService/Arrange")
        call = arrange.future(b"")
        time.sleep(0.2)
        process.signal()
        assert call.result(timeout=10) == b""
        assert process.wait() == 0


def test_the_grace_has_an_end() -> None:
    with (
        serving("--grace", "0.1", command=FAULTY) as process,
        grpc.insecure_channel(process.address) as connected,
    ):
        arrange: Any = connected.unary_unary("/shisanzhi.v1.GameLogicService/Arrange")
        calls = [arrange.future(b"") for _ in range(20)]
        time.sleep(0.2)
        process.signal()
        assert process.wait() == 0
        assert any(call.exception(timeout=10) for call in calls)


def test_calls_that_never_said_anything_end_as_cancelled() -> None:
    with serving("--grace", "0.1") as process, Connection(process.address) as connection:
        paths = [questions.path("Evaluate"), questions.path("Arrange")]
        for path in (*paths, f"/{HEALTH}/Watch", f"/{HEALTH}/Check", REFLECTION):
            connection.open(path, {})
        connection.ping()
        process.signal()
        assert process.wait() == 0
        lines = [json.loads(line) for line in process.log]
    assert [line["code"] for line in lines if line["event"] == "call"] == ["CANCELLED"] * 2
    assert {line["level"] for line in lines} <= {"info", "warning"}


def test_a_management_connection_that_is_open_logs_no_error() -> None:
    with serving() as process:
        host, _, port = (process.management or "").rpartition(":")
        starts = (b"", b"GET /healthz", b"PRI * HTTP/2.0\r\n")
        opened = [socket.create_connection((host, int(port))) for _ in starts]
        for connected, begun in zip(opened, starts, strict=True):
            connected.sendall(begun)
        time.sleep(0.1)
        process.signal()
        assert process.wait() == 0
        for connected in opened:
            connected.close()
        assert '"error"' not in process.text


def test_a_flood_of_pings_on_the_management_port_holds_up_no_stop() -> None:
    with serving() as process:
        host, _, port = (process.management or "").rpartition(":")
        opened = [socket.create_connection((host, int(port)), 1) for _ in range(4)]
        with ThreadPoolExecutor(len(opened)) as pool:
            floods = [pool.submit(flood, each) for each in opened]
            time.sleep(1)
            process.signal()
            assert process.wait(10) == 0
        assert sum(flooded.result() for flooded in floods) > 1 << 20


def flood(connected: socket.socket) -> int:
    """Send pings and read no answer, until they are taken no more; give how many bytes went."""
    settings = b"\0\0\0\x04\0\0\0\0\0"
    pings = 500 * b"\0\0\x08\x06\0\0\0\0\0pingpong"
    sent = 0
    with connected, suppress(OSError):
        connected.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings)
        while True:
            connected.sendall(pings)
            sent += len(pings)
    return sent


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_stops_at_once(number: signal.Signals) -> None:
    with serving("--drain-delay", "60") as process:
        process.signal()
        time.sleep(0.5)
        assert process.popen.poll() is None
        begun = time.monotonic()
        process.signal(number)
        assert process.wait() == 0
        assert time.monotonic() - begun < 2


def test_a_person_at_the_keyboard_need_not_wait_for_the_delay() -> None:
    with serving("--drain-delay", "60") as process:
        process.signal(signal.SIGINT)
        assert process.wait(5) == 0


def test_stops_as_process_1_too() -> None:
    alone = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child")
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine gives no process namespace of one's own")
    with serving(command=(*alone, COMMAND)) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        server = int(children[0])
        levels = Path(f"/proc/{server}/status").read_text()
        assert "NSpid:" in levels
        assert next(line for line in levels.splitlines() if "NSpid" in line).split()[-1] == "1"
        os.kill(server, signal.SIGTERM)
        assert process.wait() == 0
        assert '"event": "stopped"' in process.text


def restart_one_of_two(times: int) -> int:
    """Restart one of two servers under constant load, over and over; give the calls made."""

    async def run() -> int:
        first, second = start("--drain-delay", "0.5"), start("--drain-delay", "0.5")
        try:
            address = second.address
            port = address.rpartition(":")[2]
            balancer = balanced([first.address, address])
            async with load([balancer], 20) as made:
                await asyncio.sleep(0.5)
                for _ in range(times):
                    assert await asyncio.to_thread(stop, second) == 0
                    second = await asyncio.to_thread(start, "--port", port)
                    await asyncio.sleep(0.5)
            await balancer.close()
            assert not made.summary()
            return len(made.outcomes)
        finally:
            stop(first)
            stop(second)

    return asyncio.run(run())


def test_restarting_one_of_two_servers_fails_no_call_of_a_balancing_client() -> None:
    assert restart_one_of_two(2) > 100
