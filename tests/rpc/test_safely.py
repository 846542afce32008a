"""What must not fail a call: it is done, or counted, and said once a second."""

import time

import pytest
from structlog.testing import capture_logs

from shisanzhi.rpc.observability.metrics import Metrics


def fail(*, other: str) -> None:
    raise KeyError(other)


def test_what_does_not_fail_is_done() -> None:
    metrics = Metrics()
    assert metrics.safely(int, "11", base=2) == 3
    assert metrics.registry.get_sample_value("shisanzhi_bookings_failed_total") == 0


def test_what_fails_is_counted_and_said_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = Metrics()
    with capture_logs() as logged:
        for seconds, said in ((0.0, 1), (0.9, 1), (1.0, 2), (1.9, 2)):
            monkeypatch.setattr(time, "monotonic", lambda seconds=seconds: seconds)
            assert metrics.safely(fail, other="secret") is None
            assert len(logged) == said
    assert metrics.registry.get_sample_value("shisanzhi_bookings_failed_total") == 4
    assert (logged[0]["event"], logged[0]["error"]) == ("not booked", "KeyError")
    assert logged[0]["log_level"] == "error"
