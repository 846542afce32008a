"""Metrics: exact, all there from the start, and of a number that no client can change."""

import asyncio
import random
import socket
import string
import time
from contextlib import suppress

import grpc
import pytest

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from tests import questions
from tests.server.calls import OK, Series, ask, ask_async, get, series, total
from tests.server.load import channel
from tests.server.raw_http2 import Connection
from tests.servers import FAULTY, Process, serving

CODES = {
    *("OK", "Cancelled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound"),
    *("AlreadyExists", "PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted"),
    *("OutOfRange", "Unimplemented", "Internal", "Unavailable", "DataLoss", "Unauthenticated"),
}


def test_every_series_exists_at_zero_from_the_start() -> None:
    with serving() as process:
        scraped = series(process)
        for method in questions.METHODS:
            labels = {
                "grpc_service": questions.SERVICE,
                "grpc_method": method,
                "grpc_type": "unary",
            }
            for name in ("started", "msg_received", "msg_sent"):
                assert scraped[f"grpc_server_{name}_total", frozenset(labels.items())] == 0
            for code in CODES:
                key = frozenset({**labels, "grpc_code": code}.items())
                assert scraped["grpc_server_handled_total", key] == 0
            bounds = [
                float(dict(key)["le"])
                for name, key in scraped
                if name == "grpc_server_handling_seconds_bucket" and labels.items() <= set(key)
            ]
            assert (min(bounds), sorted(bounds)[-2]) == (0.0001, 2.5)
        for reason in ("concurrency", "queue", "message_size", "client_name", "deadline"):
            assert (("shisanzhi_rejected_calls_total", frozenset({("reason", reason)}))) in scraped
        for name in ("rounds_dealt", "rounds_scored", "fouls_refused", "suggestions"):
            for ruleset in ("bonus", "classic"):
                key = frozenset({("ruleset", ruleset)})
                assert scraped[f"shisanzhi_{name}_total", key] == 0
        names = {name for name, _ in scraped}
        assert {"shisanzhi_build_info", "process_open_fds", "shisanzhi_in_flight_calls"} <= names
        ask(process, "Evaluate")
        assert series(process).keys() == scraped.keys()


def count(process: Process, code: str) -> float:
    return total(
        series(process),
        "grpc_server_handled_total",
        grpc_code=code,
        grpc_service=questions.SERVICE,
    )


def test_after_a_run_with_each_code_the_counts_are_exact() -> None:
    async def late_and_cancelled(process: Process) -> None:
        async with channel(process.address) as connected:
            late = [asyncio.ensure_future(ask_async(connected, "Arrange", timeout=0.2))]
            calls = [connected.unary_unary(questions.path("Arrange"))(b"") for _ in range(2)]
            await asyncio.sleep(0.1)
            for call in calls:
                call.cancel()
            await asyncio.gather(*late)
            await asyncio.gather(*(ask_async(connected, "Arrange") for _ in range(4)))

    flags = ("--workers", "1", "--max-queued", "8")
    with serving(*flags, command=FAULTY) as process:
        for _ in range(3):
            ask(process, "Evaluate")
            ask(process, "Validate", b"")
            ask(process, "Score", b"\xff")
        for _ in range(5):
            ask(process, "Validate")
        ask(process, "Score", questions.foul())
        ask(process, "/no.such/Method", b"")
        ask(process, "/grpc.health.v1.Health/Check", b"\x0a\x01x")
        asyncio.run(late_and_cancelled(process))
        time.sleep(0.6)
        scraped = series(process)
        assert {
            code: count(process, code)
            for code in ("Internal", "InvalidArgument", "DeadlineExceeded", "Cancelled")
        } == {"Internal": 3, "InvalidArgument": 7, "DeadlineExceeded": 1, "Cancelled": 2}
        assert count(process, "OK") + count(process, "ResourceExhausted") == 9
        assert total(scraped, "grpc_server_handled_total", grpc_code="Unimplemented") == 1
        assert total(scraped, "grpc_server_handled_total", grpc_code="NotFound") == 1
        started = {
            labels: value
            for (name, labels), value in scraped.items()
            if name == "grpc_server_started_total"
        }
        for labels, value in started.items():
            assert value == total(scraped, "grpc_server_handled_total", **dict(labels))
            assert value == total(scraped, "grpc_server_handling_seconds_count", **dict(labels))
        assert sum(started.values()) == 3 * 3 + 5 + 1 + 1 + 1 + 7
        assert total(scraped, "shisanzhi_fouls_refused_total", ruleset="bonus") == 1


def test_what_the_game_did_is_counted_by_ruleset(server: Process) -> None:
    before = series(server)
    for method in ("DealRound", "DealRound", "Score", "StartMatch", "Validate", "Arrange"):
        assert ask(server, method).code is OK
    foul = questions.foul()
    illegal = service_pb2.ValidateRequest(
        ruleset=foul.ruleset, cut_card=foul.cut_card, arrangement=foul.arrangements[0]
    )
    assert ask(server, "Validate", illegal).code is OK
    after = series(server)
    for name, made in (
        ("rounds_dealt", 2),
        ("rounds_scored", 1),
        ("matches_started", 1),
        ("arrangements_illegal", 1),
        ("suggestions", 1),
    ):
        counter = f"shisanzhi_{name}_total"
        grown = total(after, counter, ruleset="bonus") - total(before, counter, ruleset="bonus")
        assert grown == made
        assert total(after, counter, ruleset="classic") == 0


def test_what_is_scraped_under_load_agrees_in_itself(server: Process) -> None:
    """A call that is in one series is in all that it should be in."""

    async def calls(done: asyncio.Event) -> None:
        async with channel(server.address) as connected:
            while not done.is_set():
                await asyncio.gather(*(ask_async(connected, "Evaluate") for _ in range(32)))

    async def run() -> list[Series]:
        done = asyncio.Event()
        load = asyncio.create_task(calls(done))
        scraped = [await asyncio.to_thread(series, server) for _ in range(30)]
        done.set()
        await load
        return scraped

    for scraped in asyncio.run(run()):
        started, handled, timed = (
            total(scraped, f"grpc_server_{name}", grpc_method="Evaluate")
            for name in ("started_total", "handled_total", "handling_seconds_count")
        )
        assert timed == handled <= started


def test_no_client_can_make_a_series(server: Process) -> None:
    before = series(server).keys()
    draw = random.Random(1)

    def text() -> str:
        return "".join(draw.choices(string.ascii_letters + string.digits + "-._", k=12))

    async def call(connected: grpc.aio.Channel) -> None:
        method = draw.choice((f"/{text()}/{text()}", questions.path(text()), f"/{text()}"))
        metadata = ((f"x-{text().lower()}", text()), ("x-request-id", text()))
        outcome = await ask_async(connected, method, b"", metadata=metadata)
        assert outcome.code is grpc.StatusCode.UNIMPLEMENTED

    async def run() -> None:
        for _ in range(10):
            async with channel(server.address, default_authority=text()) as connected:
                for _ in range(20):
                    await asyncio.gather(*(call(connected) for _ in range(50)))

    asyncio.run(run())
    for _ in range(50):
        with Connection(server.address) as connection:
            connection.call(f"/{text()}/{text()}", b"")
    assert series(server).keys() == before


@pytest.mark.parametrize(
    ("path", "status"), [("/healthz", 200), ("/livez", 200), ("/metrics?x", 200), ("/", 404)]
)
def test_the_management_port_answers(server: Process, path: str, status: int) -> None:
    assert get(server, path)[0] == status


@pytest.mark.parametrize("start", [b"\x00\xff" * 50_000, b"GET /metrics", b"PRI * HTTP/2.0\r\nx"])
def test_garbage_on_the_management_port_does_no_harm(server: Process, start: bytes) -> None:
    host, _, port = (server.management or "").rpartition(":")
    for _ in range(20):
        with socket.create_connection((host, int(port))) as connected, suppress(OSError):
            connected.sendall(start)
    assert get(server, "/healthz")[0] == 200


def test_the_exposition_comes_in_both_formats(server: Process) -> None:
    assert "# EOF" not in get(server, "/metrics")[1]
    openmetrics = {"Accept": "application/openmetrics-text; version=1.0.0"}
    assert get(server, "/metrics", openmetrics)[1].endswith("# EOF\n")
