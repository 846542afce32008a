"""What a client gets for a call that cannot be answered, and what it never gets."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.card_pb2 import CardList
from tests import questions
from tests.server.calls import OK, ask
from tests.servers import FAULTY, Process, serving

INVALID = grpc.StatusCode.INVALID_ARGUMENT
MALFORMED = (b"\xff", b"\x1a\x05ab", b"\x0a", b"\x0b\x0b\x0b", b"\x1a\xff\xff\xff\xff\x0f")


@pytest.fixture(scope="module")
def faulty() -> Iterator[Process]:
    with serving(command=FAULTY) as process:
        yield process


@pytest.mark.parametrize("method", questions.METHODS)
def test_malformed_bytes_are_the_clients_fault(channel: grpc.Channel, method: str) -> None:
    for data in MALFORMED:
        outcome = ask(channel, method, data)
        assert (outcome.code, outcome.reason) == (INVALID, "MALFORMED_REQUEST")


@pytest.mark.parametrize("method", ["Check", "List", "Watch"])
def test_malformed_bytes_to_health_are_the_clients_fault(channel: Any, method: str) -> None:
    call = channel.stream_stream(f"/grpc.health.v1.Health/{method}")
    with pytest.raises(grpc.RpcError) as raised:
        list(call(iter([b"\xff"]), timeout=10))
    assert raised.value.code() is INVALID


@pytest.mark.parametrize("method", ["Check", "List", "Watch"])
def test_health_that_is_asked_nothing_is_malformed(channel: Any, method: str) -> None:
    call = channel.stream_stream(f"/grpc.health.v1.Health/{method}")(iter([]), timeout=10)
    with pytest.raises(grpc.RpcError):
        list(call)
    assert call.code() is INVALID
    assert b"MALFORMED_REQUEST" in dict(call.trailing_metadata())["grpc-status-details-bin"]


def test_malformed_bytes_to_reflection_are_the_clients_fault(channel: Any) -> None:
    for version in ("v1", "v1alpha"):
        path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
        with pytest.raises(grpc.RpcError) as raised:
            list(channel.stream_stream(path)(iter([b"\xff"]), timeout=10))
        assert raised.value.code() is INVALID


@pytest.mark.parametrize(
    "path", ["/shisanzhi.v1.GameLogicService/Cheat", "/no.Service/Evaluate", "/x", "/a/b/c"]
)
def test_an_unknown_method_is_unimplemented(channel: grpc.Channel, path: str) -> None:
    outcome = ask(channel, path, b"")
    assert (outcome.code, outcome.reason) == (grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_METHOD")
    assert outcome.details == "unknown method"


def test_the_unexpected_is_internal_and_says_only_the_request_id(faulty: Process) -> None:
    outcome = ask(faulty, "Evaluate", metadata=[("x-request-id", "order-17")])
    assert (outcome.code, outcome.details) == (grpc.StatusCode.INTERNAL, "internal error")
    assert outcome.reason == "INTERNAL"
    assert outcome.detail(error_details_pb2.RequestInfo()).request_id == "order-17"
    assert "secret" not in str(outcome)
    assert ask(faulty, "Validate").code is OK


def test_the_log_says_where_the_unexpected_happened(faulty: Process) -> None:
    ask(faulty, "Evaluate", metadata=[("x-request-id", "order-18")])
    line = faulty.line('"unexpected error"', "order-18")
    assert "KeyError" in line
    assert "faulty.py" in line
    assert "secret" not in faulty.text


@pytest.mark.parametrize("count", [5, 5000])
def test_details_fit_into_the_trailers_whatever_is_sent(channel: grpc.Channel, count: int) -> None:
    unknown: Any = 1
    rows = [CardList(cards=[unknown] * 5)] * (count // 5)
    request = service_pb2.EvaluateRequest(**questions.BONUS, rows=rows)
    outcome = ask(channel, "Evaluate", request)
    assert outcome.code is INVALID
    assert trailer_bytes(outcome.trailers, outcome.details) < 8192
    # The message names the first of the faults: the cut card that is missing.
    assert outcome.details.endswith(f"(and {count} more)")


def trailer_bytes(trailers: dict[str, bytes | str], details: str) -> float:
    """Count as HTTP/2 does, with binary values in base64 and texts percent-encoded."""
    details_size = sum(1 if " " <= letter <= "~" else 3 for letter in details)
    return details_size + sum(
        len(key) + 32 + (len(value) * 4 / 3 if isinstance(value, bytes) else len(value))
        for key, value in trailers.items()
    )


def test_a_request_id_is_echoed_if_it_is_sane_and_made_if_not(channel: grpc.Channel) -> None:
    def echoed(*given: str) -> str:
        metadata = [("x-request-id", value) for value in given]
        request_id = ask(channel, "Evaluate", metadata=metadata).trailers["x-request-id"]
        assert isinstance(request_id, str)
        return request_id

    assert echoed("a-sane_id.1:2/3") == "a-sane_id.1:2/3"
    for insane in ("", "two words", '"quoted"', "x" * 129):
        assert echoed(insane) != insane
    assert echoed() != echoed()
