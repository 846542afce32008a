"""The recorder: what goes wrong with the recording of one call harms no other."""

import asyncio
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from shisanzhi.rpc.observability.access_log import AccessLog, Line
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.observability.recorder import Recorder
from shisanzhi.rpc.observability.tracing import Span
from tests.rpc.here import until

IDS = ["one", "two", "three"]
OK = grpc.StatusCode.OK


class Books(AccessLog):
    """All that a recorder writes in one, of which one fails for the second call."""

    def __init__(self, broken: str) -> None:
        super().__init__(1)
        self.booked: dict[str, list[str]] = {"seconds": [], "log": [], "trace": []}
        self._broken = broken

    def observe(self, request_id: str) -> None:
        self._book("seconds", request_id)

    def write(self, line: Line) -> None:
        self._book("log", line.request_id)

    def trace(self, span: Span) -> None:
        self._book("trace", span.request_id)

    def _book(self, book: str, request_id: str) -> None:
        if (book, request_id) == (self._broken, "two"):
            raise ValueError(request_id)
        self.booked[book].append(request_id)


def call(books: Books, request_id: str, code: grpc.StatusCode = OK) -> Any:
    """Make as much of a call as a recorder looks at; for its seconds it has its id."""
    tally = SimpleNamespace(inc=lambda: None)
    return SimpleNamespace(
        method=SimpleNamespace(
            path="/service/method",
            meters=SimpleNamespace(ok=tally, handled={code: tally}, seconds=books),
            exempt=False,
        ),
        code=code,
        seconds=request_id,
        ended=0.0,
        peer="peer",
        logged=True,
        request_id=request_id,
        reason=None,
        metadata=(),
    )


@pytest.mark.parametrize("broken", ["seconds", "log", "trace"])
def test_a_booking_that_raises_is_counted_and_loses_no_other(broken: str) -> None:
    metrics, books = Metrics(), Books(broken)

    async def book() -> None:
        recorder = Recorder(metrics, books, books.trace)
        for request_id in IDS:
            recorder.add(call(books, request_id))
        recorder.flush()

    asyncio.run(book())
    for name, booked in books.booked.items():
        assert booked == (["one", "three"] if name == broken else IDS)
    assert metrics.registry.get_sample_value("shisanzhi_bookings_failed_total") == 1


def seen(*, code: grpc.StatusCode = OK, pausing: bool = False, seconds: float = 0) -> list[str]:
    """End three calls, the last with that code; give what is recorded when somebody looks."""
    books = Books("none")

    async def look() -> list[str]:
        recorder = Recorder(Metrics(), books, books.trace)
        for request_id, ended in zip(IDS, (OK, OK, code), strict=True):
            recorder.add(call(books, request_id, ended))
        if seconds:
            await asyncio.sleep(seconds)
        if not pausing:
            return [*books.booked["log"]]
        with recorder.paused():
            before = [*books.booked["log"]]
            recorder.add(call(books, "meanwhile", grpc.StatusCode.INTERNAL))
            assert before == books.booked["log"]
        assert [*before, "meanwhile"] == books.booked["log"]
        return before

    return asyncio.run(look())


def test_calls_that_went_well_are_recorded_together_a_little_later() -> None:
    assert seen() == []
    assert seen(seconds=0.2) == IDS


def test_a_single_call_is_recorded_a_little_later_too(monkeypatch: pytest.MonkeyPatch) -> None:
    books = Books("none")

    async def look() -> None:
        recorder = Recorder(Metrics(), books, books.trace)
        later = asyncio.get_running_loop().call_later
        seconds: list[float] = []

        def calling(delay: float, callback: Any, *rest: Any) -> Any:
            if callback == recorder.flush:
                seconds.append(delay)
            return later(delay, callback, *rest)

        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", calling)
        for request_id in IDS[:2]:
            recorder.add(call(books, request_id))
            assert request_id not in books.booked["log"]
            await until(lambda request_id=request_id: request_id in books.booked["log"])  # type: ignore[misc]
        assert seconds == [0.05, 0.05]

    asyncio.run(look())
    assert set(map(tuple, books.booked.values())) == {("one", "two")}


def test_a_call_that_is_exempt_or_not_sampled_is_counted_and_no_more() -> None:
    books = Books("none")

    async def book() -> None:
        recorder = Recorder(Metrics(), books, books.trace)
        exempt = call(books, "one")
        exempt.method.exempt, exempt.logged = True, False
        recorder.add(exempt)
        recorder.flush()

    asyncio.run(book())
    assert books.booked == {"seconds": ["one"], "log": [], "trace": []}


def test_a_failure_is_recorded_at_once_with_what_came_before_it() -> None:
    assert seen(code=grpc.StatusCode.INTERNAL) == IDS


def test_whoever_looks_sees_what_was_noted_before_and_nothing_of_what_comes_meanwhile() -> None:
    assert seen(pausing=True) == IDS
