"""One client takes the service from nobody: what it may hold, and for how long."""

import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import count

import grpc
import pytest
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest

from shisanzhi.v1.card_pb2 import CARD_CLUBS_FOUR, CARD_CLUBS_THREE, CARD_CLUBS_TWO, CardList
from shisanzhi.v1.game_logic_service_pb2 import EvaluateRequest
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC
from tests import questions
from tests.server.calls import OK, ask, get, memory, series, total
from tests.server.hostile import (
    ATTACKS,
    EVALUATE,
    FLAGS,
    HALF,
    HEALTH,
    HEALTH_COMERS,
    REFLECTION,
    WATCH,
    Attack,
    Comers,
    answered,
    coming,
    endure,
    framed,
    nothing,
    open_streams,
    pings,
    shipped_channel,
    under,
)
from tests.server.raw_http2 import Connection
from tests.servers import Process, serving, wait_for

MANY_ROWS = EvaluateRequest(
    ruleset=RULESET_CLASSIC,
    rows=[CardList(cards=[CARD_CLUBS_TWO, CARD_CLUBS_THREE, CARD_CLUBS_FOUR])] * 300,
).SerializeToString()
"""More than the bytes of a light request."""
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]
LATE = grpc.StatusCode.DEADLINE_EXCEEDED.value[0]


@pytest.fixture(scope="module")
def hasty() -> Iterator[Process]:
    """Give a server of short patience; who uses it leaves nothing behind."""
    with serving(*FLAGS) as process:
        yield process


def rejected(process: Process, reason: str) -> float:
    return total(series(process), "shisanzhi_rejected_calls_total", reason=reason)


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_others_are_served_meanwhile(name: str) -> None:
    with serving(*FLAGS) as process:
        seen = endure(process, ATTACKS[name], 1)
        assert seen.grown < 100e6
        assert max(seen.livez) < 2.0
        wait_for(lambda: get(process, "/healthz")[0] == 200)


@pytest.mark.alone
def test_health_calls_of_ever_new_connections_take_nothing_from_others() -> None:
    with serving(*FLAGS) as process:
        before = memory(process.pid)
        with coming(process, HEALTH_COMERS):
            assert answered(process, 3) > 0.98
            assert memory(process.pid) - before < 150e6
        wait_for(lambda: total(series(process), "shisanzhi_in_flight_calls") == 0)


@pytest.mark.alone
def test_calls_whose_connection_was_reset_are_dropped_unread_and_others_answered() -> None:
    with serving(*FLAGS) as process:
        assert ask(process, "Evaluate").code is OK
        with coming(process, Comers(100)) as made:
            assert answered(process, 2) > 0.9
            assert ask(shipped_channel(process.address), "Evaluate").code is OK
        time.sleep(0.5)
        begun = total(series(process), "grpc_server_started_total", grpc_method="Evaluate")
        assert rejected(process, "connection_gone") > 100
        assert begun < sum(made) / 2
        assert ask(process, "Evaluate").code is OK


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (EVALUATE, questions.raw("Evaluate")),
        (EVALUATE, MANY_ROWS),
        (questions.path("Arrange"), questions.raw("Arrange")),
    ],
)
def test_who_takes_no_answer_is_disconnected(hasty: Process, path: str, message: bytes) -> None:
    before = rejected(hasty, "unsent_time")
    with Connection(hasty.address, window=0) as connection:
        for _ in range(8):
            connection.send(connection.open(path, {}), framed(message), end=True)
        wait_for(lambda: total(series(hasty), "shisanzhi_unsent_calls") == 8)
        assert total(series(hasty), "shisanzhi_in_flight_calls") == 0
        assert ask(hasty, "Evaluate").code is OK
        begun = time.monotonic()
        with suppress(ConnectionError):
            while True:
                connection.frame()
        assert time.monotonic() - begun < 5
        wait_for(lambda: total(series(hasty), "shisanzhi_unsent_calls") == 0)
        # The first that is late ends them all.
        assert 1 <= rejected(hasty, "unsent_time") - before <= 8


def test_who_takes_no_answer_of_reflection_is_disconnected(hasty: Process) -> None:
    request = framed(ServerReflectionRequest(list_services="").SerializeToString())
    before = rejected(hasty, "unsent_time")
    with Connection(hasty.address, window=0) as connection:
        for _ in range(2):
            connection.send(connection.open(REFLECTION, {}), request * 2000)
        begun = time.monotonic()
        with suppress(ConnectionError):
            while True:
                connection.frame()
        assert time.monotonic() - begun < 5
        assert rejected(hasty, "unsent_time") > before


def test_streams_whose_answers_nobody_takes_crowd_out_no_call() -> None:
    request = framed(ServerReflectionRequest(list_services="").SerializeToString())
    with serving("--max-concurrent-rpcs", "8") as process, ExitStack() as stack:
        for _ in range(4):
            held = stack.enter_context(Connection(process.address, window=0))
            for _ in range(2):
                held.send(held.open(REFLECTION, {}), request * 20)
        wait_for(lambda: total(series(process), "shisanzhi_unsent_calls") == 8)
        slow = stack.enter_context(Connection(process.address, window=0))
        for _ in range(3):
            slow.send(slow.open(EVALUATE, {}), framed(questions.raw("Evaluate")), end=True)
        wait_for(lambda: total(series(process), "shisanzhi_unsent_calls") == 11)
        time.sleep(0.5)
        assert rejected(process, "unsent_count") == 0


@pytest.mark.parametrize("path", [WATCH, REFLECTION])
def test_a_long_request_to_health_or_reflection_is_refused(hasty: Process, path: str) -> None:
    """What is exempt from the limits of calls is nobody's way around them."""
    long = b"\x0a\x94\x2e" + bytes(5908)  # a name of so many letters
    before = rejected(hasty, "message_size")
    with Connection(hasty.address) as connection:
        stream = connection.open(path, {})
        connection.send(stream, framed(long), end=True)
        assert connection.status(stream) == EXHAUSTED
        assert ask(hasty, HEALTH, long).code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert rejected(hasty, "message_size") - before == 2


def test_who_does_not_acknowledge_the_settings_is_disconnected(hasty: Process) -> None:
    """Until then grpc holds a client to few of them."""
    host, _, port = hasty.address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as silent:
        silent.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
        begun = time.monotonic()
        while silent.recv(65536):
            pass
        assert time.monotonic() - begun < 15


@pytest.mark.parametrize("path", [WATCH, REFLECTION])
def test_a_stream_that_is_written_to_and_then_reset_is_over(hasty: Process, path: str) -> None:
    request = ServerReflectionRequest(list_services="").SerializeToString()
    with ExitStack() as stack:
        for _ in range(8):
            connection = stack.enter_context(Connection(hasty.address, window=0))
            stream = connection.open(path, {})
            connection.send(stream, framed(b"" if path == WATCH else request))
            stack.callback(connection.reset, stream)
        time.sleep(0.1)
    time.sleep(3)
    assert hasty.popen.poll() is None
    assert ask(hasty, "Evaluate").code is OK
    wait_for(lambda: total(series(hasty), "shisanzhi_unsent_calls") == 0)
    wait_for(lambda: total(series(hasty), "shisanzhi_streams") == 0)
    assert '"error"' not in hasty.text


@pytest.mark.parametrize("message", [b"\xff" * 1500, b"", MANY_ROWS])
def test_a_client_that_leaves_during_a_stop_holds_it_up_for_nobody(message: bytes) -> None:
    with serving("--grace", "20") as process:
        with Connection(process.address) as connection:
            streams = [connection.open(EVALUATE, {}) for _ in range(10)]
            process.signal()
            time.sleep(0.05)
            for stream in streams:
                connection.send(stream, framed(message), end=True)
            time.sleep(0.1)
            for stream in streams:
                connection.reset(stream)
        begun = time.monotonic()
        assert process.wait() == 0
        assert time.monotonic() - begun < 5
        started = [line for line in process.log if '"event": "call"' in line]
        assert len(started) == 10


def test_of_too_many_answers_that_nobody_takes_the_oldest_go() -> None:
    evaluate = open_streams(EVALUATE, 64, framed(questions.raw("Evaluate")), end=True)
    flags = ("--max-concurrent-rpcs", "100")
    with serving(*flags) as process, under(process, Attack(2, evaluate, window=0)):
        wait_for(lambda: rejected(process, "unsent_count") >= 1)
        wait_for(lambda: total(series(process), "shisanzhi_unsent_calls") <= 100)
        assert ask(process, "Evaluate").code is OK


def test_a_request_that_does_not_arrive_in_time_is_refused(hasty: Process) -> None:
    before = rejected(hasty, "incomplete_time")
    with Connection(hasty.address) as connection:
        streams = [connection.open(EVALUATE, {}) for _ in range(3)]
        connection.send(streams[1], HALF[:1000])
        begun = time.monotonic()
        assert [connection.status(stream) for stream in streams] == [LATE] * 3
        assert 1.5 < time.monotonic() - begun < 5
        assert rejected(hasty, "incomplete_time") - before == 3
        assert hasty.line('"reason": "REQUEST_LATE"', '"DEADLINE_EXCEEDED"')
        assert connection.call(EVALUATE, questions.raw("Evaluate")) == 0


def test_each_request_of_a_stream_has_to_arrive_in_time(hasty: Process) -> None:
    before = rejected(hasty, "incomplete_time")
    question = ServerReflectionRequest(list_services="").SerializeToString()
    with Connection(hasty.address) as connection:
        stream = connection.open(REFLECTION, {})
        connection.send(stream, framed(question) + HALF[:1000])
        begun = time.monotonic()
        assert connection.status(stream) == LATE
        assert 1.5 < time.monotonic() - begun < 5
        assert rejected(hasty, "incomplete_time") - before == 1


def test_of_too_many_requests_that_do_not_arrive_the_oldest_go() -> None:
    with serving("--max-concurrent-rpcs", "20") as process, Connection(process.address) as one:
        streams = [one.open(EVALUATE, {}) for _ in range(30)]
        # Those that come at the same moment may be taken in another order than they were sent.
        assert [one.status(stream) for stream in streams[:5]] == [EXHAUSTED] * 5
        wait_for(lambda: rejected(process, "incomplete_count") == 10)
        assert total(series(process), "shisanzhi_incomplete_calls") == 20
        assert one.call(EVALUATE, questions.raw("Evaluate")) == 0


@pytest.mark.parametrize("path", [WATCH, REFLECTION])
def test_a_connection_holds_few_streams_of_health_and_reflection(
    server: Process, path: str
) -> None:
    before = rejected(server, "streams")
    with ExitStack() as stack:
        for _ in range(2):
            connection = stack.enter_context(Connection(server.address))
            streams = [connection.open(path, {}) for _ in range(6)]
            assert [connection.status(stream) for stream in streams[4:]] == [EXHAUSTED] * 2
        assert total(series(server), "shisanzhi_streams") == 8
        assert rejected(server, "streams") - before == 4
    wait_for(lambda: total(series(server), "shisanzhi_streams") == 0)


def test_watchers_on_the_management_port_shut_out_no_probe(server: Process) -> None:
    name = "shisanzhi_management_connections_crowded_out_total"
    before = total(series(server), name)
    watchers = Attack(70, open_streams(WATCH, 1, framed(b"")), management=True)
    with under(server, watchers), grpc.insecure_channel(server.management or "") as probe:
        for path in ("/livez", "/healthz"):
            assert get(server, path)[0] == 200
        assert ask(probe, HEALTH, b"", timeout=2).code is OK
        assert total(series(server), name) - before >= 70 - 64


@pytest.mark.parametrize(
    ("said", "crowded_out"),
    [("", 17), ("GET /metrics HTTP/1.1\r\nAccept: {}{}\r\n\r\n", 0)],
    ids=["nothing", "metrics, each in another format"],
)
def test_connections_that_come_and_come_shut_out_no_probe(said: str, crowded_out: int) -> None:
    """On the management port each makes room for the next: a probe is answered before its turn."""
    with serving() as process, ExitStack() as held:
        host, _, port = (process.management or "").rpartition(":")
        stop = threading.Event()

        def come() -> None:
            open_ones: deque[socket.socket] = deque()
            versions = count()
            while not stop.wait(0.001):
                open_ones.append(socket.create_connection((host, int(port)), timeout=10))
                asked = said.format("application/openmetrics-text; version=1.", next(versions))
                with suppress(ConnectionError):
                    open_ones[-1].sendall(asked.encode())
                if len(open_ones) > 100:
                    open_ones.popleft().close()
            while open_ones:
                open_ones.popleft().close()

        comer = threading.Thread(target=come)
        comer.start()
        held.callback(comer.join)
        held.callback(stop.set)
        for _ in range(50):
            assert get(process, "/livez")[0] == 200
        name = "shisanzhi_management_connections_crowded_out_total"
        wait_for(lambda: total(series(process), name) >= crowded_out)


def test_a_connection_too_many_is_closed_and_those_that_are_there_are_served() -> None:
    with (
        serving("--max-connections", "10") as process,
        grpc.insecure_channel(process.address) as early,
    ):
        assert ask(early, "Evaluate").code is OK
        with under(process, Attack(9, nothing)):
            wait_for(lambda: total(series(process), "shisanzhi_connections") == 10)
            host, _, port = process.address.rpartition(":")
            with socket.create_connection((host, int(port)), timeout=5) as late:
                assert late.recv(1) == b""
            assert ask(early, "Evaluate").code is OK
        assert ask(process, "Evaluate", wait_for_ready=True).code is OK


def test_a_connection_that_says_nothing_is_closed(hasty: Process) -> None:
    host, _, port = hasty.address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=8) as silent:
        while silent.recv(4096):
            pass


@pytest.mark.parametrize("window", [0, 2**31 - 1])
def test_a_client_that_answers_no_ping_and_takes_no_answer_holds_up_no_stop(window: int) -> None:
    evaluate = open_streams(EVALUATE, 64, framed(questions.raw("Evaluate")), end=True)
    with serving("--grace", "30") as process, under(process, Attack(2, evaluate, window=window)):
        time.sleep(0.5)
        begun = time.monotonic()
        process.signal()
        assert process.wait() == 0
        assert time.monotonic() - begun < 4


def test_a_flood_of_pings_holds_up_no_stop() -> None:
    with serving("--grace", "2") as process, Connection(process.address) as connection:
        flood = threading.Thread(target=pings, args=(connection, 30), daemon=True)
        flood.start()
        time.sleep(0.3)
        begun = time.monotonic()
        process.signal()
        assert process.wait() == 0
        assert time.monotonic() - begun < 6
        flood.join()


def test_headers_that_are_no_utf_8_cost_others_and_the_log_little(server: Process) -> None:
    before = server.text.count("\n")
    with Connection(server.address) as connection:
        begun = time.monotonic()
        for _ in range(20):
            stream = connection.open(EVALUATE, {f"k{place}": b"\xff\xfe" for place in range(150)})
            connection.send(stream, framed(questions.raw("Evaluate")), end=True)
            assert connection.status(stream) == 0
        assert time.monotonic() - begun < 5
        assert server.text.count("\n") - before < 100


def test_half_a_message_takes_little_memory() -> None:
    with serving() as process:
        before = memory(process.pid)
        with under(process, Attack(10, open_streams(EVALUATE, 100, HALF))):
            time.sleep(1)
            assert memory(process.pid) - before < 60e6
