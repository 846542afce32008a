"""What a call has to pass: room for its request and its answer, a name, a place for a stream."""

import asyncio
import threading
import time
from typing import Any

import pytest
from google.rpc import code_pb2, error_details_pb2, status_pb2

from shisanzhi.config import load
from shisanzhi.engine.errors import Fault, InvalidRequestError, Reason
from shisanzhi.rpc.limits import connections, refusals, sizes
from shisanzhi.rpc.limits.client_names import ClientNames
from shisanzhi.rpc.limits.gate import Gate
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.limits.open_streams import OpenStreams
from shisanzhi.rpc.limits.refusals import (
    ClientNameError,
    CrowdedError,
    LateError,
    OverloadedError,
    Refusal,
    StreamsError,
)
from shisanzhi.settings import Settings
from tests.rpc.here import until

SAN = "x509_subject_alternative_name"


class Call:
    """A call that notes down what is done to it."""

    def __init__(self, peer: str = "peer") -> None:
        self.peer = peer
        self.told: list[object] = []

    def watch(self) -> None:
        self.told.append("watched")

    def give_up(self, refusal: Refusal) -> None:
        self.told.append(type(refusal))

    def cut_off(self, why: str) -> None:
        self.told.append(why)


def settings(**flags: object) -> Settings:
    return load({key: str(value) for key, value in flags.items()}, {}).settings


@pytest.mark.parametrize(
    ("stage", "moment", "seconds", "ways"),
    [
        ("incomplete", 0.1, 3, (CrowdedError, LateError)),
        ("unsent", 1.0, 4, ("unsent_count", "unsent_time")),
        ("unsent_of_streams", 1.0, 4, ("unsent_count", "unsent_time")),
    ],
)
def test_who_keeps_others_waiting_has_to_go(
    stage: str,
    moment: float,
    seconds: float,
    ways: tuple[object, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where there is no room, but not within a moment; and when its time is over."""
    crowded, late = ways
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    limits = Limits(settings(max_concurrent_rpcs=2, request_timeout=3, response_timeout=4))
    calls = [Call() for _ in range(3)]
    for call in calls:
        getattr(limits, stage).enter(call)

    def told_at(later: float) -> list[list[object]]:
        now[0] = 100 + later
        limits.sweep()
        found = [[each for each in call.told if each != "watched"] for call in calls]
        for call in calls:
            call.told.clear()
        return found

    assert told_at(0.9 * moment) == [[], [], []]
    assert told_at(1.1 * moment) == [[crowded], [], []]
    assert told_at(seconds - 0.1) == [[], [], []]
    assert told_at(seconds + 0.1) == [[], [late], [late]]


def test_calls_whose_request_is_awaited_are_watched() -> None:
    """So that one hears of it when their client goes; of the others the core tells."""
    limits = Limits(settings())
    calls = Call(), Call()
    limits.incomplete.enter(calls[0])
    limits.unsent.enter(calls[1])
    limits.sweep()
    assert [call.told for call in calls] == [["watched"], []]


def test_a_connection_is_closed_once_however_many_of_its_calls_are_to_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[str] = []
    go = threading.Event()

    def disconnect(peer: str) -> None:
        go.wait(10)
        closed.append(peer)

    monkeypatch.setattr(connections, "disconnect", disconnect)

    async def test() -> None:
        limits = Limits(settings())
        for peer in ("a", "a", "b"):
            limits.disconnect(peer)
        go.set()
        await until(lambda: not limits._disconnecting)
        assert sorted(closed) == ["a", "b"]
        limits.disconnect("a")
        await until(lambda: len(closed) == 3)

    asyncio.run(asyncio.wait_for(test(), 10))


def test_a_limit_is_what_the_setting_says() -> None:
    limits = Limits(
        settings(
            max_concurrent_rpcs=3,
            max_message_bytes=2000,
            max_batch_bytes=3000,
            max_watchers=7,
            workers=4,
            max_queued=5,
        )
    )
    assert limits.in_flight.most == 3
    assert (limits.max_message_bytes, limits.max_batch_bytes) == (2000, 3000)
    assert (limits.workers._compiled._free, limits.workers._compiled._most) == (4, 5)
    assert limits.client_names is None
    assert not limits.gate.shut
    assert limits.peers.has_gone("")
    for _ in range(7):
        limits.streams.enter("peer")
    with pytest.raises(StreamsError):
        limits.streams.enter("peer")


@pytest.mark.parametrize(
    ("message", "batch", "concurrent", "incomplete"),
    [
        (64 << 10, 512 << 10, 1000, 113),
        (1 << 20, 1 << 20, 1000, 32),
        (64 << 20, 1024, 1000, 16),
        (64 << 10, 512 << 10, 100, 100),
    ],
)
def test_requests_that_are_on_their_way_take_no_more_than_64_mib_if_sixteen_do_not(
    message: int, batch: int, concurrent: int, incomplete: int
) -> None:
    taken = settings(
        max_message_bytes=message, max_batch_bytes=batch, max_concurrent_rpcs=concurrent
    )
    assert sizes.max_receive_bytes(taken) == message + max(message, batch)
    assert sizes.max_incomplete(taken) == incomplete


def test_a_request_to_health_holds_no_more_than_a_name() -> None:
    assert sizes.MAX_EXEMPT_BYTES == 4096


def test_a_connection_holds_so_many_streams_and_no_more() -> None:
    streams = OpenStreams(2)
    for _ in range(3):
        streams.enter("mine")
        streams.enter("mine")
        with pytest.raises(StreamsError):
            streams.enter("mine")
        streams.enter("yours")
        assert streams.count == 3
        for peer in ("mine", "yours", "mine"):
            streams.leave(peer)
        assert streams.count == 0
        assert not streams._of, "what is over is forgotten"


def test_who_has_one_of_the_names_may_call_and_nobody_else() -> None:
    names = ClientNames(("lobby.example", "table.example"))
    names.admit({SAN: [b"other.example", b"table.example"]})
    refused: list[dict[str, list[bytes]]]
    refused = [{SAN: [b"other.example"]}, {SAN: []}, {}, {"other": [b"table.example"]}]
    for identity in refused:
        with pytest.raises(ClientNameError):
            names.admit(identity)


def test_an_open_gate_holds_nobody() -> None:
    asyncio.run(asyncio.wait_for(Gate().wait(), 1))


def test_a_gate_holds_answers_until_it_opens() -> None:
    async def test() -> None:
        gate = Gate()
        await gate.close(0.001, 1)
        waiting = asyncio.ensure_future(gate.wait())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        gate.open()
        await asyncio.wait_for(waiting, 1)
        await asyncio.wait_for(gate.wait(), 1)

    asyncio.run(test())


def test_a_gate_that_is_shut_already_waits_for_quiet_too(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def test() -> None:
        gate = Gate()
        gate.shut = True
        waiting = asyncio.ensure_future(gate.wait())
        await asyncio.sleep(0)
        with monkeypatch.context() as patched:
            patched.setattr("shisanzhi.rpc.limits.gate.asyncio.sleep", sleep)
            await gate.close(1.0, 10.0)
        gate.open()
        await waiting
        assert slept == [1.0]

    asyncio.run(test())


@pytest.mark.parametrize(("arrivals", "sleeps"), [(0, 1), (1, 2), (3, 4), (99, 10)])
def test_a_gate_is_closed_once_none_comes_up_or_its_time_is_over(
    arrivals: int, sleeps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quiet is a second here, and ten are the most; in each one more comes up."""
    now = [5.0]
    waiting: list[Any] = []
    gate = Gate()

    async def sleep(seconds: float) -> None:
        now[0] += seconds
        if len(waiting) < arrivals:
            waiting.append(asyncio.ensure_future(gate.wait()))
            await yielding()

    async def yielding() -> None:
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_result, None)
        await future

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr("shisanzhi.rpc.limits.gate.asyncio.sleep", sleep)

    async def test() -> None:
        await gate.close(1.0, 10.0)
        assert now[0] == 5 + sleeps
        gate.open()
        await asyncio.gather(*waiting)

    asyncio.run(test())


@pytest.mark.parametrize(
    ("refusal", "code", "reason", "rejection"),
    [
        ("OverloadedError", "RESOURCE_EXHAUSTED", "OVERLOADED", "concurrency"),
        ("QueueFullError", "RESOURCE_EXHAUSTED", "OVERLOADED", "queue"),
        ("MessageTooLargeError", "RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE", "message_size"),
        ("ClientNameError", "PERMISSION_DENIED", "CLIENT_NAME", "client_name"),
        ("ExpiredError", "DEADLINE_EXCEEDED", "DEADLINE", "deadline"),
        ("CrowdedError", "RESOURCE_EXHAUSTED", "OVERLOADED", "incomplete_count"),
        ("LateError", "DEADLINE_EXCEEDED", "REQUEST_LATE", "incomplete_time"),
        ("StreamsError", "RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS", "streams"),
        ("MalformedError", "INVALID_ARGUMENT", "MALFORMED_REQUEST", None),
        ("UnknownMethodError", "UNIMPLEMENTED", "UNKNOWN_METHOD", None),
        ("UnknownServiceError", "NOT_FOUND", "UNKNOWN_SERVICE", None),
    ],
)
def test_a_refusal_is_explained_by_its_code_and_reason(
    refusal: str, code: str, reason: str, rejection: str | None
) -> None:
    explained = refusals.explain(getattr(refusals, refusal)(), "an id")
    status, *rest = explained
    assert rest == [reason, rejection, False]
    assert status.code == code_pb2.Code.Value(code)
    assert reason_of(status) == reason
    assert status.message


MESSAGES = {
    "OverloadedError": "too many calls in hand, try again a little later",
    "MessageTooLargeError": "the request is larger than this server takes",
    "ClientNameError": "the client's certificate has no allowed name",
    "ExpiredError": "the deadline passed before the work was done",
    "LateError": "the request did not arrive in time",
    "StreamsError": "too many streams are open on this connection",
    "UnknownMethodError": "unknown method",
    "UnknownServiceError": "unknown service",
}


@pytest.mark.parametrize("refusal", MESSAGES)
def test_a_refusal_says_what_is_wrong(refusal: str) -> None:
    assert getattr(refusals, refusal).status.message == MESSAGES[refusal]


def reason_of(status: status_pb2.Status) -> str:
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in status.details)
    return info.reason


def test_who_is_refused_for_want_of_room_may_come_back_in_a_tenth_of_a_second() -> None:
    info = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(info) for detail in OverloadedError.status.details)
    assert info.retry_delay.ToMilliseconds() == 100


def test_a_request_at_fault_is_explained_by_its_first_fault() -> None:
    fault = Fault(Reason.CARD_UNKNOWN, "hand[0]", "expected a card")
    other = fault._replace(reason=Reason.HAND_SIZE)
    explained = refusals.explain(InvalidRequestError((fault, other)), "an id")
    assert explained[1:] == ("CARD_UNKNOWN", None, False)
    assert explained.status.code == code_pb2.INVALID_ARGUMENT


def test_what_nobody_foresaw_is_internal_and_says_only_where_to_look() -> None:
    explained = refusals.explain(KeyError("secret"), "an id")
    assert explained[1:] == ("INTERNAL", None, True)
    assert explained.status.code == code_pb2.INTERNAL
    assert "secret" not in str(explained.status)
    assert "an id" in str(explained.status)
