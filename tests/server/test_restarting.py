"""With the service config that we ship, a client loses no call to a server that stops."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from typing import Any

import grpc

from tests import questions
from tests.server.calls import OK, ask
from tests.server.cutting_off import cutting_off
from tests.server.load import SERVICE_CONFIG, balanced, load
from tests.servers import start, stop, wait_for

RESTARTS = 3
CONCURRENT = 10


def shipped(address: str) -> grpc.Channel:
    """Give a synchronous channel with the service config that we ship."""
    return grpc.insecure_channel(address, [("grpc.service_config", SERVICE_CONFIG)])


@contextmanager
def blocking_load(channel: grpc.Channel) -> Iterator[list[grpc.StatusCode]]:
    """Keep calls of the synchronous client in flight; give the codes they end with."""
    codes: list[grpc.StatusCode] = []
    running = threading.Event()
    running.set()

    def work() -> None:
        while running.is_set():
            codes.append(ask(channel, "Evaluate").code)

    with futures.ThreadPoolExecutor(CONCURRENT) as pool:
        working = [pool.submit(work) for _ in range(CONCURRENT)]
        try:
            yield codes
        finally:
            running.clear()
        for each in working:
            each.result()


def test_a_call_that_a_stopping_server_cut_off_is_made_again() -> None:
    with cutting_off(2) as server, shipped(server.address) as channel:
        assert ask(channel, "Score").code is OK
        assert server.asked == 3


def test_a_call_that_its_client_cancels_is_not_made_again() -> None:
    with cutting_off(2, 0.3) as server, shipped(server.address) as channel:
        score: Any = channel.unary_unary(questions.path("Score"))
        call = score.future(b"")
        wait_for(lambda: server.asked == 1)
        call.cancel()
        time.sleep(1)  # longer than the server and the longest backoff take
        assert server.asked == 1


def test_restarting_the_only_server_fails_no_call() -> None:
    async def run() -> None:
        server = start("--drain-delay", "0.5")
        port = server.address.rpartition(":")[2]
        blocking = shipped(server.address)
        balancer = balanced([server.address])
        try:
            with blocking_load(blocking) as codes:
                async with load([balancer], CONCURRENT) as made:
                    for _ in range(RESTARTS):
                        await asyncio.sleep(1)
                        assert await asyncio.to_thread(stop, server) == 0
                        server = await asyncio.to_thread(start, "--port", port)
                    await asyncio.sleep(1)
            assert not made.summary()
            assert Counter(codes).keys() == {OK}
            assert min(len(made.outcomes), len(codes)) > 100 * RESTARTS
        finally:
            await balancer.close()
            blocking.close()
            stop(server)

    asyncio.run(run())
