"""The ledger: what goes wrong with the booking of one call harms no other."""

import asyncio
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from shisanzhi.rpc.observability.access_log import AccessLog, Line
from shisanzhi.rpc.observability.books import Ledger
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.observability.tracing import Span

IDS = ["one", "two", "three"]


class Books(AccessLog):
    """All books of a ledger in one, of which one fails for the second call."""

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


def call(books: Books, request_id: str) -> Any:
    """Make as much of a call as a ledger looks at; for its seconds it has its id."""
    tally = SimpleNamespace(inc=lambda: None)
    return SimpleNamespace(
        method=SimpleNamespace(
            path="/service/method",
            meters=SimpleNamespace(ok=tally, seconds=books),
            exempt=False,
        ),
        code=grpc.StatusCode.OK,
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
        ledger = Ledger(metrics, books, books.trace)
        for request_id in IDS:
            ledger.add(call(books, request_id))
        ledger.book()

    asyncio.run(book())
    for name, booked in books.booked.items():
        assert booked == (["one", "three"] if name == broken else IDS)
    assert metrics.registry.get_sample_value("shisanzhi_bookings_failed_total") == 1
