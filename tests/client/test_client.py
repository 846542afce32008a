"""The clients of the package: every method, one typed error, deadlines, TLS."""

import asyncio
import pickle
import re
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from shisanzhi.client import AsyncClient, CallError, Client, Fault
from shisanzhi.client.errors import DETAILS_KEY, call_error
from shisanzhi.v1.game_logic_service_pb2 import ArrangeRequest, EvaluateRequest, GetTextsRequest
from tests import questions
from tests.server.authority import Authority
from tests.servers import serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as server:
        yield server.address


def method_of(client: Client | AsyncClient, method: str) -> Callable[..., Any]:
    """DealRound is deal_round."""
    called: Callable[..., Any] = getattr(client, re.sub(r"(?<!^)([A-Z])", r"_\1", method).lower())
    return called


def awaited(address: str, ask: Callable[[AsyncClient], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with AsyncClient(address) as client:
            return await ask(client)

    return asyncio.run(run())


@pytest.mark.parametrize("method", questions.METHODS)
def test_both_clients_have_every_method_and_give_its_answer(address: str, method: str) -> None:
    request = questions.request(method)
    with Client(address) as client:
        answered = method_of(client, method)(request)
    assert questions.response(method) == answered
    assert answered == awaited(address, lambda client: method_of(client, method)(request))


def test_an_error_has_its_reason_and_all_faults(address: str) -> None:
    request = ArrangeRequest(max_suggestions=30)
    with Client(address) as client, pytest.raises(CallError) as caught:
        client.arrange(request)
    error = caught.value
    assert (error.method, error.code) == ("Arrange", grpc.StatusCode.INVALID_ARGUMENT)
    assert error.reason == "RULESET_REQUIRED"
    assert error.faults == (
        Fault("ruleset", "RULESET_REQUIRED", "expected a ruleset, got none"),
        Fault("max_suggestions", "SUGGESTION_COUNT", "expected at most 20 suggestions, got 30"),
    )
    assert (error.left_out, error.retry_after, error.request_id) == (0, None, "")
    assert str(error) == (
        "Arrange: INVALID_ARGUMENT (RULESET_REQUIRED): "
        "ruleset: expected a ruleset, got none (and 1 more)"
    )
    assert isinstance(error.__cause__, grpc.RpcError)
    with pytest.raises(CallError) as awaiting:
        awaited(address, lambda client: client.arrange(request))
    assert error.faults == awaiting.value.faults


def error_with(*details: Any, metadata: dict[str, str] | None = None) -> CallError:
    """What a call ends with whose status has some details."""
    status = status_pb2.Status()
    info = error_details_pb2.ErrorInfo(reason="OVERLOADED", metadata=metadata)
    for detail in (info, *details):
        status.details.add().Pack(detail)
    status.details.append(any_pb2.Any(type_url="type.googleapis.com/later.Detail", value=b"\x08"))
    trailers: list[tuple[str, str | bytes]] = [
        ("x-request-id", "7"),
        (DETAILS_KEY, status.SerializeToString()),
    ]
    return call_error("Score", grpc.StatusCode.RESOURCE_EXHAUSTED, "too many", trailers)


def test_an_error_says_how_long_to_wait_what_to_look_for_and_what_is_left_out() -> None:
    delay = duration_pb2.Duration(seconds=1, nanos=500_000_000)
    waiting = error_with(error_details_pb2.RetryInfo(retry_delay=delay))
    assert (waiting.reason, waiting.retry_after) == ("OVERLOADED", 1.5)
    found = error_with(error_details_pb2.RequestInfo(request_id="abc"))
    assert (found.request_id, found.retry_after) == ("abc", None)
    assert error_with(metadata={"faults_left_out": "7"}).left_out == 7


def test_an_error_goes_through_pickles_and_contexts() -> None:
    error = error_with(metadata={"faults_left_out": "7"})
    copied = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert str(error) == str(copied)
    assert (error.left_out, error.code) == (copied.left_out, copied.code)

    @contextmanager
    def passing() -> Iterator[None]:
        yield

    with pytest.raises(CallError), passing():
        raise error


def test_details_that_are_none_are_no_error_of_their_own() -> None:
    """A proxy may answer in place of the service, with whatever trailers."""
    for raw in (b"\xff", "text"):
        error = call_error("Score", grpc.StatusCode.UNAVAILABLE, "", [(DETAILS_KEY, raw)])
        assert (error.reason, error.faults) == ("", ())


def test_a_deadline_is_kept_where_nobody_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with Client(address) as client, pytest.raises(CallError) as caught:
            client.evaluate(EvaluateRequest(), timeout=0.2)
    assert caught.value.code == grpc.StatusCode.DEADLINE_EXCEEDED


def test_tls_is_spoken_with_credentials(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("server", "IP:127.0.0.1")
    flags = ("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key))
    credentials = grpc.ssl_channel_credentials(authority.certificate.read_bytes())
    with serving(*flags) as server, Client(server.address, credentials) as client:
        assert client.get_texts(GetTextsRequest()).error_reasons


def test_proxies_of_the_environment_are_passed_over_unless_asked_for(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with Client(address) as client:
        assert client.get_texts(GetTextsRequest()).error_reasons
    heeding = [("grpc.enable_http_proxy", 1)]
    with Client(address, options=heeding) as client, pytest.raises(CallError):
        client.get_texts(GetTextsRequest(), timeout=1)
