"""Tracing: spans reach a collector, in the client's trace; without the extra, a clear refusal."""

import gzip
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests import questions
from tests.server.calls import ask
from tests.servers import DEFAULT_FLAGS, serving

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


@contextmanager
def collector() -> Iterator[tuple[str, list[Any]]]:
    """Collect spans over HTTP, as OTLP has it; give where, and the spans."""
    spans: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Encoding"] == "gzip":
                body = gzip.decompress(body)
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    spans.extend(scope.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", spans
        finally:
            server.shutdown()
            thread.join()


def test_spans_are_part_of_the_clients_trace() -> None:
    metadata = [("traceparent", f"00-{TRACE}-{PARENT}-01"), ("x-request-id", "one")]
    with collector() as (url, spans):
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": url}
        with serving("--tracing", "true", environment=environment) as process:
            ask(process, "Evaluate", metadata=metadata)
            ask(process, "Evaluate", b"\xff")
            ask(process, "/grpc.health.v1.Health/Check", b"")
        first, second = spans
    assert first.name == f"{questions.SERVICE}/Evaluate"
    assert (first.trace_id.hex(), first.parent_span_id.hex()) == (TRACE, PARENT)
    assert 0 < first.end_time_unix_nano - first.start_time_unix_nano < 1e9
    assert not second.parent_span_id
    codes = [
        attribute.value.int_value
        for span in spans
        for attribute in span.attributes
        if attribute.key == "rpc.grpc.status_code"
    ]
    assert codes == [0, 3]


def test_without_the_extra_tracing_is_refused_and_all_else_works() -> None:
    bare = (
        sys.executable,
        "-c",
        "import sys; sys.modules['opentelemetry'] = None; from shisanzhi.cli import main; main()",
    )
    with serving(command=bare) as process:
        ask(process, "Evaluate")
    refused = subprocess.run(
        [*bare, "serve", *DEFAULT_FLAGS, "--tracing", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 3
    assert "expected the extra shisanzhi[tracing]" in refused.stderr


def test_a_collector_that_is_gone_does_not_hold_up_the_stop() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}"}
    with serving("--tracing", "true", "--grace", "0.1", environment=environment) as process:
        ask(process, "Evaluate")
        started = time.monotonic()
        process.signal()
        assert process.wait() == 0
        assert time.monotonic() - started < 3
