"""The acceptor: how many tasks wait for calls, and how serving ends."""

import asyncio
import socket
from typing import Any

import grpc
import pytest

from shisanzhi.rpc.calls import acceptor
from shisanzhi.rpc.calls.call import Call
from tests import questions
from tests.rpc.here import Held, Here, run, until

CHECK = "/grpc.health.v1.Health/Check"
SCORE = questions.path("Score").encode()
OK = grpc.StatusCode.OK
FEW, SPARE, AT_THE_END = 8, 16, 64


def waiting(here: Here, path: bytes | None) -> int:
    """Count the tasks that wait for a call of a method."""
    return here.server._acceptor._waiting[path]


async def settle() -> None:
    await asyncio.sleep(0.05)


async def comes_to(here: Here, path: bytes | None, count: int) -> None:
    """Wait until so many tasks wait for a call of a method, and see whether it stays so."""
    await until(lambda: waiting(here, path) == count)
    await settle()
    assert waiting(here, path) == count


def test_after_many_calls_at_a_time_some_wait_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = Held(monkeypatch)

    async def ask_at_once(here: Here, calls: int, meanwhile: int) -> None:
        """Make calls that are in hand together; so many tasks are to wait meanwhile."""
        held.begun = 0
        held.hold()
        asked = [asyncio.ensure_future(here.ask("Score")) for _ in range(calls)]
        await until(lambda: held.begun == calls)
        await comes_to(here, SCORE, meanwhile)
        held.let_go()
        assert {outcome.code for outcome in await asyncio.gather(*asked)} == {OK}

    async def test(here: Here) -> None:
        await comes_to(here, SCORE, 1)
        await ask_at_once(here, SPARE + 4, 1)
        await comes_to(here, SCORE, SPARE)
        await ask_at_once(here, SPARE + 4, FEW)
        await comes_to(here, SCORE, SPARE)
        assert waiting(here, None) == 1

    run(test, workers=SPARE + 4, max_queued=99)


def test_when_the_end_is_near_many_wait_for_calls_of_each_method() -> None:
    async def test(here: Here) -> None:
        await settle()
        here.server._acceptor.hurry()
        await comes_to(here, SCORE, AT_THE_END)
        for path in here.server._acceptor._handlers.paths:
            assert waiting(here, path.encode()) == AT_THE_END
        assert (await here.ask("Score")).code is OK

    run(test)


def test_a_call_that_ends_the_task_it_is_served_in_ends_serving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served = Call.run

    async def running(call: Call, *arguments: Any) -> None:
        if call.method.path == CHECK:
            raise OSError("secret")
        await served(call, *arguments)

    monkeypatch.setattr(Call, "run", running)

    async def test(here: Here) -> None:
        asked = asyncio.ensure_future(here.ask(CHECK, b"", timeout=5))
        ended = await asyncio.wait_for(here.server.ended(), 5)
        assert isinstance(ended, OSError)
        assert str(ended) == "secret"
        await here.server.abort()
        assert (await asked).code is not OK

    run(test)


def test_a_task_that_is_cancelled_ends_serving_too() -> None:
    async def test(here: Here) -> None:
        await settle()
        next(iter(here.server._acceptor._tasks)).cancel()
        ended = await asyncio.wait_for(here.server.ended(), 5)
        assert isinstance(ended, RuntimeError)
        assert str(ended) == "cancelled"

    run(test)


def test_serving_that_is_stopped_ended_with_nothing() -> None:
    async def test(here: Here) -> None:
        await here.server._acceptor.close(None)
        assert await asyncio.wait_for(here.server.ended(), 5) is None
        await until(lambda: not here.server._acceptor._tasks)
        await here.server._acceptor.close(None)

    run(test)


def test_what_cannot_be_bound_is_an_error() -> None:
    async def test(here: Here) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(RuntimeError):
            here.server._acceptor.listen(f"127.0.0.1:{taken.getsockname()[1]}")

    run(test)


def test_where_nothing_was_bound_it_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grpc raises by itself now, and has given 0 before."""

    async def test(here: Here) -> None:
        for name in ("add_insecure_port", "add_secure_port"):
            monkeypatch.setattr(acceptor.Acceptor, name, lambda *_: 0, raising=False)
        for credentials in (None, object()):
            with pytest.raises(RuntimeError, match=r"expected to bind 127\.0\.0\.1:9"):
                here.server._acceptor.listen("127.0.0.1:9", credentials)

    run(test)


def test_the_core_is_given_no_longer_than_its_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(here: Here) -> None:
        never = asyncio.Event()

        async def close(_acceptor: object, grace: float | None) -> None:
            assert grace is None
            await never.wait()

        with monkeypatch.context() as patched:
            patched.setattr(acceptor.Acceptor, "close", close)
            patched.setattr(acceptor, "_PATIENCE", 0.05)
            await asyncio.wait_for(here.server._acceptor.cut_off(), 5)
        never.set()

    run(test)
