"""Spans: what is told of a call, under the names of OpenTelemetry's conventions."""

import sys
import threading
import time
from typing import Any

import grpc
import pytest
from opentelemetry.exporter.otlp.proto.http import trace_exporter
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from shisanzhi import __version__
from shisanzhi.rpc.observability.tracing import Span, Tracing, TracingError

Code = grpc.StatusCode
ENDED = Span("/service/Method", Code.OK, 0.25, 1000.5, "an id", None)
OURS = {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(trace_exporter, "OTLPSpanExporter", lambda: exporter)
    return exporter


def spans(exported: InMemorySpanExporter, *ended: Span) -> list[Any]:
    tracing = Tracing()
    for each in ended:
        tracing.record(each)
    tracing.close(10)
    return list(exported.get_finished_spans())


def test_a_span_says_which_call_it_was_and_when(exported: InMemorySpanExporter) -> None:
    (span,) = spans(exported, ENDED)
    assert (span.name, span.kind, span.parent) == ("service/Method", SpanKind.SERVER, None)
    assert (span.start_time, span.end_time) == (1_000_250_000_000, 1_000_500_000_000)
    assert span.attributes == {
        "rpc.system": "grpc",
        "rpc.service": "service",
        "rpc.method": "Method",
        "rpc.grpc.status_code": 0,
        "request_id": "an id",
    }
    assert span.resource.attributes["service.name"] == "shisanzhi"
    assert span.resource.attributes["service.version"] == __version__
    assert span.instrumentation_scope.name == "shisanzhi"


def test_the_service_is_named_as_the_environment_says(
    exported: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_SERVICE_NAME", "poker")
    (span,) = spans(exported, ENDED)
    assert span.resource.attributes["service.name"] == "poker"


def test_a_span_is_part_of_the_trace_that_the_client_has_begun(
    exported: InMemorySpanExporter,
) -> None:
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    (span,) = spans(exported, ENDED._replace(traceparent=parent))
    assert f"{span.context.trace_id:x}" == "4bf92f3577b34da6a3ce929d0e0e4736"
    assert f"{span.parent.span_id:016x}" == "00f067aa0ba902b7"


def test_faults_of_ours_are_errors(exported: InMemorySpanExporter) -> None:
    for span, code in zip(
        spans(exported, *(ENDED._replace(code=code) for code in Code)), Code, strict=True
    ):
        assert span.status.is_ok != (code.name in OURS), code
        assert span.attributes["rpc.grpc.status_code"] == code.value[0]


def test_the_end_is_waited_for_but_no_longer_than_is_said(
    exported: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, ended = threading.Event(), threading.Event()

    def shutdown() -> None:
        late.wait(0.1)
        ended.set()
        late.wait(10)

    monkeypatch.setattr(exported, "shutdown", shutdown)
    begun = time.monotonic()
    Tracing().close(0.3)
    assert ended.is_set()
    assert time.monotonic() - begun < 5
    (closing,) = (thread for thread in threading.enumerate() if thread.name == "tracing")
    assert closing.daemon, "who does not end keeps no process"
    late.set()


def test_it_ends_when_it_is_closed_and_not_with_the_process(
    exported: InMemorySpanExporter,
) -> None:
    assert Tracing()._provider._atexit_handler is None
    assert not exported.get_finished_spans()


def test_without_the_extra_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(TracingError, match=r"expected the extra shisanzhi\[tracing\]"):
        Tracing()
