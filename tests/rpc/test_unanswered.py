"""What a client says of a server that gives no answer, and a probe of one that gives some."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2

from shisanzhi.rpc.client import channel, probe
from shisanzhi.rpc.client.game_client import Client
from shisanzhi.rpc.client.target import Target, Tls
from shisanzhi.rpc.client.unanswered import Hint, UnansweredError
from tests.server.authority import Authority

Code = grpc.StatusCode
TLS = Tls(b"")


class Failed(grpc.RpcError):
    """A call that failed, as a stub raises it."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__()
        self._code, self._details = code, details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details


@contextmanager
def listening(answer: Callable[[socket.socket], object], host: str = "127.0.0.1") -> Iterator[str]:
    """Take one connection and do something with it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:

        def serve() -> None:
            with listener.accept()[0] as connection, suppress(OSError):
                answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        port = listener.getsockname()[1]
        yield f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        thread.join(5)


@pytest.fixture(scope="module")
def shaking_hands(tmp_path_factory: pytest.TempPathFactory) -> Callable[[socket.socket], object]:
    """Give what speaks TLS, with a certificate that nobody trusts."""
    folder: Path = tmp_path_factory.mktemp("tls")
    pair = Authority(folder).issue("server", "DNS:elsewhere")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair.certificate, pair.key)
    return lambda connection: context.wrap_socket(connection, server_side=True).close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_server_that_speaks_tls_is_known_by_its_hand(
    host: str, shaking_hands: Callable[[socket.socket], object]
) -> None:
    with listening(shaking_hands, host) as address:
        error = channel.unanswered(Target(address), Failed(Code.UNAVAILABLE, "hung up"))
    assert error.hint is Hint.SPEAKS_TLS
    assert str(error) == (
        f"expected an answer from {address}, got UNAVAILABLE: hung up; "
        "it speaks TLS: name whom to trust with --tls-ca"
    )


def test_of_one_that_speaks_none_nothing_is_guessed() -> None:
    with listening(lambda connection: connection.sendall(b"HTTP/1.1 400 \r\n\r\n")) as address:
        error = channel.unanswered(Target(address), Failed(Code.UNAVAILABLE, "hung up"))
    assert (error.hint, error.address, error.got) == (None, address, "UNAVAILABLE: hung up")
    assert str(error) == f"expected an answer from {address}, got UNAVAILABLE: hung up"
    for nowhere in (address, "dns:nowhere", "127.0.0.1:http"):
        assert not channel._speaks_tls(nowhere)


def test_who_says_nothing_is_waited_for_no_longer_than_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[object] = []
    connect = socket.create_connection

    def connecting(where: Any, timeout: float) -> socket.socket:
        waited.append(timeout)
        return connect(where, 0.05)

    monkeypatch.setattr(socket, "create_connection", connecting)
    with listening(lambda connection: connection.recv(1 << 16) and connection.recv(1)) as address:
        assert not channel._speaks_tls(address)
    assert waited == [1.0]


@pytest.mark.parametrize(
    ("details", "hint"),
    [("Ssl handshake failed: WRONG_VERSION_NUMBER", Hint.SPEAKS_PLAINTEXT), ("hung up", None)],
)
def test_one_that_speaks_plaintext_is_known_by_what_tls_makes_of_it(
    details: str, hint: Hint | None
) -> None:
    error = channel.unanswered(Target("a:1", TLS), Failed(Code.UNAVAILABLE, details))
    assert error.hint is hint
    if hint:
        assert str(error).endswith("; it speaks plaintext: leave out --tls-ca")


def test_of_one_that_answers_with_an_error_nothing_is_guessed() -> None:
    error = channel.unanswered(
        Target("a:1", TLS),
        Failed(Code.INTERNAL, "WRONG_VERSION_NUMBER"),
    )
    assert (error.hint, error.got) == (None, "INTERNAL: WRONG_VERSION_NUMBER")


def test_channels_pass_over_the_proxies_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(grpc, "insecure_channel", lambda *given: made.append(given))
    monkeypatch.setattr(grpc, "secure_channel", lambda *given: made.append(given))
    monkeypatch.setattr(grpc, "ssl_channel_credentials", lambda *given: given)
    channel.connect(Target("a:1"))
    channel.connect(Target("a:2", Tls(b"ca", b"key", b"certificate")))
    options = (("grpc.enable_http_proxy", 0),)
    assert made == [("a:1", options), ("a:2", (b"ca", b"key", b"certificate"), options)]


@contextmanager
def health(answer: Callable[[str], Any]) -> Iterator[Target]:
    """Serve health, as another server might."""

    def check(request: Any, context: Any) -> Any:
        status = answer(request.service)
        if isinstance(status, Code):
            context.abort(status, "no")
        return health_pb2.HealthCheckResponse(status=status)

    handler = grpc.unary_unary_rpc_method_handler(
        check,
        health_pb2.HealthCheckRequest.FromString,
        health_pb2.HealthCheckResponse.SerializeToString,
    )
    server = grpc.server(ThreadPoolExecutor(1))
    methods = {"Check": handler}
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("grpc.health.v1.Health", methods)]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield Target(f"127.0.0.1:{port}")
    server.stop(None).wait()


def test_a_probe_gives_the_name_of_the_status_or_its_number() -> None:
    statuses = {"a": 1, "b": 2, "c": 99, "d": Code.NOT_FOUND}
    with health(statuses.__getitem__) as target:
        answers = [probe.ask(target, name, 10) for name in statuses]
    assert answers == ["SERVING", "NOT_SERVING", "99", "SERVICE_UNKNOWN"]


def test_a_probe_says_what_else_came_of_it() -> None:
    with (
        health(lambda _: Code.PERMISSION_DENIED) as target,
        pytest.raises(UnansweredError) as raised,
    ):
        probe.ask(target, "", 10)
    assert raised.value.got == "PERMISSION_DENIED: no"


def test_a_client_waits_for_five_seconds_unless_told() -> None:
    waited: list[float] = []

    def ask(_request: object, timeout: float) -> None:
        waited.append(timeout)

    for client in (Client("a:1"), Client("a:1", timeout=2)):
        with client:
            method: Any = ask
            client._ask(method, None, lambda _: None)
    assert waited == [5.0, 2]


def test_a_client_closes_its_channel() -> None:
    closed: list[bool] = []
    client = Client("a:1")
    client._channel.close()
    made: Any = SimpleNamespace(close=lambda: closed.append(True))
    with client as entered:
        assert entered is client
        client._channel = made
    assert closed == [True]


def test_an_answer_that_is_not_understood_is_that_of_a_newer_server() -> None:
    def read(_response: object) -> None:
        raise KeyError(99)

    method: Any = lambda _request, timeout: timeout  # noqa: E731
    with Client("a:1") as client, pytest.raises(UnansweredError) as raised:
        client._ask(method, None, read)
    assert str(raised.value) == (
        "expected an answer from a:1, got one with an unknown value: 99; "
        "it may be newer than this command"
    )
    assert isinstance(raised.value.__cause__, KeyError)
