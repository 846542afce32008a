"""What Prometheus is told: calls under the names of the gRPC ecosystem, and what the game did.

Every series exists from the start, and no label has a value that a client can invent.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import grpc
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.gc_collector import GCCollector

from shisanzhi import __version__
from shisanzhi.engine.solver.arranger import COMPILED
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.observability.core_log import CAUSES
from shisanzhi.rpc.observability.game_metrics import GameMetrics
from shisanzhi.rpc.observability.safely import Safely
from shisanzhi.rpc.observability.tally import Tallies, Tally

BUCKETS: Final = (
    *(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01),
    *(0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)
"""Seconds: a call takes well under a millisecond, a heavy one some."""

CODE_NAMES: Final[Mapping[grpc.StatusCode, str]] = {
    code: "".join(word.capitalize() for word in code.name.split("_"))
    if code is not grpc.StatusCode.OK
    else "OK"
    for code in grpc.StatusCode
}
"""The codes as the gRPC ecosystem writes them: ``OK``, ``InvalidArgument``."""

REJECTIONS: Final = (
    *("concurrency", "queue", "message_size", "client_name", "deadline", "streams"),
    *("incomplete_count", "incomplete_time", "unsent_count", "unsent_time", "connection_gone"),
)
"""Why the server refuses a call on its own account, or cuts it off."""

UNKNOWN: Final = "unknown"
"""Stands for every service or method that does not exist."""

_LABELS: Final = ("grpc_type", "grpc_service", "grpc_method")


class MethodMeters(NamedTuple):
    """The series of one method, looked up once."""

    started: Tally
    ok: Tally  # one of handled, since looking up an enum's member takes longer than counting
    handled: Mapping[grpc.StatusCode, Tally]
    received: Tally
    sent: Tally
    seconds: Histogram


class Metrics:
    """All meters of one process, in a registry of their own."""

    def __init__(self) -> None:
        # A third of all series, and nobody asks when a counter began.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        Info("shisanzhi_build", "The version that runs.", registry=self.registry).info(
            {
                "version": __version__,
                "grpcio": grpc.__version__,
                "solver": "compiled" if COMPILED else "interpreted",
            }
        )
        self._started = self._counter("grpc_server_started", "Calls begun.", _LABELS)
        self._handled = self._counter(
            "grpc_server_handled", "Calls ended, by status code.", (*_LABELS, "grpc_code")
        )
        self._received = self._counter("grpc_server_msg_received", "Requests received.", _LABELS)
        self._sent = self._counter("grpc_server_msg_sent", "Responses sent.", _LABELS)
        self._seconds = Histogram(
            "grpc_server_handling_seconds",
            "Time from a request to its response, in seconds.",
            _LABELS,
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.in_flight = self._gauge("shisanzhi_in_flight_calls", "Calls in hand.")
        self.incomplete = self._gauge(
            "shisanzhi_incomplete_calls", "Calls whose request has not arrived yet."
        )
        self.unsent = self._gauge("shisanzhi_unsent_calls", "Calls whose answer is not sent yet.")
        self.streams = self._gauge("shisanzhi_streams", "Streams of health and reflection open.")
        self.connections = self._gauge(
            "shisanzhi_connections", "Connections open to the service, where the system tells."
        )
        self.crowded_out = self._counter(
            "shisanzhi_management_connections_crowded_out",
            "Connections to the management port closed to make room for a newer one.",
        )
        rejected = self._counter(
            "shisanzhi_rejected_calls", "Calls that the server refused by itself.", ("reason",)
        )
        self.rejected = {reason: rejected.labels(reason) for reason in REJECTIONS}
        self.handshakes = self._counter("shisanzhi_tls_handshakes", "TLS handshakes begun.")
        failed = self._counter(
            "shisanzhi_tls_handshakes_failed", "TLS handshakes failed, by cause.", ("cause",)
        )
        self.handshakes_failed = {cause: failed.labels(cause) for cause in CAUSES}
        reloads = self._counter(
            "shisanzhi_tls_reloads", "Changed TLS files found: taken, or bad.", ("result",)
        )
        self.tls_reloads = {result: reloads.labels(result) for result in ("done", "failed")}
        self.certificate_expiry = self._gauge(
            "shisanzhi_tls_certificate_expiry_seconds",
            "End of the server's certificate, in seconds since 1970; 0 without TLS.",
        )
        self.log_lines_lost = self._counter(
            "shisanzhi_log_lines_lost", "Log lines that could not be written."
        )
        self.safely = Safely(
            self._counter(
                "shisanzhi_bookings_failed", "Times that a call could not be counted or logged."
            )
        )
        self.tallies = Tallies()
        self.game = GameMetrics(self.registry, self.tallies, self.safely)

    def _counter(self, name: str, text: str, labels: Iterable[str] = ()) -> Counter:
        return Counter(name, text, labels, registry=self.registry)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(name, text, registry=self.registry)

    def follow(self, limits: Limits) -> None:
        """Tell from now on how many calls are at each limit."""
        self.in_flight.set_function(lambda: limits.in_flight.count)
        self.incomplete.set_function(lambda: len(limits.incomplete))
        self.unsent.set_function(lambda: len(limits.unsent) + len(limits.unsent_of_streams))
        self.streams.set_function(lambda: limits.streams.count)

    def method(self, kind: str, service: str, method: str) -> MethodMeters:
        """Make the series of one method; kind is such as ``unary`` or ``server_stream``."""
        labels = (kind, service, method)
        tally = self.tallies.of
        handled = {
            code: tally(self._handled.labels(*labels, name)) for code, name in CODE_NAMES.items()
        }
        return MethodMeters(
            started=tally(self._started.labels(*labels)),
            ok=handled[grpc.StatusCode.OK],
            handled=handled,
            received=tally(self._received.labels(*labels)),
            sent=tally(self._sent.labels(*labels)),
            seconds=self._seconds.labels(*labels),
        )
