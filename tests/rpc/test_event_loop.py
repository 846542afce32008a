"""The loop looks at its sockets less often, but it does look."""

import asyncio
import selectors
import socket
import time

import pytest

from shisanzhi.rpc.event_loop import event_loop


def test_a_socket_is_read_while_there_is_always_work() -> None:
    """A callback that calls itself again keeps the loop from ever waiting."""
    ours, theirs = socket.socketpair()
    turns = 0

    async def read() -> bytes:
        loop = asyncio.get_running_loop()

        def work() -> None:
            nonlocal turns
            turns += 1
            loop.call_soon(work)

        ours.settimeout(0)
        receiving = asyncio.ensure_future(loop.sock_recv(ours, 1))
        await asyncio.sleep(0)
        work()
        theirs.send(b"x")
        return await asyncio.wait_for(receiving, 10)

    with ours, theirs, asyncio.Runner(loop_factory=event_loop) as runner:
        assert runner.run(read()) == b"x"
    assert turns <= 20


def test_sockets_are_passed_over_while_there_is_work(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    select = selectors.DefaultSelector.select

    def counting(self: selectors.DefaultSelector, timeout: float | None = None) -> object:
        nonlocal asked
        asked += 1
        return select(self, timeout)

    async def turns(count: int) -> None:
        for _ in range(count):
            await asyncio.sleep(0)

    monkeypatch.setattr(selectors.DefaultSelector, "select", counting)
    with asyncio.Runner(loop_factory=event_loop) as runner:
        runner.run(turns(900))
    assert 90 <= asked <= 110


def test_a_loop_without_work_waits() -> None:
    with asyncio.Runner(loop_factory=event_loop) as runner:
        before = time.process_time()
        runner.run(asyncio.sleep(0.3))
        assert time.process_time() - before < 0.15


def test_timers_run_while_there_is_always_work() -> None:
    async def tick() -> float:
        loop = asyncio.get_running_loop()

        def work() -> None:
            loop.call_soon(work)

        work()
        started = loop.time()
        await asyncio.sleep(0.05)
        return loop.time() - started

    with asyncio.Runner(loop_factory=event_loop) as runner:
        assert 0.04 < runner.run(tick()) < 5
