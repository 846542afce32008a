"""Calls, each from its arrival to its end: what the client gets, and what is counted and logged."""

import asyncio
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2

from shisanzhi.rpc import core
from shisanzhi.rpc.calls import unary_call
from shisanzhi.rpc.calls.methods import METHODS
from shisanzhi.rpc.calls.unary_call import UnaryCall
from shisanzhi.rpc.limits.client_names import ClientNames
from shisanzhi.rpc.limits.connections import Peers
from shisanzhi.rpc.limits.sizes import MAX_EXEMPT_BYTES
from shisanzhi.rpc.limits.stretch import Stretch
from shisanzhi.rpc.observability.recorder import Recorder
from tests import questions
from tests.rpc.here import Held, Here, run, until
from tests.server.raw_http2 import Connection

Code = grpc.StatusCode
EXHAUSTED = Code.RESOURCE_EXHAUSTED
CHECK = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
SERVING = health_pb2.HealthCheckResponse.SERVING
HEALTH = health_pb2.HealthCheckRequest().SerializeToString()


def is_idle(here: Here) -> bool:
    """Tell whether no limit holds a call any longer."""
    gauges = ("in_flight_calls", "incomplete_calls", "unsent_calls", "streams")
    return not any(here.value(f"shisanzhi_{gauge}") for gauge in gauges)


def rejected(here: Here, reason: str) -> float | None:
    return here.value("shisanzhi_rejected_calls_total", reason=reason)


def logged(here: Here, request_id: str) -> dict[str, Any]:
    (line,) = (each for each in here.log if each.get("request_id") == request_id)
    return line


def framed(message: bytes) -> bytes:
    """Give a message as grpc sends it."""
    return b"\0" + len(message).to_bytes(4) + message


def test_a_call_that_is_answered_is_counted_logged_and_over() -> None:
    async def test(here: Here) -> None:
        for method in questions.METHODS:
            outcome = await here.ask(method, metadata=[("x-request-id", method)])
            assert outcome.code is Code.OK
            assert outcome.response == questions.response(method).SerializeToString()
            assert outcome.trailers == {"x-request-id": method}
            path = questions.path(method)
            for name in ("started", "msg_received", "msg_sent"):
                assert here.counted(f"{name}_total", path) == 1
            assert here.counted("handled_total", path, grpc_code="OK") == 1
            assert here.counted("handling_seconds_count", path) == 1
            line = logged(here, method)
            assert (line["method"], line["code"]) == (path, "OK")
            assert 0 < line["ms"] < 10_000
            assert line["peer"].startswith("ipv4:127.0.0.1:")
        await until(lambda: is_idle(here))

    run(test)


def test_a_call_that_is_refused_is_counted_logged_and_over() -> None:
    async def test(here: Here) -> None:
        outcome = await here.ask("Evaluate", b"\xff", metadata=[("x-request-id", "mine")])
        assert (outcome.code, outcome.reason) == (Code.INVALID_ARGUMENT, "MALFORMED_REQUEST")
        assert outcome.trailers["x-request-id"] == "mine"
        path = questions.path("Evaluate")
        assert here.counted("msg_received_total", path) == 1
        assert here.counted("msg_sent_total", path) == 0
        assert here.counted("handled_total", path, grpc_code="InvalidArgument") == 1
        line = logged(here, "mine")
        assert (line["code"], line["reason"]) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        await until(lambda: is_idle(here))

    run(test)


def test_what_nobody_foresaw_is_internal_and_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_request: Message) -> Message:
        raise KeyError("secret")

    monkeypatch.setitem(METHODS, "Evaluate", METHODS["Evaluate"]._replace(answer=fail))

    async def test(here: Here) -> None:
        outcome = await here.ask("Evaluate", metadata=[("x-request-id", "mine")])
        assert (outcome.code, outcome.details) == (Code.INTERNAL, "internal error")
        assert outcome.detail(error_details_pb2.RequestInfo()).request_id == "mine"
        said, line = (each for each in here.log if each.get("request_id") == "mine")
        assert (said["event"], said["error"]) == ("unexpected error", "KeyError")
        assert said["method"] == line["method"] == questions.path("Evaluate")
        assert (line["code"], line["reason"]) == ("INTERNAL", "INTERNAL")

    run(test)


@pytest.mark.parametrize("method", ["Evaluate", "BatchScore"])
def test_a_request_may_be_as_large_as_is_said_and_no_larger(method: str) -> None:
    async def test(here: Here) -> None:
        for size, code in ((2000, Code.INVALID_ARGUMENT), (2001, EXHAUSTED)):
            assert (await here.ask(method, bytes(size))).code is code
        assert rejected(here, "message_size") == 1
        await until(lambda: is_idle(here))

    flag = "max_batch_bytes" if method == "BatchScore" else "max_message_bytes"
    other = {"max_batch_bytes": 3000, "max_message_bytes": 3000}
    run(test, **(other | {flag: 2000}))


def test_a_request_to_health_may_be_as_large_as_a_name_and_no_larger() -> None:
    async def test(here: Here) -> None:
        for size, code in (
            (MAX_EXEMPT_BYTES, Code.INVALID_ARGUMENT),
            (MAX_EXEMPT_BYTES + 1, EXHAUSTED),
        ):
            assert (await here.ask(CHECK, bytes(size))).code is code

    run(test)


def test_health_is_answered_whatever_the_limits_and_is_not_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = Held(monkeypatch)

    async def test(here: Here) -> None:
        score = asyncio.ensure_future(here.ask("Score"))
        await until(lambda: held.begun == 1)
        outcome = await here.ask(CHECK, HEALTH)
        assert health_pb2.HealthCheckResponse.FromString(outcome.response).status == SERVING
        assert (await here.ask("Evaluate")).reason == "OVERLOADED"
        assert rejected(here, "concurrency") == 1
        held.let_go()
        assert (await score).code is Code.OK
        assert {line["method"] for line in here.log} == {
            questions.path("Score"),
            questions.path("Evaluate"),
        }
        assert here.counted("handled_total", CHECK, grpc_code="OK") == 1
        await until(lambda: is_idle(here))

    run(test, max_concurrent_rpcs=1)


def test_more_than_the_queue_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)

    async def test(here: Here) -> None:
        asked = [asyncio.ensure_future(here.ask("Score")) for _ in range(3)]
        await until(lambda: rejected(here, "queue") == 1)
        held.let_go()
        codes = [outcome.code for outcome in await asyncio.gather(*asked)]
        assert sorted(codes, key=str) == [Code.OK, Code.OK, EXHAUSTED]

    run(test, workers=1, max_queued=1)


def test_light_requests_are_answered_at_once_and_heavy_ones_by_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test(here: Here) -> None:
        workers: list[tuple[int, bool]] = []
        work = here.limits.workers.run

        async def working(respond: Any, raw: bytes, *rest: Any, **named: Any) -> bytes:
            workers.append((len(raw), named["compiled"]))
            return await work(respond, raw, *rest, **named)

        monkeypatch.setattr(here.limits.workers, "run", working)
        for method, size in (
            ("Evaluate", 1024),
            ("Evaluate", 1025),
            ("Arrange", 1026),
            (CHECK, 1027),
        ):
            await here.ask(method, bytes(size))
        assert workers == [(1025, False), (1026, True), (1027, False)]

    run(test)


def test_a_call_whose_client_has_gone_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    path = questions.path("Score")

    async def test(here: Here) -> None:
        call = here.channel.unary_unary(path)(questions.raw("Score"))
        await until(lambda: held.begun == 1)
        assert (len(here.limits.incomplete), here.limits.in_flight.count) == (0, 1)
        call.cancel()
        await until(lambda: here.counted("handled_total", path, grpc_code="Cancelled") == 1)
        held.let_go()
        await until(lambda: is_idle(here))
        assert (await here.ask("Score")).code is Code.OK
        assert [line["code"] for line in here.log] == ["CANCELLED", "OK"]

    run(test)


def test_a_call_whose_deadline_comes_is_told_from_one_whose_client_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = Held(monkeypatch)
    path = questions.path("Score")

    async def test(here: Here) -> None:
        outcome = await here.ask("Score", timeout=0.1)
        assert outcome.code is Code.DEADLINE_EXCEEDED
        await until(lambda: here.counted("handled_total", path, grpc_code="DeadlineExceeded") == 1)
        held.let_go()

    run(test)


def test_a_request_that_does_not_arrive_is_waited_for_no_longer_than_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unary_call, "_LAST_RESORT", 0.05)
    path = questions.path("Evaluate")

    def hold_on(address: str) -> tuple[int, int]:
        with Connection(address) as connection:
            late = connection.status(connection.open(path, {"x-request-id": "late"}))
            return late, connection.call(path, questions.raw("Evaluate"))

    async def test(here: Here) -> None:
        late, next_one = await asyncio.to_thread(hold_on, here.address)
        assert (late, next_one) == (Code.DEADLINE_EXCEEDED.value[0], 0)
        assert rejected(here, "incomplete_time") == 1
        line = logged(here, "late")
        assert (line["code"], line["reason"]) == ("DEADLINE_EXCEEDED", "REQUEST_LATE")
        await until(lambda: is_idle(here))
        await asyncio.sleep(0.1)
        assert (await here.ask("Evaluate")).code is Code.OK
        assert [line["code"] for line in here.log] == ["DEADLINE_EXCEEDED", "OK", "OK"]
        assert not here.server._acceptor.ended.done()

    run(test, request_timeout=0.1)


def test_a_call_without_a_request_is_malformed_and_one_that_is_cut_off_cancelled() -> None:
    path = questions.path("Evaluate")

    def ask_nothing(address: str) -> int:
        with Connection(address) as connection:
            return connection.raw_call(path, b"", {"x-request-id": "empty"})

    def go_away(address: str) -> None:
        with Connection(address) as connection:
            connection.reset(connection.open(path, {"x-request-id": "gone"}))
            connection.ping()

    async def test(here: Here) -> None:
        code = await asyncio.to_thread(ask_nothing, here.address)
        assert code == Code.INVALID_ARGUMENT.value[0]
        await until(lambda: here.counted("handled_total", path, grpc_code="InvalidArgument") == 1)
        assert logged(here, "empty")["reason"] == "MALFORMED_REQUEST"
        await asyncio.to_thread(go_away, here.address)
        await until(lambda: here.counted("handled_total", path, grpc_code="Cancelled") == 1)
        assert here.counted("msg_received_total", path) == 0
        await until(lambda: is_idle(here))

    run(test)


def test_answers_are_held_while_the_gate_is_shut() -> None:
    async def test(here: Here) -> None:
        here.limits.gate.shut = True
        asked = asyncio.ensure_future(here.ask("Evaluate"))
        await until(lambda: here.limits.in_flight.count == 1)
        await asyncio.sleep(0.02)
        assert not asked.done()
        here.limits.gate.open()
        assert (await asked).code is Code.OK

    run(test)


def test_a_call_of_a_connection_that_has_gone_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    path = questions.path("Evaluate")

    async def test(here: Here) -> None:
        monkeypatch.setattr(Peers, "has_gone", lambda *_: True)
        assert (await here.ask("Evaluate")).code is Code.CANCELLED
        assert rejected(here, "connection_gone") == 1
        assert here.counted("started_total", path) == 0
        assert here.log == []

    run(test)


def test_a_call_that_cannot_be_served_harms_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(call: UnaryCall, state: object, loop: Any) -> None:
        call.begin(core.ServicerContext(state, None, None, loop))
        raise KeyError("secret")

    async def test(here: Here) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(UnaryCall, "serve", fail)
            assert (await here.ask("Evaluate")).code is Code.CANCELLED
        (line,) = here.log
        assert (line["event"], line["error"]) == ("unexpected error", "KeyError")
        assert (line["method"], line["request_id"]) == (questions.path("Evaluate"), "")
        assert (await here.ask("Evaluate")).code is Code.OK
        await until(lambda: is_idle(here))

    run(test)


def test_who_has_no_allowed_name_is_refused_before_all_else() -> None:
    async def test(here: Here) -> None:
        here.limits.client_names = ClientNames(("platform",))
        outcome = await here.ask("Evaluate", bytes(70_000))
        assert (outcome.code, outcome.reason) == (Code.PERMISSION_DENIED, "CLIENT_NAME")
        assert rejected(here, "client_name") == 1
        assert (await here.ask(CHECK, HEALTH)).code is Code.OK
        await until(lambda: is_idle(here))

    run(test)


def test_who_takes_no_answer_is_cut_off_when_its_time_is_over() -> None:
    path = questions.path("Evaluate")

    def take_nothing(address: str) -> None:
        with Connection(address, window=0) as connection:
            connection.send(connection.open(path, {}), framed(questions.raw("Evaluate")), end=True)
            with pytest.raises(ConnectionError):
                connection.goodbye()

    async def test(here: Here) -> None:
        taking = asyncio.ensure_future(asyncio.to_thread(take_nothing, here.address))
        await until(lambda: here.value("shisanzhi_unsent_calls") == 1)
        assert here.counted("handled_total", path, grpc_code="OK") == 1
        await taking
        assert rejected(here, "unsent_time") == 1
        await until(lambda: is_idle(here))

    run(test, response_timeout=0.1)


def test_what_is_recorded_of_a_call_keeps_nothing_of_grpcs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[Any] = []
    add = Recorder.add

    def adding(recorder: Recorder, call: Any) -> None:
        ended.append(call)
        add(recorder, call)

    monkeypatch.setattr(Recorder, "add", adding)

    async def test(here: Here) -> None:
        await here.ask("Evaluate")
        await until(lambda: is_idle(here))
        (call,) = ended
        assert not hasattr(call, "state")
        assert not hasattr(call, "context")

    run(test)


def test_a_method_that_does_not_exist_is_counted_as_unknown_and_logged() -> None:
    async def test(here: Here) -> None:
        outcome = await here.ask("/no.Service/Cheat", b"")
        assert (outcome.code, outcome.reason) == (Code.UNIMPLEMENTED, "UNKNOWN_METHOD")
        assert outcome.details == "unknown method"
        path = "/unknown/unknown"
        assert here.counted("handled_total", path, grpc_code="Unimplemented") == 1
        assert [line["method"] for line in here.log] == [path]
        await until(lambda: is_idle(here))

    run(test)


def test_a_stream_is_counted_and_has_room_until_it_is_over() -> None:
    async def test(here: Here) -> None:
        watching = [here.channel.unary_stream(WATCH)(HEALTH) for _ in range(2)]
        for call in watching:
            await call.read()
        assert here.value("shisanzhi_streams") == 2
        await until(lambda: not here.value("shisanzhi_unsent_calls"))
        assert here.value("shisanzhi_incomplete_calls") == 0
        crowded = here.channel.unary_stream(WATCH)(HEALTH)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await crowded.read()
        assert refused.value.code() is EXHAUSTED
        assert rejected(here, "streams") == 1
        for call in watching:
            call.cancel()
        await until(
            lambda: (
                here.counted("handled_total", WATCH, "server_stream", grpc_code="Cancelled") == 2
            )
        )
        assert here.counted("msg_received_total", WATCH, "server_stream") == 2
        assert here.counted("msg_sent_total", WATCH, "server_stream") == 2
        await until(lambda: is_idle(here))
        assert here.log == []

    run(test, max_watchers=2)


def test_a_stream_that_is_answered_to_its_end_is_counted_and_named() -> None:
    async def test(here: Here) -> None:
        call = here.channel.stream_stream(REFLECTION)(iter([b""]))
        assert [len(answer) > 0 async for answer in call] == [True]
        assert [key for key, _ in await call.trailing_metadata()] == ["x-request-id"]
        await until(lambda: is_idle(here))
        assert here.counted("handled_total", REFLECTION, "bidi_stream", grpc_code="OK") == 1

    run(test)


def test_each_request_of_a_stream_waits_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[str] = []

    async def wait(_stretch: Stretch, peer: str, *, exempt: bool) -> bool:
        assert exempt
        waited.append(peer)
        return False

    monkeypatch.setattr(Stretch, "wait", wait)

    async def test(here: Here) -> None:
        call = here.channel.stream_stream(REFLECTION)(iter([b"", b""]))
        assert len([answer async for answer in call]) == 2
        assert len(waited) == 3  # for its beginning, too
        assert waited[0].startswith("ipv4:127.0.0.1:")

    run(test)


def test_an_answer_of_a_stream_that_is_not_taken_is_one_that_waits_to_leave() -> None:
    async def test(here: Here) -> None:
        connection = await asyncio.to_thread(Connection, here.address, window=0)
        with connection:
            connection.send(connection.open(WATCH, {}), framed(HEALTH))
            await until(lambda: len(here.limits.unsent_of_streams) == 1)
            assert len(here.limits.unsent) == 0

    run(test)


def test_a_stream_on_which_nothing_is_asked_has_no_room_for_ever() -> None:
    def hold_on(address: str) -> int:
        with Connection(address) as connection:
            return connection.status(connection.open(WATCH, {}))

    async def test(here: Here) -> None:
        late = await asyncio.to_thread(hold_on, here.address)
        assert late == Code.DEADLINE_EXCEEDED.value[0]
        assert rejected(here, "incomplete_time") == 1
        await until(lambda: is_idle(here))

    run(test, request_timeout=0.1)
