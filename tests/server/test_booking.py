"""Nothing that books, logs or traces a call keeps its answer from the client."""

import sys
from pathlib import Path

import grpc
from grpc_reflection.v1alpha import reflection_pb2

from tests import questions
from tests.server.calls import OK, ask, series, total
from tests.servers import Process, serving, wait_for

UNBOOKED = (sys.executable, Path(__file__).parent / "unbooked.py")
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


def failures(process: Process) -> float:
    return total(series(process), "shisanzhi_bookings_failed_total")


def test_calls_are_answered_when_log_tracer_and_meters_raise() -> None:
    with (
        serving("--tracing", "true", command=UNBOOKED) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        for method in questions.METHODS:
            assert ask(channel, method).code is OK
        assert ask(channel, "Evaluate", b"").reason == "RULESET_REQUIRED"
        assert ask(channel, "Evaluate", b"\xff").reason == "MALFORMED_REQUEST"
        assert ask(channel, "Evaluate", bytes(70_000)).reason == "MESSAGE_TOO_LARGE"
        assert ask(channel, "/no.such/Method", b"").code is grpc.StatusCode.UNIMPLEMENTED
        assert ask(channel, "/grpc.health.v1.Health/Check", b"").code is OK
        for _ in range(20):
            channel.unary_unary(questions.path("Arrange")).future(questions.raw("Arrange")).cancel()
        request = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
        assert len(list(channel.stream_stream(REFLECTION)(iter([request])))) == 1
        assert ask(channel, "Evaluate").code is OK
        wait_for(lambda: failures(process) > 0)
        process.line('"not booked"', '"RuntimeError"', "unbooked.py")
        assert "broken" not in process.text
        process.signal()
        assert process.wait() == 0
