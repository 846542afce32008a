"""Work that would keep the event loop: who gets a thread when, and who is sent away."""

import asyncio
import sys
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from typing import Any

import pytest

from shisanzhi.rpc.limits.queues import Queues
from shisanzhi.rpc.limits.refusals import ExpiredError, QueueFullError
from shisanzhi.rpc.limits.turns import Turns
from shisanzhi.rpc.limits.workers import Workers, _unless_expired

MINE, YOURS, HERS = "ipv4:127.0.0.1:1", "ipv4:127.0.0.1:2", "ipv4:127.0.0.1:3"


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 10))


async def settle() -> None:
    """Let everybody go as far as they can."""
    for _ in range(5):
        await asyncio.sleep(0)


class Queue:
    """One place, taken by nobody in particular, and those who wait for it."""

    def __init__(self, max_waiting: int) -> None:
        self.turns = Turns(1, max_waiting)
        self.served: list[str] = []

    async def join(self, *peers: str) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self._wait(peer)) for peer in peers]
        await settle()
        return tasks

    async def _wait(self, peer: str) -> None:
        await self.turns.take(peer)
        self.served.append(peer)

    async def serve(self, places: int) -> list[str]:
        """Give the place back so often; say who got it."""
        before = len(self.served)
        for _ in range(places):
            self.turns.give_back(self.served[-1])
            await settle()
        return self.served[before:]


def test_connections_take_turns() -> None:
    async def test() -> None:
        queue = Queue(max_waiting=64)
        await queue.join(MINE)
        await queue.join(MINE, MINE, MINE, YOURS, YOURS, HERS)
        assert await queue.serve(6) == [YOURS, HERS, MINE, YOURS, MINE, MINE]

    run(test())


def test_one_that_comes_late_is_next() -> None:
    async def test() -> None:
        queue = Queue(max_waiting=64)
        await queue.join(*[MINE] * 10)
        await queue.serve(2)
        await queue.join(YOURS)
        assert await queue.serve(1) == [YOURS]

    run(test())


@pytest.mark.parametrize(("most", "each"), [(64, 16), (5, 1), (1, 1), (0, 0)])
def test_one_connection_fills_a_quarter_of_the_queue_and_all_fill_it(most: int, each: int) -> None:
    async def test() -> None:
        queue = Queue(most)
        mine = await queue.join(*[MINE] * 100)
        assert sum(not task.done() for task in mine) == each
        others = await queue.join(*(f"peer {number}" for number in range(100)))
        # Of a full queue, who has most gives way to who has least.
        assert sum(not task.done() for task in mine) == min(each, 1)
        assert sum(not task.done() for task in others) == most - min(each, 1)
        for task in [*mine[1:], *others]:
            assert not task.done() or isinstance(task.exception(), QueueFullError)
        for task in [*mine, *others]:
            task.cancel()

    run(test())


def test_who_goes_away_makes_room_at_once() -> None:
    async def test() -> None:
        queue = Queue(max_waiting=4)
        _, waiting = await queue.join(MINE, MINE)
        waiting.cancel()
        (again,) = await queue.join(MINE)
        assert not again.done()
        assert await queue.serve(2) == [MINE]
        assert not (await queue.join(YOURS))[0].exception()

    run(test())


def test_a_turn_that_comes_to_one_who_just_went_away_is_the_next_ones() -> None:
    async def test() -> None:
        for given_first in (True, False):
            queue = Queue(max_waiting=64)
            _, going, _ = await queue.join(MINE, YOURS, HERS)
            if given_first:
                queue.turns.give_back(MINE)
            going.cancel()
            if not given_first:
                queue.turns.give_back(MINE)
            await settle()
            assert queue.served == [MINE, HERS]
            assert await queue.serve(1) == []
            assert (await queue.join(MINE))[0].done()

    run(test())


def test_who_still_waits_when_all_ends_is_sent_away() -> None:
    async def test() -> None:
        queue = Queue(max_waiting=64)
        _, *waiting = await queue.join(MINE, MINE, YOURS)
        queue.turns.close()
        await settle()
        assert [task.cancelled() for task in waiting] == [True, True]

    run(test())


def test_the_interpreter_changes_hands_quickly_only_while_there_is_work() -> None:
    usual = sys.getswitchinterval()

    def tell(_: bytes) -> bytes:
        return str(sys.getswitchinterval()).encode()

    async def test() -> None:
        workers = Workers(2, 64)
        for _ in range(2):
            calls = [
                workers.run(
                    lambda _: str(sys.getswitchinterval()).encode(), b"", None, MINE, compiled=c
                )
                for c in (True, True, True, False, False)
            ]
            assert all(float(during) < usual / 10 for during in await asyncio.gather(*calls))
            await settle()
            assert sys.getswitchinterval() == usual
        workers.close()

    run(test())


def test_compiled_work_runs_on_every_thread_and_python_on_one_beside_them() -> None:
    async def test() -> None:
        workers = Workers(3, 64)
        at_work: Counter[bytes] = Counter()
        most: Counter[bytes] = Counter()
        lock = threading.Lock()

        def work(kind: bytes) -> bytes:
            with lock:
                at_work[kind] += 1
                most[kind] = max(most[kind], at_work[kind])
            time.sleep(0.05)
            with lock:
                at_work[kind] -= 1
            return kind

        await asyncio.gather(
            *(
                workers.run(work, kind, None, str(number), compiled=kind == b"compiled")
                for number in range(6)
                for kind in (b"compiled", b"python")
            )
        )
        assert most == {b"compiled": 3, b"python": 1}
        workers.close()

    run(test())


def test_work_that_failed_gives_its_place_back() -> None:
    def fail(_: bytes) -> bytes:
        raise KeyError

    async def test() -> None:
        workers = Workers(1, 64)
        for _ in range(3):
            with pytest.raises(KeyError):
                await workers.run(fail, b"", None, MINE, compiled=False)
        assert await workers.run(bytes.upper, b"done", None, MINE, compiled=False) == b"DONE"
        workers.close()

    run(test())


class Held:
    """Work that notes down what is begun, and waits until it may finish."""

    def __init__(self) -> None:
        self.begun: list[bytes] = []
        self.finish = threading.Event()

    def __call__(self, raw: bytes) -> bytes:
        self.begun.append(raw)
        self.finish.wait(5)
        return raw


def test_one_that_no_longer_waits_may_have_been_passed_over_already() -> None:
    async def test() -> None:
        queues = Queues()
        gone, behind = queues.join(MINE), queues.join(MINE)
        gone.cancel()
        assert queues.call_next()
        assert behind.done()
        queues.join(MINE)
        assert queues.leave(MINE, gone) is False
        assert len(queues) == 1

    run(test())


def test_a_call_that_is_too_late_or_cancelled_while_it_waits_is_never_begun() -> None:
    work = Held()

    async def test() -> None:
        workers = Workers(1, 64)
        calls = [
            asyncio.create_task(workers.run(work, raw, expiry, MINE, compiled=True))
            for raw, expiry in (
                (b"first", None),
                (b"gone", None),
                (b"late", time.monotonic() + 0.1),
            )
        ]
        await asyncio.sleep(0.2)
        calls[1].cancel()
        work.finish.set()
        assert await calls[0] == b"first"
        with pytest.raises(ExpiredError):
            await calls[2]
        assert calls[1].cancelled()
        assert work.begun == [b"first"]
        workers.close()

    run(test())


def test_work_that_is_cancelled_keeps_its_thread_until_it_is_done() -> None:
    work = Held()

    async def test() -> None:
        workers = Workers(1, 64)
        first, second = (
            asyncio.create_task(workers.run(work, raw, None, MINE, compiled=True))
            for raw in (b"first", b"second")
        )
        await asyncio.sleep(0.1)
        first.cancel()
        await asyncio.sleep(0.1)
        assert work.begun == [b"first"]
        work.finish.set()
        assert await second == b"second"
        workers.close()

    run(test())


def test_there_is_a_thread_for_each_place_and_one_for_python() -> None:
    workers = Workers(3, 64)
    assert workers._pool._max_workers == 3 + 1
    assert workers._pool._thread_name_prefix == "worker"
    workers.close()


def test_when_all_ends_nobody_waits_any_longer_and_the_end_for_nobody() -> None:
    """Not for work that has begun, either."""
    go = threading.Event()

    def work(_raw: bytes) -> bytes:
        return b"in time" if go.wait(3) else b"waited for"

    async def test() -> None:
        workers = Workers(1, 64)
        calls = [
            asyncio.ensure_future(workers.run(work, b"", None, MINE, compiled=compiled))
            for compiled in (True, True, False, False)
        ]
        await settle()
        workers.close()
        await settle()
        assert [call.cancelled() for call in calls] == [False, True, False, True]
        assert workers._pool._shutdown
        go.set()
        assert [await calls[0], await calls[2]] == [b"in time"] * 2

    run(test())


@pytest.mark.parametrize("compiled", [True, False])
def test_each_piece_of_a_batch_takes_a_turn_as_one_that_was_begun(
    monkeypatch: pytest.MonkeyPatch, *, compiled: bool
) -> None:
    taken: list[tuple[Turns, bool]] = []
    take = Turns.take

    async def taking(turns: Turns, peer: str, *, again: bool = False) -> None:
        taken.append((turns, again))
        await take(turns, peer, again=again)

    monkeypatch.setattr(Turns, "take", taking)

    async def test() -> None:
        workers = Workers(1, 64)
        pieces = iter([None, None, b"done"])
        assert await workers.run_in_pieces(pieces, None, MINE, compiled=compiled) == b"done"
        turns = workers._compiled if compiled else workers._python
        assert taken == [(turns, False), (turns, True), (turns, True)]
        workers.close()

    run(test())


def test_at_its_deadline_work_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    with pytest.raises(ExpiredError):
        _unless_expired(bytes, 7.0)
    assert _unless_expired(bytes, 7.1) == _unless_expired(bytes, None) == b""
