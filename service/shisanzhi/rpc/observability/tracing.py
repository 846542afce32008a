"""OpenTelemetry spans, one per call; off by default, and an extra to install.

Where to send them, how many and as what is said by OpenTelemetry's own variables, such as
OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER and OTEL_SERVICE_NAME.
"""

import os
import threading
from typing import Final, NamedTuple

import grpc

from shisanzhi import __version__

_NANO: Final = 1_000_000_000
_FAULTS_OF_OURS: Final = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DATA_LOSS,
}
"""The codes that OpenTelemetry's conventions count as errors of a server."""


class TracingError(OSError):
    """Tracing is asked for and not installed."""


class Span(NamedTuple):
    """A call that has ended, as a span needs it; ``ended`` is in seconds since 1970."""

    path: str
    code: grpc.StatusCode
    seconds: float
    ended: float
    request_id: str
    traceparent: str | None


class Tracing:
    """Makes a span of each call, within the trace that the client has begun if there is one."""

    def __init__(self) -> None:
        """Set up OpenTelemetry; raises :class:`TracingError` where it is not installed."""
        try:
            from opentelemetry import trace  # noqa: PLC0415 - an extra
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
                OTLPSpanExporter,
            )
            from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
            from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
            from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
            from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
                TraceContextTextMapPropagator,
            )
        except ImportError as error:
            raise TracingError(
                "expected the extra shisanzhi[tracing] to be installed, since tracing is on"
            ) from error
        name = os.environ.get("OTEL_SERVICE_NAME", "shisanzhi")
        resource = Resource.create({"service.name": name, "service.version": __version__})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("shisanzhi", __version__)
        self._extract = TraceContextTextMapPropagator().extract
        self._server = trace.SpanKind.SERVER
        self._error = trace.StatusCode.ERROR

    def record(self, ended: Span) -> None:
        """Make a span of a call that has just ended."""
        parent = {"traceparent": ended.traceparent} if ended.traceparent else {}
        service, _, method = ended.path.strip("/").partition("/")
        end = int(ended.ended * _NANO)
        span = self._tracer.start_span(
            f"{service}/{method}",
            context=self._extract(parent),
            kind=self._server,
            start_time=end - int(ended.seconds * _NANO),
            attributes={
                "rpc.system": "grpc",
                "rpc.service": service,
                "rpc.method": method,
                "rpc.grpc.status_code": ended.code.value[0],
                "request_id": ended.request_id,
            },
        )
        if ended.code in _FAULTS_OF_OURS:
            span.set_status(self._error)
        span.end(end)

    def close(self, seconds: float) -> None:
        """Send what is not sent yet; what takes longer than that is lost.

        Without a collector OpenTelemetry tries again for several seconds, and outlasts the grace.
        """
        closing = threading.Thread(target=self._provider.shutdown, name="tracing", daemon=True)
        closing.start()
        closing.join(seconds)
