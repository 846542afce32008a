"""The event loop of the command: it looks at its sockets in every turn, and hears grpc out."""

import array
import asyncio
import fcntl
import socket
import termios
import time
from functools import partial
from statistics import median
from typing import Any

import grpc
import pytest
from click.testing import CliRunner

from shisanzhi.cli import main
from shisanzhi.rpc import core
from shisanzhi.rpc.server import run
from shisanzhi.rpc.server.event_loop import EventLoop


async def turns_until_seen() -> int:
    """Count the turns in which a byte stays unseen, while a callback keeps the loop busy."""
    ours, theirs = socket.socketpair()
    loop = asyncio.get_running_loop()
    seen = loop.create_future()
    turns = 0

    def work() -> None:
        nonlocal turns
        turns += 1
        loop.call_soon(work)

    def see() -> None:
        loop.remove_reader(ours)
        seen.set_result(turns)

    with ours, theirs:
        loop.add_reader(ours, see)
        work()
        theirs.send(b"x")
        return int(await asyncio.wait_for(seen, 10))


def test_a_busy_loop_sees_its_sockets_in_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    async def serve(*_: object) -> None:
        counted.append(await turns_until_seen())

    monkeypatch.setattr(run, "serve", serve)
    assert CliRunner().invoke(main, "serve").exit_code == 0
    assert counted[0] <= 2


def unread(watched: socket.socket) -> int:
    """Count the bytes that wait in a socket."""
    count = array.array("i", [0])
    fcntl.ioctl(watched, termios.FIONREAD, count)
    return count[0]


def unread_when_handled(base: type[asyncio.SelectorEventLoop]) -> float:
    """Count the bytes that wait still as such a loop, woken by grpc, handles events; the median."""
    counts: list[int] = []

    class Watched(base):  # type: ignore[misc, valid-type] # a class given by its argument
        def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:
            class Handling(partial[object]):
                def __call__(self) -> object:
                    counts.append(unread(fd))
                    return super().__call__()

            if core.handles_events(callback):
                callback = Handling(callback.func, *callback.args)
            super().add_reader(fd, callback, *args)

    with asyncio.Runner(loop_factory=Watched) as runner:
        runner.run(make_many_calls())
    return median(counts)


async def make_many_calls() -> None:
    """Make them at once, of a server in the same loop, which is slow."""

    async def answer(_request: bytes, _context: object) -> bytes:
        time.sleep(0.001)  # noqa: ASYNC251 - meanwhile grpc has more to tell
        return b""

    server = grpc.aio.server()
    handler: Any = grpc.unary_unary_rpc_method_handler(answer)
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("S", {"M": handler})])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.unary_unary("/S/M")
        await asyncio.gather(*(call(b"", wait_for_ready=True) for _ in range(200)))
    await server.stop(None)


def test_all_that_wakes_the_loop_is_read_in_one_turn() -> None:
    """Else grpc comes to wait for the loop, and one event is handled in each of its turns.

    The plain loop shows that it is still needed.
    """
    assert unread_when_handled(EventLoop) <= 1
    assert unread_when_handled(asyncio.SelectorEventLoop) > 1
