"""The management port, on the test's own event loop: what it says, and to whom it listens."""

import asyncio
from collections.abc import Awaitable, Callable

import grpc
import pytest
from grpc_health.v1 import health_pb2

from shisanzhi.rpc.server import addresses, management, scrapes
from tests.rpc.here import Here, run, until
from tests.server.calls import ask_async

CHECK = "/grpc.health.v1.Health/Check"
PLAIN = "text/plain; version=0.0.4; charset=utf-8"
OPEN = "application/openmetrics-text; version=1.0.0"
NAMES = "escaping=underscores"


def manage(test: Callable[[Here], Awaitable[None]], **flags: object) -> None:
    run(test, management_port=0, **flags)


async def say(here: Here, said: bytes) -> tuple[str, bytes]:
    """Give what is said in return, to its end: head and body."""
    reader, _ = await here.connect(said)
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    return head.decode(), body


def connections(here: Here) -> int:
    """Count those that are open."""
    return len(here.server._management._asking) + len(here.server._management._asked)


def get(path: str, *headers: str, method: str = "GET") -> bytes:
    return "\r\n".join((f"{method} {path} HTTP/1.1", *headers, "", "")).encode()


def head_of(status: str, body: bytes, kind: str = "text/plain; charset=utf-8") -> str:
    lines = f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}"
    return "\r\n".join((*lines, "Connection: close"))


ANSWERS = {
    "GET /healthz HTTP/1.1": ("200 OK", "serving"),
    "GET /healthz?verbose HTTP/1.1": ("200 OK", "serving"),
    "GET hTTp://any:1/healthz HTTP/1.1": ("200 OK", "serving"),
    "GET /livez HTTP/1.0": ("200 OK", "alive"),
    "GET /other HTTP/1.1": ("404 Not Found", "not found"),
    "GET http://other HTTP/1.1": ("404 Not Found", "not found"),
    "POST /healthz HTTP/1.1": ("405 Method Not Allowed", "method not allowed"),
    "GET /healthz": ("400 Bad Request", "bad request"),
    "GET  HTTP/1.1": ("400 Bad Request", "bad request"),
}


def test_what_is_asked_is_answered_and_the_connection_closed() -> None:
    async def test(here: Here) -> None:
        for line, (status, text) in ANSWERS.items():
            body = f"{text}\n".encode()
            assert await say(here, f"{line}\r\n\r\n".encode()) == (head_of(status, body), body)

    manage(test)


def test_health_is_what_the_server_says_of_itself() -> None:
    async def test(here: Here) -> None:
        here.server.health.drain()
        body = b"not serving\n"
        answered = await say(here, get("/healthz"))
        assert answered == (head_of("503 Service Unavailable", body), body)
        assert (await say(here, get("/livez")))[1] == b"alive\n"
        here.server.health.fail()
        body = b"not alive\n"
        answered = await say(here, get("/livez"))
        assert answered == (head_of("503 Service Unavailable", body), body)

    manage(test)


def test_who_wants_no_body_gets_none() -> None:
    async def test(here: Here) -> None:
        answered = await say(here, get("/healthz", method="HEAD"))
        assert answered == (head_of("200 OK", b"serving\n"), b"")

    manage(test)


FORMATS: tuple[tuple[tuple[str, ...], str], ...] = (
    ((), PLAIN),
    (("Host: x", "aCCept: application/openmetrics-text;\t version=1.0.0  "), OPEN),
    (("x: y",) * 99 + (f"accept:{OPEN}",), OPEN),
    (("x: y",) * 100 + (f"accept:{OPEN}",), PLAIN),
    (("Accept-Other: " + OPEN,), PLAIN),
    (("Accept: application/openmetrics-text; version=x.y.z",), PLAIN),
    (("Accept: application/openmetrics-text; version=1.1.\x01",), OPEN),
    (("Accept: application/openmetrics-text; version=1.0.0\xff",), OPEN),
)


def test_metrics_come_in_a_format_that_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrapes, "_EVERY", 0.0)

    async def test(here: Here) -> None:
        for headers, kind in FORMATS:
            request = "\r\n".join(("GET /metrics HTTP/1.1", *headers, "", "")).encode("latin-1")
            head, body = await say(here, request)
            said = head.split("\r\n")[1]
            assert said.startswith(f"Content-Type: {kind}"), headers
            assert head == head_of("200 OK", body, said.removeprefix("Content-Type: "))
            assert b"shisanzhi_connections" in body
            assert body.endswith(b"# EOF\n") == (kind == OPEN)

    manage(test)


def test_a_line_has_an_end() -> None:
    async def test(here: Here) -> None:
        for length, is_read in ((16384, True), (16385, False)):
            line = get("/" + "x" * (length - len("GET / HTTP/1.1")))
            head, _ = await say(here, line)
            assert head.startswith("HTTP/1.1 404") == is_read
        assert here.log == []

    manage(test)


PREFACE = b"PRI * HTTP/2.0\r\n"


@pytest.mark.parametrize("said", [b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\n"])
def test_who_says_too_little_is_let_go(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(management, "_SECONDS", 0.05)

    async def test(here: Here) -> None:
        assert await say(here, said) == ("", b"")
        await until(lambda: connections(here) == 0)

    manage(test)


def test_who_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(management, "_SECONDS", 0.1)

    async def test(here: Here) -> None:
        async def exposition(_encode: object) -> bytes:
            return bytes(50 << 20)

        here.server._management._scrapes._exposition = exposition
        await here.connect(get("/metrics"))
        await until(lambda: connections(here) > 0)
        await until(lambda: connections(here) == 0)

    manage(test)


def test_health_is_had_over_grpc_for_as_long_as_one_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe's connection is no request that must come to its end."""
    monkeypatch.setattr(management, "_SECONDS", 0.1)

    async def test(here: Here) -> None:
        async with grpc.aio.insecure_channel(here.bound.management[0]) as channel:
            for _ in range(3):
                outcome = await ask_async(channel, CHECK, b"")
                status = health_pb2.HealthCheckResponse.FromString(outcome.response).status
                assert status == health_pb2.HealthCheckResponse.SERVING
                await asyncio.sleep(0.06)
            assert (await ask_async(channel, "Evaluate")).code is grpc.StatusCode.UNIMPLEMENTED
        await until(lambda: connections(here) == 0)

    manage(test)


def test_the_oldest_that_has_asked_nothing_makes_room() -> None:
    async def test(here: Here) -> None:
        go = asyncio.Event()

        async def exposition(_encode: object) -> bytes:
            await go.wait()
            return b"metrics"

        here.server._management._scrapes._exposition = exposition
        asking, _ = await here.connect(get("/metrics"))
        await until(lambda: connections(here) == 1)
        await until(lambda: not here.server._management._asking)
        silent = [(await here.connect())[0]]
        await until(lambda: connections(here) == 2)
        silent += [(await here.connect())[0]]
        assert await silent[0].read() == b""
        assert crowded_out(here) == 1
        silent += [(await here.connect())[0]]
        assert await silent[1].read() == b""
        assert crowded_out(here) == 2
        go.set()
        assert (await asking.read()).endswith(b"metrics")
        assert not silent[2].at_eof()

    manage(test, max_management_connections=2)


def crowded_out(here: Here) -> float | None:
    return here.value("shisanzhi_management_connections_crowded_out_total")


def test_where_all_have_asked_the_oldest_makes_room() -> None:
    async def test(here: Here) -> None:
        async def exposition(_encode: object) -> bytes:
            await asyncio.sleep(10)
            return b""

        here.server._management._scrapes._exposition = exposition
        readers = []
        for number in range(2):
            readers.append((await here.connect(get("/metrics")))[0])
            await until(lambda number=number: connections(here) == number + 1)  # type: ignore[misc]
        await until(lambda: not here.server._management._asking)
        answered = await say(here, get("/livez"))
        assert answered[1] == b"alive\n"
        assert await readers[0].read() == b""
        assert not readers[1].at_eof()
        assert crowded_out(here) == 1

    manage(test, max_management_connections=2)


def test_when_the_server_stops_every_connection_ends() -> None:
    async def test(here: Here) -> None:
        readers = [(await here.connect(said))[0] for said in (b"", PREFACE)]
        await until(lambda: connections(here) == 2)
        await here.server._management.stop()
        for reader in readers:
            await reader.read()
        with pytest.raises(OSError, match="Connect call failed"):
            await here.connect()
        assert here.log == []

    manage(test)


def test_a_port_in_use_is_an_error() -> None:
    async def test(here: Here) -> None:
        port = int(here.bound.management[0].rpartition(":")[2])
        with pytest.raises(addresses.BindError, match="expected to listen on"):
            await here.server._management.start(port)

    manage(test)


def test_every_address_of_a_host_has_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "resolve", lambda _: ("127.0.0.1", "127.0.0.2"))

    async def test(here: Here) -> None:
        first, second = here.bound.management
        assert first.partition(":")[0::2] == ("127.0.0.1", second.partition(":")[2])
        assert second.startswith("127.0.0.2:")
        assert here.server._management.acceptors == (here.server._management._acceptor,)

    manage(test)


def test_without_a_management_port_there_is_nothing_to_listen_to() -> None:
    async def test(here: Here) -> None:
        assert here.bound.management == here.server._management.acceptors == ()

    run(test)
