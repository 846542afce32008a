"""A server on the test's own event loop: how it begins, drains, and ends."""

import asyncio
import math
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from shisanzhi.rpc.limits import connections
from shisanzhi.rpc.server import server as server_module
from tests import questions
from tests.rpc.here import Held, Here, run, until
from tests.server.authority import Authority
from tests.server.calls import ask_async

CHECK = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
OK = grpc.StatusCode.OK


@pytest.mark.parametrize("service", ["health", "reflection"])
def test_health_and_reflection_can_be_switched_off(service: str) -> None:
    async def test(here: Here) -> None:
        paths = here.server._acceptor._handlers.paths
        assert (CHECK in paths, REFLECTION in paths) == (service != "health", service == "health")
        assert set(map(questions.path, questions.METHODS)) <= set(paths)

    run(test, **{service: False})


def test_on_the_management_port_there_is_nothing_but_health() -> None:
    async def test(here: Here) -> None:
        paths = here.server._management._acceptor._handlers.paths
        assert {path.rpartition("/")[0] for path in paths} == {"/grpc.health.v1.Health"}

    run(test, management_port=0, health=False)


def test_it_is_warm_before_it_serves() -> None:
    async def test(here: Here) -> None:
        warm: Any = vars(server_module)["warm"]
        warm.assert_called_once_with()
        assert here.server.health.serving

    run(test)


def test_its_connections_are_counted() -> None:
    async def test(here: Here) -> None:
        assert (await here.ask("Evaluate")).code is OK
        assert here.value("shisanzhi_connections") == connections.count(here.bound.serving) == 1

    run(test)


def test_while_it_is_scraped_the_numbers_stand_still() -> None:
    async def test(here: Here) -> None:
        await here.ask("Evaluate")
        path = questions.path("Evaluate")

        def encode(_registry: object) -> bytes:
            assert here.server._recorder._pauses == 1
            return b"encoded"

        assert await here.server._exposition(encode) == b"encoded"
        scraped = {
            sample.name: sample.value
            for family in here.server.metrics.registry.collect()
            for sample in family.samples
            if sample.labels.get("grpc_method") == "Evaluate"
        }
        assert scraped["grpc_server_started_total"] == 1
        assert here.counted("handled_total", path, grpc_code="OK") == 1

    run(test)


def test_draining_lasts_as_long_as_is_said_unless_one_has_no_patience() -> None:
    async def test(here: Here) -> None:
        begun = time.monotonic()
        await asyncio.wait_for(here.server.drain(patient=False), 0.1)
        assert not here.server.health.serving
        await here.server.drain()
        assert 0.3 <= time.monotonic() - begun < 5
        assert (await here.ask("Evaluate")).code is OK

    run(test, drain_delay=0.3)


def test_calls_in_hand_are_answered_and_watchers_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)

    async def test(here: Here) -> None:
        asked = asyncio.ensure_future(here.ask("Score"))
        watching = here.channel.unary_stream(WATCH)(b"")
        await watching.read()
        await until(lambda: held.begun == 1)
        await here.server.drain(patient=False)
        stopping = asyncio.ensure_future(here.server.stop())
        await asyncio.sleep(0.3)
        assert not stopping.done()
        held.let_go()
        await stopping
        assert (await asked).code is OK
        assert await here.server.ended() is None
        assert [line["code"] for line in here.log] == ["OK"]
        assert not any(task for task in here.server._tasks if not task.cancelling())

    run(test)


def test_to_abort_is_to_wait_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)

    async def test(here: Here) -> None:
        asked = asyncio.ensure_future(here.ask("Score"))
        await until(lambda: held.begun == 1)
        here.limits.gate.shut = True
        await asyncio.wait_for(here.server.abort(), 5)
        assert not here.limits.gate.shut
        assert not here.server.health.serving
        held.let_go()
        assert (await asked).code is not OK
        assert await here.server.ended() is None

    run(test)


def test_whatever_is_held_is_looked_at_four_times_a_second() -> None:
    async def test(here: Here) -> None:
        looks: list[float] = []
        here.limits.sweep = lambda: looks.append(time.monotonic())  # type: ignore[method-assign]
        await until(lambda: len(looks) == 2)
        assert 0.2 < looks[1] - looks[0] < 5

    run(test)


def test_it_stops_in_this_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that have come are all taken, while answers are held; then they leave, and all ends."""

    async def test(here: Here) -> None:
        server, limits, done = here.server, here.limits, list[object]()
        acceptor = server._acceptor

        async def hold(*seconds: float) -> None:
            done.append(("hold", *seconds))

        async def close(grace: float) -> None:
            done.append(("close", grace))

        async def cut_off() -> None:
            done.append("cut off")

        def hurry() -> None:
            done.append(("hurry", limits.in_flight.most))

        gate: Any = SimpleNamespace(close=hold, open=lambda: done.append("let go"))
        with monkeypatch.context() as patched:
            patched.setattr(limits, "gate", gate)
            patched.setattr(limits.workers, "close", lambda: done.append("workers end"))
            for name, fake in (("hurry", hurry), ("close", close), ("cut_off", cut_off)):
                patched.setattr(acceptor, name, fake)
            begun = time.monotonic()
            await server.stop()
        assert time.monotonic() - begun > 0.04, "clients hear that no more calls are taken"
        assert done == [
            *(("hurry", math.inf), ("hold", 0.1, 0.5), ("close", 7.0)),
            *("let go", "cut off", "workers end"),
        ]

    run(test, grace=7)


def test_who_is_seen_off_is_looked_after_for_as_long_as_calls_are_in_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    async def test(here: Here) -> None:
        looks: list[float] = []
        counts = [1, 1, 0, 0, 0, 0, 0]
        stopping: Any = asyncio.get_running_loop().create_future()

        async def wait(waited: object, **named: float) -> None:
            assert (waited, named) == ((stopping,), {"timeout": 0.05})
            now[0] += 0.5

        with monkeypatch.context() as patched:
            patched.setattr(here.limits, "sweep", lambda: looks.append(now[0]))
            in_hand = property(lambda _: counts.pop(0))
            patched.setattr(here.limits, "in_flight", type("", (), {"count": in_hand})())
            patched.setattr(asyncio, "wait", wait)
            patched.setattr(here.server._acceptor, "cut_off", _nothing)
            await here.server._see_off(stopping)
        assert looks == [0.0, 0.5, 1.0, 1.5]

    run(test)


async def _nothing() -> None: ...


def test_each_call_is_traced_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    spans: list[Any] = []
    closed: list[tuple[float, bool]] = []

    class Tracing:
        def record(self, span: Any) -> None:
            spans.append(span)

        def close(self, seconds: float) -> None:
            here = threading.current_thread() is threading.main_thread()
            closed.append((seconds, here))

    monkeypatch.setattr(server_module, "Tracing", Tracing)

    async def test(here: Here) -> None:
        await here.ask("Evaluate")
        here.server._recorder.flush()
        assert [span.path for span in spans] == [questions.path("Evaluate")]
        await here.ask("Evaluate")

    run(test, tracing=True)
    assert len(spans) == 2, "what is not recorded yet is when the server ends"
    assert closed == [(1.0, False)]


def test_tls_is_spoken_where_there_is_a_certificate(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("server", "DNS:localhost,IP:127.0.0.1")
    credentials = grpc.ssl_channel_credentials(authority.certificate.read_bytes())

    async def test(here: Here) -> None:
        async with grpc.aio.secure_channel(here.address, credentials) as channel:
            assert (await ask_async(channel, "Evaluate")).code is OK
        assert (await here.ask("Evaluate", timeout=5)).code is grpc.StatusCode.UNAVAILABLE
        assert len(here.server._tasks) == 2, "it looks after its calls, and its files"

    run(test, tls_certificate=pair.certificate, tls_key=pair.key)
