"""The event loop of the command looks at its sockets in every turn."""

import asyncio
import socket
import sys

import pytest
from click.testing import CliRunner

from shisanzhi.cli import main
from shisanzhi.rpc.server import run as serving


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

    monkeypatch.setitem(sys.modules, "rich", None)  # as the command has it, and then undone
    monkeypatch.setattr(serving, "serve", serve)
    assert CliRunner().invoke(main, "serve").exit_code == 0
    assert counted[0] <= 2
