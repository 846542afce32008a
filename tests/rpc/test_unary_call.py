"""A unary call taken apart: what it does where the client, the core or the clock is in its way."""

import asyncio
import time
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from shisanzhi.config import load
from shisanzhi.rpc import core
from shisanzhi.rpc.calls import unary_call
from shisanzhi.rpc.calls.unary_call import UnaryCall
from shisanzhi.rpc.limits.in_flight import InFlight
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.limits.refusals import ExpiredError, GoneError, LateError
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.observability.tally import Tally

OK = grpc.StatusCode.OK


class Told(UnaryCall):
    """A call that notes down what becomes of it."""

    def __init__(self, **method: Any) -> None:
        made: Any = SimpleNamespace(**method)
        super().__init__(made)
        self.told: list[object] = []
        self.peer = "peer"

    async def send(self, _state: object, answer: tuple[object, ...]) -> None:
        self.told.append(answer)

    def end(self, code: grpc.StatusCode, reason: str | None = None) -> None:
        self.told.append((code, reason))

    def end_cancelled(self) -> None:
        self.told.append("cancelled")

    def refused(self, error: Exception) -> Any:
        return SimpleNamespace(operations=(type(error),), code=OK, reason="refused")


class Waiting(Told):
    """One that waits for ever."""

    async def respond(self) -> bytes:
        await asyncio.Event().wait()
        return b""


@pytest.mark.parametrize("is_gone", [False, True])
def test_who_is_gone_ends_no_more_than_the_call(*, is_gone: bool) -> None:
    """What the server itself cancels is cancelled; the task of a client that left serves on."""

    async def test() -> None:
        call = Waiting(limits=SimpleNamespace(gate=None))
        call.task = task = asyncio.ensure_future(call.answer())  # type: ignore[assignment]
        await asyncio.sleep(0)
        call.is_gone = is_gone
        task.cancel()
        if is_gone:
            assert await task is None
            assert task.cancelling() == 0
        else:
            with pytest.raises(asyncio.CancelledError):
                await task
        assert call.told == ["cancelled"]

    asyncio.run(test())


@pytest.mark.parametrize("is_served", [False, True])
def test_a_call_that_is_given_up_is_cancelled_where_the_core_does_not_end_its_read(
    monkeypatch: pytest.MonkeyPatch, *, is_served: bool
) -> None:
    slept: list[float] = []
    cancelled: list[bool] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        assert not cancelled

    monkeypatch.setattr(asyncio, "sleep", sleep)
    call = Told()
    task: Any = SimpleNamespace(cancel=lambda: cancelled.append(True))
    call.task, call.is_served = task, is_served
    asyncio.run(call.tell(None, LateError()))
    assert call.told == [(OK, "refused"), (LateError,)]
    assert slept == [1.0]
    assert (bool(cancelled), call.is_gone) == (not is_served, not is_served)


@pytest.mark.parametrize("why", ["is_gone", "has_ended"])
def test_what_arrives_of_a_call_that_is_over_is_not_worked_on(why: str) -> None:
    async def read() -> bytes:
        return b"raw"

    call = Told()
    context: Any = SimpleNamespace(read=read)
    call.context = context
    setattr(call, why, True)
    with pytest.raises(GoneError):
        asyncio.run(call.respond())
    assert not call.has_arrived


def test_the_name_of_a_call_is_looked_for_once_and_not_before_it_is_wanted() -> None:
    """Many headers take long to read, and until a call has its turn others wait for it."""
    looked: list[int] = []

    def headers() -> list[tuple[str, str]]:
        looked.append(1)
        return [("x-request-id", "mine")]

    limits = Limits(load({}, {}).settings)
    method: Any = SimpleNamespace(
        limits=limits, meters=Metrics().method("unary", "s", "m"), exempt=False
    )
    context: Any = SimpleNamespace(invocation_metadata=headers)

    async def test() -> None:
        call = UnaryCall(method)
        call.begin(context)
        assert not looked
        assert [call.request_id, call.request_id] == ["mine", "mine"]
        assert looked == [1]

    asyncio.run(test())


@pytest.mark.parametrize("error", [GoneError(), grpc.aio.UsageError()])
def test_who_is_not_there_is_told_nothing(error: Exception) -> None:
    call = Told()
    assert call.conclude(error) is None
    assert call.told == ["cancelled"]


def test_an_answer_is_a_message_and_a_status_that_says_no_more_than_the_calls_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SendMessage", "SendStatus"):
        monkeypatch.setattr(core, name, lambda *given: given)
    call = Told(meters=SimpleNamespace(sent=Tally(Metrics().log_lines_lost)))
    call.name([("x-request-id", "an-id")])
    assert call.conclude(b"raw") == ((b"raw", 0), ((("x-request-id", "an-id"),), 0, "", 0))
    assert call.told == [(OK, None)]


@pytest.mark.parametrize("state", ["has_arrived", "is_awaited", "has_ended", "is_empty"])
def test_who_goes_away_ends_what_is_done_for_them(
    monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """While a request is awaited it is the core that ends the read."""

    async def execute(*_: object) -> None:
        raise core.ExecuteError("gone")

    monkeypatch.setattr(core, "execute", execute)
    call = Told()
    task: Any = SimpleNamespace(cancel=lambda: call.told.append("task cancelled"))
    loop: Any = None
    call.task, call.loop = task, loop
    if state != "is_awaited":
        setattr(call, state, True)
    assert asyncio.run(call.hear(None)) is False
    assert call.is_gone == (state in {"has_arrived", "is_awaited"})
    assert bool(call.told) == (state == "has_arrived")


def test_a_refusal_that_is_cancelled_found_nobody() -> None:
    class Cut(Told):
        def watch(self) -> None: ...

        async def send(self, *_: object) -> None:
            raise asyncio.CancelledError

    call = Cut(limits=Limits(load({}, {}).settings))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(call.refuse_empty(None))
    assert call.told == ["cancelled"]


def sent(monkeypatch: pytest.MonkeyPatch, call: UnaryCall, *, fails: bool = False) -> list[type]:
    """Send an answer; give the kinds of operations that the core is to carry out."""
    kinds: list[type] = []

    async def execute(_state: object, operations: tuple[object, ...], _loop: object) -> None:
        kinds.extend(map(type, operations))
        if fails:
            raise core.ExecuteError("gone")

    monkeypatch.setattr(core, "execute", execute)
    loop: Any = None
    call.loop = loop
    asyncio.run(call.send(None, (core.SendMessage(b"", 0),)))
    return kinds


def test_an_answer_is_sent_and_with_it_the_end_is_awaited_unless_it_is_already(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the core would keep its part of the call."""
    method: Any = None
    call = UnaryCall(method)
    answer = [core.SendMetadata, core.SendMessage]
    assert sent(monkeypatch, call) == [*answer, core.ReceiveClose]
    watching: Any = "watching"
    call.watching = watching
    assert sent(monkeypatch, call) == answer


def test_the_connection_of_an_answer_that_cannot_be_sent_is_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doubted: list[str] = []
    peers = SimpleNamespace(doubt=doubted.append)
    method: Any = SimpleNamespace(limits=SimpleNamespace(peers=peers))
    call = UnaryCall(method)
    call.peer = "peer"
    sent(monkeypatch, call, fails=True)
    assert doubted == ["peer"]


def test_the_connection_of_a_call_without_a_request_is_doubted() -> None:
    doubted: list[str] = []

    async def read() -> object:
        return grpc.aio.EOF

    limits = SimpleNamespace(
        incomplete=Limits(load({}, {}).settings).incomplete,
        peers=SimpleNamespace(doubt=doubted.append),
    )
    call = Told(limits=limits)
    context: Any = SimpleNamespace(read=read)
    call.context = context
    with pytest.raises(unary_call._EmptyError):
        asyncio.run(call.respond())
    assert doubted == ["peer"]


@pytest.mark.parametrize("has_waited", [False, True])
def test_who_had_to_wait_for_a_turn_may_be_too_late_for_it(*, has_waited: bool) -> None:
    async def read() -> bytes:
        return b"raw"

    async def wait(_peer: str, *, exempt: bool) -> bool:
        assert exempt
        return has_waited

    limits = SimpleNamespace(
        incomplete=Limits(load({}, {}).settings).incomplete, stretch=SimpleNamespace(wait=wait)
    )
    method: Any = SimpleNamespace(
        limits=limits,
        exempt=True,
        in_flight=InFlight(1, bool),
        meters=SimpleNamespace(received=Tally(Metrics().log_lines_lost)),
        at_once=True,
        respond_at_once=bytes.upper,
    )
    call = UnaryCall(method)
    context: Any = SimpleNamespace(read=read, time_remaining=lambda: 0)
    call.context, call.peer = context, "peer"
    with pytest.raises(ExpiredError) if has_waited else nullcontext():
        assert asyncio.run(call.respond()) == b"RAW"


@pytest.mark.parametrize(
    ("remaining", "is_late", "expiry"), [(0, True, 7.0), (0.5, False, 7.5), (None, False, None)]
)
def test_a_deadline_is_known_as_a_time(
    remaining: float | None,
    expiry: float | None,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_late: bool,
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    method: Any = None
    call = UnaryCall(method)
    context: Any = SimpleNamespace(time_remaining=lambda: remaining)
    call.context = context
    assert call.expiry() == expiry
    with pytest.raises(ExpiredError) if is_late else nullcontext():
        call.check_deadline()


def test_a_call_whose_deadline_has_passed_is_not_worked_on() -> None:
    method: Any = SimpleNamespace(
        limits=SimpleNamespace(client_names=None),
        in_flight=InFlight(1, bool),
        max_bytes=1,
        exempt=False,
    )
    call = UnaryCall(method)
    context: Any = SimpleNamespace(time_remaining=lambda: 0)
    call.context, call.peer = context, "peer"
    with pytest.raises(ExpiredError):
        call.admit(b"x")
    assert call.is_in_flight, "and so leaves when it ends"


def test_a_call_that_has_ended_waits_for_nothing_but_that_its_answer_leaves() -> None:
    limits = Limits(load({}, {}).settings)
    recorder = SimpleNamespace(sample=lambda _: True, add=lambda _: None)
    method: Any = SimpleNamespace(limits=limits, recorder=recorder, exempt=False)
    for is_served in (False, True):
        call = UnaryCall(method)
        call.started, call.peer, call.is_served = 0.0, "peer", is_served
        call.context = method
        call.name(())
        limits.incomplete.enter(call)
        call.end(OK)
        assert len(limits.incomplete) == 0
        assert (call in limits.unsent) != is_served
        assert not hasattr(call, "context"), "it would keep grpc's part of the call"
