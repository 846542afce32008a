"""The gateway, a real Envoy, asked with curl: JSON, browsers, limits, and what is closed."""

import json
import socket
import struct
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from deploy.gateway.describe import PUBLIC
from deploy.gateway.gateway import Config, Tls, http_filter, public
from deploy.gateway.local import Running, gateway
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from tests import questions
from tests.deploy.http_client import Answer, curl, post
from tests.server.authority import Authority
from tests.server.calls import Outcome, ask, memory
from tests.server.raw_http2 import Connection
from tests.servers import Process, serving, wait_for

pytestmark = pytest.mark.real

CLOSED = sorted(set(questions.METHODS) - PUBLIC)
OTHERS = (
    "/grpc.health.v1.Health/Check",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/shisanzhi.v1.GameLogicService/NoSuchMethod",
)
REFUSALS = {1, 3, 7}
"""Frames that answer, reset a stream or close a connection."""
POD_BYTES = 1 << 30
"""What the cluster gives a gateway."""
ALLOWED, FOREIGN = "http://localhost:5173", "https://elsewhere.example"


def as_json(message: Any) -> Any:
    return MessageToDict(message, preserving_proto_field_name=True)


def read(method: str, answer: Answer) -> Any:
    kind: Any = getattr(service_pb2, f"{method}Response")
    return ParseDict(answer.json, kind())


@pytest.mark.parametrize("method", questions.METHODS)
def test_each_method_answers_json_as_it_answers_grpc(method: str, before: Running) -> None:
    answer = post(before.platform, method, as_json(questions.request(method)))
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert read(method, answer) == questions.response(method)


def test_lower_camel_case_is_understood_too(before: Running) -> None:
    request = MessageToDict(questions.request("Score"))
    assert "cutCard" in request
    assert read("Score", post(before.public, "Score", request)) == questions.response("Score")


def test_zero_and_false_are_in_the_answer(before: Running) -> None:
    result = post(before.public, "Score", as_json(questions.request("Score"))).json["result"]
    assert result["seats"][0]["seat"] == 0
    assert result["seats"][0]["dragon"] is False
    assert "total_units" in result["seats"][0]


def test_faults_come_with_reasons_and_paths(before: Running) -> None:
    answer = post(before.public, "Score", as_json(questions.foul()))
    assert answer.status == 400
    info, bad = answer.json["details"]
    assert info["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"
    assert (info["domain"], info["reason"]) == ("shisanzhi", "MIDDLE_NOT_BELOW_BACK")
    faults = {(each["field"], each["reason"]) for each in bad["field_violations"]}
    assert ("arrangements[0].middle", "MIDDLE_NOT_BELOW_BACK") in faults


def test_what_is_no_json_of_the_request_is_refused_with_words(before: Running) -> None:
    for body in (b"{", b'{"ruleset": "NO_SUCH"}', b'{"rows": 3}', b"[]", b'{"no_such_field": 1}'):
        answer = post(before.public, "Evaluate", body)
        assert answer.status == 400, body
        assert answer.json["code"] == 3, answer.body
        assert answer.json["message"], body


def test_a_request_id_comes_back(before: Running) -> None:
    assert len(post(before.public, "ListRulesets", {}).headers["x-request-id"]) > 10


@pytest.mark.parametrize("method", sorted(PUBLIC))
def test_what_is_open_to_the_public_answers_it(method: str, before: Running) -> None:
    assert post(before.public, method, as_json(questions.request(method))).status == 200
    assert over_grpc(before.public, method).code is grpc.StatusCode.OK
    status, trailers = over_grpc_web(before.public, method)
    assert (status, trailers["grpc-status"]) == (200, "0")


@pytest.mark.parametrize("method", CLOSED)
def test_what_is_the_platforms_is_closed_to_the_public(method: str, before: Running) -> None:
    answer = post(before.public, method, as_json(questions.request(method)))
    assert answer.status == 403
    assert answer.json["code"] == 7
    assert answer.json["message"].startswith("expected a method that is open to the public")
    outcome = over_grpc(before.public, method)
    assert outcome.code is grpc.StatusCode.PERMISSION_DENIED
    assert outcome.details == answer.json["message"]
    _, trailers = over_grpc_web(before.public, method)
    assert trailers["grpc-status"] == "7"


@pytest.mark.parametrize("path", OTHERS)
def test_health_reflection_and_what_does_not_exist_are_closed_too(
    path: str, before: Running
) -> None:
    assert post(before.public, path, {}).status in {403, 404}
    with grpc.insecure_channel(before.public) as channel:
        code = ask(channel, path, b"").code
    assert code in {grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.PERMISSION_DENIED}


def test_a_server_that_stops_does_not_make_the_gateway_look_like_stopping(before: Running) -> None:
    with grpc.insecure_channel(before.platform) as channel:
        assert ask(channel, OTHERS[0], b"").code is grpc.StatusCode.UNIMPLEMENTED
        reflection: Any = channel.stream_stream(OTHERS[1])  # what buf curl asks first
        assert next(reflection(iter([b"\x3a\x01*"])))


def test_a_closed_method_has_no_other_spelling(before: Running) -> None:
    for path in (
        "//shisanzhi.v1.GameLogicService/DealRound",
        "/./shisanzhi.v1.GameLogicService/DealRound",
        "/shisanzhi.v1.GameLogicService//DealRound",
        "/shisanzhi.v1.GameLogicService/Evaluate/../DealRound",
        "/shisanzhi.v1.GameLogicService/Evaluate%2f..%2fDealRound",
        "/shisanzhi.v1.GameLogicService/DealRound?x=1",
        "/shisanzhi.v1.GameLogicService/%44ealRound",
    ):
        answer = curl(
            f"http://{before.public}{path}",
            *("--path-as-is", "--header", "content-type: application/json"),
            body=json.dumps(as_json(questions.request("DealRound"))).encode(),
        )
        assert answer.status in {400, 403, 404}, path
        assert b"hands" not in answer.body


def test_the_demo_opens_the_deal_alone(servers: list[Process], tmp_path: Path) -> None:
    with gateway([servers[0].address], tmp_path, demo=True) as demo:
        request = as_json(questions.request("DealRound"))
        assert read("DealRound", post(demo.public, "DealRound", request)) == questions.response(
            "DealRound"
        )
        request = as_json(questions.request("StartMatch"))
        assert post(demo.public, "StartMatch", request).status == 403


# Browsers


def preflight(address: str, origin: str, path: str = questions.path("Evaluate")) -> Answer:
    return curl(
        f"http://{address}{path}",
        *("--request", "OPTIONS", "--header", f"origin: {origin}"),
        *("--header", "access-control-request-method: POST"),
        *("--header", "access-control-request-headers: content-type,x-grpc-web"),
    )


def test_a_preflight_from_an_allowed_origin_is_granted(before: Running) -> None:
    answer = preflight(before.public, ALLOWED)
    assert answer.status == 200
    assert answer.headers["access-control-allow-origin"] == ALLOWED
    assert "POST" in answer.headers["access-control-allow-methods"]
    assert "x-grpc-web" in answer.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    "origin", [FOREIGN, "http://localhost.evil.example", "null", "http://127.0.0.1x"]
)
def test_a_preflight_from_another_origin_is_not(origin: str, before: Running) -> None:
    assert "access-control-allow-origin" not in preflight(before.public, origin).headers


def test_an_origin_can_be_added(servers: list[Process], tmp_path: Path) -> None:
    with gateway([servers[0].address], tmp_path, origins=[FOREIGN]) as running:
        assert preflight(running.public, FOREIGN).headers["access-control-allow-origin"] == FOREIGN


def over_grpc(address: str, method: str) -> Outcome:
    with grpc.insecure_channel(address) as channel:
        return ask(channel, method)


def over_grpc_web(
    address: str, method: str, request: bytes | None = None, origin: str = ALLOWED
) -> tuple[int, dict[str, str]]:
    """Ask as a browser does; give the HTTP status and the trailers, wherever they came."""
    message = questions.raw(method) if request is None else request
    answer = curl(
        f"http://{address}{questions.path(method)}",
        *("--header", "content-type: application/grpc-web+proto", "--header", "x-grpc-web: 1"),
        *("--header", f"origin: {origin}"),
        body=b"\0" + struct.pack(">I", len(message)) + message,
    )
    trailers = dict(answer.headers)
    rest = answer.body
    while rest:
        flags, size = struct.unpack(">BI", rest[:5])
        if flags & 0x80:
            lines = rest[5 : 5 + size].decode().strip().split("\r\n")
            trailers |= {
                name.strip(): value.strip()
                for name, _, value in (line.partition(":") for line in lines)
            }
        rest = rest[5 + size :]
    return answer.status, trailers


def test_a_browser_gets_the_details_of_an_error_and_may_read_them(before: Running) -> None:
    _, trailers = over_grpc_web(before.public, "Score", questions.foul().SerializeToString())
    assert trailers["grpc-status"] == "3"
    assert trailers["grpc-status-details-bin"]
    exposed = trailers["access-control-expose-headers"].replace(" ", "").split(",")
    assert {"grpc-status", "grpc-message", "grpc-status-details-bin"} <= set(exposed)


def test_a_browser_of_an_allowed_origin_may_read_refusals_too(before: Running) -> None:
    headers = ("--header", f"origin: {ALLOWED}")
    answer = post(before.public, "Evaluate", b" " * 300_000, *headers)
    assert answer.status == 413
    assert answer.headers["access-control-allow-origin"] == ALLOWED


def test_the_page_is_served_with_a_policy(before: Running) -> None:
    answer = curl(f"http://{before.public}/")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert b"<title>Shisanzhi" in answer.body
    assert curl(f"http://{before.public}/no-such-file.js").status == 404


def test_no_file_outside_the_page_is_served(before: Running) -> None:
    for path in ("/../envoy.yaml", "/%2e%2e/envoy.yaml", "/..%2fenvoy.yaml", "/a/../../envoy.yaml"):
        answer = curl(f"http://{before.public}{path}", "--path-as-is")
        assert answer.status in {400, 404}, path


def test_the_description_is_served(before: Running) -> None:
    answer = curl(f"http://{before.public}/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["openapi"] == "3.1.0"


def test_the_page_is_compressed_for_who_asks(before: Running) -> None:
    answer = curl(f"http://{before.public}/openapi.json", "--header", "accept-encoding: gzip")
    assert answer.headers["content-encoding"] == "gzip"


# Limits


def test_a_request_that_is_too_large_is_refused_at_the_edge(before: Running) -> None:
    answer = post(before.public, "Evaluate", b'{"rows": [' + b" " * 300_000 + b"]}")
    assert answer.status == 413
    assert answer.json["code"] == 8
    assert post(before.platform, "Evaluate", b'{"rows": [' + b" " * 300_000 + b"]}").status == 400


def test_headers_that_unpack_to_very_many_stop_at_the_edge(
    before: Running, servers: list[Process]
) -> None:
    """grpc's core holds nobody to its limit who does not acknowledge it: Envoy does."""
    held = [memory(server.popen.pid) for server in servers]
    for _ in range(10):
        with suppress(ConnectionError), Connection(before.public) as connection:
            connection.open_with_copies(questions.path("Evaluate"), ("a", "b" * 50), 500_000)
            while connection.frame()[0] not in REFUSALS:
                pass
    assert post(before.public, "Evaluate", as_json(questions.request("Evaluate"))).status == 200
    assert all(
        memory(server.popen.pid) < most + (30 << 20)
        for server, most in zip(servers, held, strict=True)
    )


def hold_answers(address: str, source: str, streams: int) -> socket.socket:
    """Ask for the description so many times from one address, and take nothing of it."""
    host, _, port = address.rpartition(":")
    connected = socket.create_connection((host, int(port)), 5, (source, 0))
    texts = (b":path", b"/openapi.json"), (b":authority", b"gateway")
    headers = b"\x82\x86" + b"".join(
        b"\0%c%b%c%b" % (len(name), name, len(value), value) for name, value in texts
    )
    no_window = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0"
    asked = (
        struct.pack(">HBBBI", 0, len(headers), 1, 5, 2 * i + 1) + headers for i in range(streams)
    )
    connected.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + no_window + b"".join(asked))
    return connected


@pytest.mark.parametrize(
    ("count", "size", "most"), [(60, 8_300_000, 150 << 20), (700, 1_040_000, POD_BYTES)]
)
def test_bodies_all_but_sent_do_not_fill_the_gateways_memory(
    before: Running, count: int, size: int, most: int
) -> None:
    """Over HTTP/1.1, of which Envoy resets none for what it holds: each is small, and goes soon."""
    head = (
        f"POST {questions.path('BatchScore')} HTTP/1.1\r\nHost: x\r\n"
        f"Content-Type: application/json\r\nContent-Length: {size + 1}\r\n\r\n"
    )
    host, _, port = before.platform.rpartition(":")
    question = as_json(questions.request("Evaluate"))
    before_all = memory(before.pid)
    with ExitStack() as held:
        for _ in range(count):
            connected = held.enter_context(socket.create_connection((host, int(port)), timeout=0.5))
            with suppress(OSError):
                connected.sendall(head.encode() + b" " * size)
        assert memory(before.pid) - before_all < most
        wait_for(lambda: post(before.platform, "Evaluate", question).status == 200, 3)


def test_a_large_answer_is_for_grpc_to_take(before: Running) -> None:
    request = as_json(questions.request("Arrange")) | {"max_suggestions": 20}
    few, many = ({"requests": [request] * count} for count in (20, 1000))
    assert post(before.platform, "BatchArrange", few).status == 200
    assert post(before.platform, "BatchArrange", many).status >= 400
    assert post(before.platform, "Evaluate", as_json(questions.request("Evaluate"))).status == 200


def test_answers_that_nobody_takes_do_not_fill_the_gateways_memory(before: Running) -> None:
    """Each address stays within its rate; together they would hold far more than the pod may."""
    with ExitStack() as held:
        for each in range(80):
            source = f"127.0.1.{each // 2 + 1}"
            held.enter_context(hold_answers(before.public, source, 95))
        time.sleep(2)
        assert memory(before.pid) < POD_BYTES
        time.sleep(2)
        assert post(before.public, "Evaluate", as_json(questions.request("Evaluate"))).status == 200


def test_a_request_that_comes_bit_by_bit_is_given_up(before: Running) -> None:
    host, _, port = before.public.rpartition(":")
    begun = time.monotonic()
    with socket.create_connection((host, int(port)), 1) as connected:
        path = questions.path("Evaluate")
        connected.sendall(
            f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n".encode()
        )
        answer = b""
        while not answer and time.monotonic() < begun + 20:
            connected.sendall(b" ")
            with suppress(TimeoutError):
                answer = connected.recv(1000)
    assert answer.startswith(b"HTTP/1.1 408")


def test_a_thousand_hands_fit_through_the_platforms_listener(before: Running) -> None:
    one = as_json(questions.request("Arrange"))
    answer = post(
        before.platform, "BatchArrange", {"requests": [{**one, "max_suggestions": 20}] * 300}
    )
    assert answer.status == 200
    assert len(answer.json["responses"]) == 300


def test_an_address_that_asks_too_often_is_refused(servers: list[Process], tmp_path: Path) -> None:
    def strict(config: Config) -> None:
        bucket = http_filter(public(config), "local_ratelimit")["descriptors"][0]["token_bucket"]
        bucket |= {"max_tokens": 5, "tokens_per_fill": 1, "fill_interval": "60s"}

    with gateway([servers[0].address], tmp_path, change=strict) as running:
        answers = [post(running.public, "ListRulesets", {}) for _ in range(8)]
        assert [answer.status for answer in answers] == [200] * 5 + [429] * 3
        assert answers[-1].json["code"] == 8
        outcome = over_grpc(running.public, "Evaluate")
        assert outcome.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        other = curl(
            f"http://{running.public}/openapi.json", "--interface", "127.0.0.2"
        )  # another address has a bucket of its own
        assert other.status == 200
        # The platform's own servers are not counted.
        assert [post(running.platform, "ListRulesets", {}).status for _ in range(8)] == [200] * 8


def test_who_asks_for_the_description_without_end_takes_it_from_nobody(before: Running) -> None:
    def status(interface: str) -> int:
        return curl(f"http://{before.public}/openapi.json", "--interface", interface).status

    assert 429 in [status("127.0.0.3") for _ in range(40)]
    assert status("127.0.0.4") == 200


def test_deadlines_too_short_to_keep_take_no_server_out(before: Running) -> None:
    hasty = "--header", "grpc-timeout: 1n"
    batch = {"requests": [as_json(questions.request("Arrange"))] * 100}
    for _ in range(20):
        assert post(before.platform, "BatchArrange", batch, *hasty).status == 504
    assert healthy(before) == 2
    for _ in range(20):
        post(before.public, "Arrange", batch["requests"][0], *hasty)
    assert healthy(before) == 2


def healthy(running: Running) -> int:
    """Count the servers that the gateway asks."""
    text = curl(f"http://{running.metrics}/stats/prometheus").body.decode()
    name = 'envoy_cluster_membership_healthy{envoy_cluster_name="shisanzhi"} '
    return int(next(line.removeprefix(name) for line in text.splitlines() if line.startswith(name)))


def test_the_metrics_listener_shows_metrics_and_nothing_else(before: Running) -> None:
    assert curl(f"http://{before.metrics}/ready").status == 200
    assert (
        b"envoy_cluster_membership_healthy"
        in curl(f"http://{before.metrics}/stats/prometheus").body
    )
    for path in ("/quitquitquit", "/config_dump", "/", "/drain_listeners"):
        assert curl(f"http://{before.metrics}{path}", "--request", "POST").status == 404


def test_the_gateway_reaches_servers_that_ask_who_it_is(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server = authority.issue("server", "DNS:shisanzhi-pods")
    client = authority.issue("client", "DNS:gateway.shisanzhi")
    flags = (
        *("--tls-certificate", str(server.certificate), "--tls-key", str(server.key)),
        *("--tls-client-ca", str(authority.certificate)),
        *("--tls-client-names", "client.shisanzhi,gateway.shisanzhi"),
    )
    files = (str(authority.certificate), str(client.certificate), str(client.key))
    with serving(*flags) as process:
        tls = Tls(*files, "shisanzhi-pods")
        with gateway([process.address], tmp_path, tls=tls) as running:
            assert post(running.public, "ListRulesets", {}).status == 200
        with gateway([process.address], tmp_path, tls=tls._replace(name="other")) as running:
            assert post(running.public, "ListRulesets", {}).status == 503


# What the configuration says that would be missed


def _without_expose_headers(config: Config) -> None:
    policy = public(config)["route_config"]["virtual_hosts"][0]["typed_per_filter_config"]
    policy["envoy.filters.http.cors"].pop("expose_headers")


def _grpc_routes_alone(config: Config) -> None:
    public(config)["route_config"]["virtual_hosts"][0]["routes"][0]["match"]["grpc"] = {}


def test_without_expose_headers_the_details_are_hidden(
    servers: list[Process], tmp_path: Path
) -> None:
    with (
        gateway([servers[0].address], tmp_path, change=_without_expose_headers) as running,
        pytest.raises(KeyError),
    ):
        test_a_browser_gets_the_details_of_an_error_and_may_read_them(running)


def test_a_route_for_grpc_alone_is_none_for_browsers(
    servers: list[Process], tmp_path: Path
) -> None:
    with gateway([servers[0].address], tmp_path, change=_grpc_routes_alone) as running:
        status, trailers = over_grpc_web(running.public, "Evaluate")
        assert (status, trailers.get("grpc-status")) != (200, "0")
