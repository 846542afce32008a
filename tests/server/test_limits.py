"""Limits: one too many is refused at once, the rest is served; floods end, patience is rewarded."""

import asyncio
import gzip
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack

import grpc
import pytest
from google.rpc import error_details_pb2

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.card_pb2 import CARD_CLUBS_TWO, CardList
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC
from tests import questions
from tests.server.calls import OK, Outcome, ask, ask_async, get, memory, series, total
from tests.server.load import balanced, channel
from tests.server.raw_http2 import Connection
from tests.servers import FAULTY, Process, serving, wait_for

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.fixture(scope="module")
def one_thread() -> Iterator[Process]:
    with serving("--workers", "1", command=FAULTY) as process:
        yield process


def wave(process: Process, calls: int, connections: int = 1) -> Counter[grpc.StatusCode]:
    """Make calls of half a second all at once; the refused come back at once, with RetryInfo."""

    async def run() -> Counter[grpc.StatusCode]:
        async with AsyncExitStack() as stack:
            channels = [
                await stack.enter_async_context(channel(process.address))
                for _ in range(connections)
            ]
            outcomes = await asyncio.gather(
                *(ask_async(channels[i % connections], "Arrange") for i in range(calls))
            )
        for outcome in outcomes:
            if outcome.code is EXHAUSTED:
                assert outcome.reason == "OVERLOADED"
                delay = outcome.detail(error_details_pb2.RetryInfo()).retry_delay
                assert 0 < delay.ToTimedelta().total_seconds() < 10
                assert outcome.seconds < 0.4
        return Counter(outcome.code for outcome in outcomes)

    return asyncio.run(run())


@pytest.mark.alone
def test_calls_over_the_limit_are_refused_the_third_time_as_the_first() -> None:
    with serving("--max-concurrent-rpcs", "6", "--workers", "6", command=FAULTY) as process:
        for _ in range(3):
            assert wave(process, 20) == {OK: 6, EXHAUSTED: 14}
        scraped = series(process)
        assert total(scraped, "shisanzhi_rejected_calls_total", reason="concurrency") == 42
        wait_for(lambda: total(series(process), "shisanzhi_in_flight_calls") == 0)


@pytest.mark.alone
def test_calls_over_the_queue_are_refused_and_others_are_served() -> None:
    with serving("--workers", "2", "--max-queued", "3", command=FAULTY) as process:
        for _ in range(3):
            assert wave(process, 20, connections=10) == {OK: 5, EXHAUSTED: 15}
        scraped = series(process)
        assert total(scraped, "shisanzhi_rejected_calls_total", reason="queue") == 45


@pytest.mark.alone
def test_one_connection_fills_a_quarter_of_the_queue() -> None:
    with serving("--workers", "1", "--max-queued", "12", command=FAULTY) as process:
        assert wave(process, 20) == {OK: 1 + 3, EXHAUSTED: 16}


@pytest.mark.alone
def test_a_call_waits_for_no_more_than_one_of_another_connection(one_thread: Process) -> None:
    async def run() -> float:
        address = one_thread.address
        async with channel(address) as greedy, channel(address) as modest:
            await ask_async(modest, "Validate")
            calls = [asyncio.ensure_future(ask_async(greedy, "Arrange")) for _ in range(6)]
            await asyncio.sleep(0.2)
            taken = await ask_async(modest, "Arrange")
            await asyncio.gather(*calls)
        assert taken.code is OK
        return taken.seconds

    # The one that is being worked on, at most one that waits, and its own half second.
    assert asyncio.run(run()) < 1.7


def beside(process: Process, heavy: int, method: str, request: bytes | None = None) -> Outcome:
    """Ask while so many heavy calls of the same connection are in hand."""

    async def run() -> Outcome:
        async with channel(process.address) as connected:
            await ask_async(connected, "Validate")
            calls = [asyncio.ensure_future(ask_async(connected, "Arrange")) for _ in range(heavy)]
            await asyncio.sleep(0.1)
            outcome = await ask_async(connected, method, request)
            await asyncio.gather(*calls)
        return outcome

    return asyncio.run(run())


@pytest.mark.alone
def test_a_large_request_waits_for_no_heavy_method(one_thread: Process) -> None:
    large = beside(one_thread, 3, "Score", bytes(60_000))
    assert large.reason == "MALFORMED_REQUEST"
    assert large.seconds < 0.3


@pytest.mark.alone
def test_refused_calls_do_not_keep_a_quick_one_out() -> None:
    with serving("--workers", "1", "--max-queued", "2", command=FAULTY) as process:
        quick = beside(process, 20, "Validate")
    assert quick.code is OK
    assert quick.seconds < 0.25


@pytest.mark.alone
def test_a_call_whose_deadline_passed_in_the_queue_is_not_worked_on(one_thread: Process) -> None:
    async def run() -> list[grpc.StatusCode]:
        async with channel(one_thread.address) as connected:
            outcomes = await asyncio.gather(
                ask_async(connected, "Arrange"),
                *(ask_async(connected, "Arrange", timeout=0.2) for _ in range(10)),
            )
            begun = time.monotonic()
            last = await ask_async(connected, "Arrange")
            # The ten would have taken five seconds of the one thread.
            assert time.monotonic() - begun < 1.5
        return [outcome.code for outcome in (*outcomes, last)]

    codes = asyncio.run(run())
    assert codes == [OK, *[grpc.StatusCode.DEADLINE_EXCEEDED] * 10, OK]


@pytest.mark.alone
def test_a_cancelled_call_leaves_the_queue(one_thread: Process) -> None:
    async def run() -> float:
        async with channel(one_thread.address) as connected:
            calls = [connected.unary_unary(questions.path("Arrange"))(b"") for _ in range(10)]
            await asyncio.sleep(0.2)
            for call in calls:
                call.cancel()
            begun = time.monotonic()
            assert (await ask_async(connected, "Arrange")).code is OK
            return time.monotonic() - begun

    before = cancelled(one_thread)
    assert asyncio.run(run()) < 1.5
    assert cancelled(one_thread) - before == 10


def cancelled(process: Process) -> float:
    return total(series(process), "grpc_server_handled_total", grpc_code="Cancelled")


def evaluate(cards: int) -> bytes:
    rows = [CardList(cards=[CARD_CLUBS_TWO] * 5)] * (cards // 5)
    return service_pb2.EvaluateRequest(ruleset=RULESET_CLASSIC, rows=rows).SerializeToString()


@pytest.mark.parametrize(("size", "refused"), [(2000, False), (70_000, True), (10_000_000, True)])
def test_a_message_over_the_limit_is_refused(
    channel: grpc.Channel, size: int, *, refused: bool
) -> None:
    assert (ask(channel, "Evaluate", evaluate(size)).code is EXHAUSTED) == refused


def test_a_compressed_message_is_refused_and_never_unpacked(server: Process) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    before = memory(server.pid)
    with Connection(server.address) as connection:
        for _ in range(20):
            status = connection.call(
                questions.path("Evaluate"), bomb, compressed=True, encoding="gzip"
            )
            assert status in {EXHAUSTED.value[0], grpc.StatusCode.UNIMPLEMENTED.value[0]}
    assert memory(server.pid) - before < 20e6


def test_a_client_may_ping_every_ten_seconds_with_no_call_open() -> None:
    # At a tenth of the shipped interval, so that the test need not take minutes.
    with serving("--min-ping-interval", "0.5") as process, Connection(process.address) as client:
        for _ in range(6):
            time.sleep(1.0)
            client.ping()
        assert client.call(questions.path("Validate"), questions.raw("Validate")) == 0


def test_a_flood_of_pings_is_disconnected(server: Process) -> None:
    with Connection(server.address) as client:
        client.send_pings(20)
        assert client.goodbye() == (11, b"too_many_pings")  # ENHANCE_YOUR_CALM
    assert get(server, "/healthz")[0] == 200


def test_connections_age_and_clients_come_again() -> None:
    flags = ("--max-connection-age", "1", "--max-connection-age-grace", "1")
    with serving(*flags) as process, grpc.insecure_channel(process.address) as connected:
        peers = set()
        end = time.monotonic() + 4
        while time.monotonic() < end:
            assert ask(connected, "Evaluate").code is OK
            time.sleep(0.05)
        for line in process.log:
            if '"peer": ' in line:
                peers.add(line.split('"peer": ')[1].split(",")[0])
        assert len(peers) >= 3


def test_more_calls_than_a_connection_takes_at_once_wait_and_are_served() -> None:
    async def run(process: Process) -> Counter[grpc.StatusCode]:
        # At the limit, client and server may disagree on whether a call has ended; the server then
        # refuses the stream, and the client tries again, as our service config has it.
        async with balanced([process.address]) as connected:
            outcomes = await asyncio.gather(*(ask_async(connected, "Validate") for _ in range(50)))
        return Counter(outcome.code for outcome in outcomes)

    with serving("--max-streams", "5") as process:
        assert asyncio.run(run(process)) == {OK: 50}
