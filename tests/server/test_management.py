"""The management port: whatever is sent to it, it answers or lets go, and serves the next."""

import asyncio
import json
import re
import resource
import socket
import threading
import time
from contextlib import suppress
from itertools import pairwise

import grpc
import pytest

from shisanzhi.rpc.observability.access_log import AccessLog
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.server import management
from shisanzhi.rpc.server.server import Server
from shisanzhi.settings import Settings
from tests.server.calls import OK, ask, get
from tests.servers import Process, serving

ACCEPTS = (
    *("text/plain; version=abc", "application/openmetrics-text; version=x.y.z", "*/*", "\xff"),
    *("text/plain; version=1.0.0; escaping=x", "application/openmetrics-text; version=1.\n0.0"),
)


def connect(process: Process, start: bytes = b"") -> socket.socket:
    host, _, port = (process.management or "").rpartition(":")
    connected = socket.create_connection((host, int(port)), timeout=30)
    connected.sendall(start)
    return connected


def everything(connected: socket.socket) -> bytes:
    """Read until the end."""
    received = b""
    with connected, suppress(ConnectionResetError):
        while more := connected.recv(65536):
            received += more
    return received


@pytest.mark.parametrize("accept", ACCEPTS)
def test_whatever_is_accepted_there_are_metrics(server: Process, accept: str) -> None:
    request = f"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n"
    head, _, body = everything(connect(server, request.encode("latin-1"))).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"grpc_server_started_total" in body
    assert not re.search(rb"[^\r]\n", head)
    assert '"error"' not in server.text


def test_a_request_without_headers_is_answered_at_once(server: Process) -> None:
    begun = time.monotonic()
    answer = everything(connect(server, b"GET /healthz HTTP/1.0\r\n\r\n"))
    assert answer.endswith(b"\r\n\r\nserving\n")
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("http://shisanzhi/healthz", "200 OK"),
        ("HTTP://127.0.0.1:9090/healthz?verbose", "200 OK"),
        ("http://[::1]:9090/livez", "200 OK"),
        ("http://shisanzhi/metrics", "200 OK"),
        ("http://shisanzhi/other", "404 Not Found"),
        ("http://shisanzhi", "404 Not Found"),
        ("http://healthz", "404 Not Found"),
        ("/http://shisanzhi/healthz", "404 Not Found"),
        ("//healthz", "404 Not Found"),
        ("http:/healthz", "404 Not Found"),
    ],
)
def test_a_target_can_be_a_whole_url(server: Process, target: str, expected: str) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: shisanzhi\r\n\r\n"
    assert everything(connect(server, request.encode())).startswith(f"HTTP/1.1 {expected}".encode())


def test_whoever_says_too_little_is_let_go(server: Process) -> None:
    preface = b"PRI * HTTP/2.0\r\n"
    starts = (b"", b"GET /healthz HTTP/1.1\r\n", preface, preface + b"\r\nSM\r\n\r\n")
    begun = time.monotonic()
    opened = [connect(server, start) for start in starts]
    for connected in opened:
        everything(connected)
    assert time.monotonic() - begun < 2 * management._SECONDS


def test_one_connection_too_many_closes_the_oldest_and_is_served(server: Process) -> None:
    opened = [connect(server) for _ in range(Settings().max_management_connections)]
    time.sleep(0.2)
    assert get(server, "/healthz")[0] == 200
    assert everything(opened[0]) == b""
    with grpc.insecure_channel(server.management or "") as channel:
        assert ask(channel, "/grpc.health.v1.Health/Check", b"").code is OK
    for connected in opened:
        connected.close()


def test_metrics_are_rendered_in_a_thread_of_their_own() -> None:
    async def rendering() -> bytes:
        server = Server(Settings(), Metrics(), AccessLog(0))
        return await server._exposition(lambda _: threading.current_thread().name.encode())

    assert asyncio.run(rendering()) != threading.main_thread().name.encode()


def test_when_descriptors_run_out_the_log_says_so_once_a_second() -> None:
    with serving() as process:
        _, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (3, hard))
        with connect(process):
            time.sleep(3.5)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (hard, hard))
        lines = [json.loads(line) for line in process.log if "socket.accept()" in line]
    times = [float(line["timestamp"].rstrip("Z").rpartition(":")[2]) for line in lines]
    assert lines
    assert all((later - earlier) % 60 > 0.9 for earlier, later in pairwise(times))


def test_scrapes_that_nobody_waits_for_keep_no_scrape_waiting(server: Process) -> None:
    """All who ask while one is being made share the next."""
    lone = min(seconds_of_scrape(server) for _ in range(3))
    for _ in range(200):
        connect(server, b"GET /metrics HTTP/1.1\r\n\r\n").close()
    assert seconds_of_scrape(server) < 50 * max(lone, 0.02)


def seconds_of_scrape(process: Process) -> float:
    begun = time.monotonic()
    assert get(process, "/metrics")[0] == 200
    return time.monotonic() - begun


def test_scrapes_without_a_pause_are_made_ten_times_a_second_whatever_they_accept() -> None:
    accepts = [f"application/openmetrics-text; version=1.{minor}" for minor in range(6)]
    with serving() as process:
        begun = time.monotonic()
        kinds = {exposed(process, accept) for accept in accepts}
        assert time.monotonic() - begun > 0.5
    assert len(kinds) == 1


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/openmetrics-text;version=1.0.0;q=0.5, */*;q=0.1", "openmetrics-text"),
        ("application/openmetrics-text;version=0.0.1, text/plain;version=0.0.4", "plain"),
        ("application/openmetrics-text; version=1.1.\x01", "openmetrics-text"),
        ("text/plain;version=0.0.4", "plain"),
    ],
)
def test_one_of_two_formats_is_chosen(server: Process, accept: str, kind: str) -> None:
    named = exposed(server, accept)
    assert f"/{kind};" in named
    assert named.isprintable()


def exposed(process: Process, accept: str) -> str:
    """Scrape, and give the format."""
    request = f"GET /metrics HTTP/1.1\r\nAccept: {accept}\r\n\r\n"
    head, _, body = everything(connect(process, request.encode())).partition(b"\r\n\r\n")
    assert b"grpc_server_started_total" in body
    return next(line for line in head.decode().split("\r\n") if line.startswith("Content-Type:"))
