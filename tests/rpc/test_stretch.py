"""Light calls that come faster than they are answered: whose turn it is, and who is sent away."""

import asyncio
import time
from collections.abc import Collection, Coroutine, Iterable
from typing import Any

import pytest

from shisanzhi.rpc.limits.in_flight import InFlight
from shisanzhi.rpc.limits.refusals import GoneError, OverloadedError, QueueFullError
from shisanzhi.rpc.limits.stretch import Stretch

MINE, YOURS, HERS = "ipv4:127.0.0.1:1", "ipv4:127.0.0.1:2", "ipv4:127.0.0.1:3"
LONG = 0.01


def none(_peers: Iterable[str]) -> Collection[str]:
    """None of them has gone."""
    return ()


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 10))


class Loop:
    """Calls that each keep the event loop for longer than it may answer at a stretch."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        self.stretch = Stretch(self.gone.intersection)
        self.served: list[str] = []
        self.turns: list[int] = []
        self.turn = 0

    async def call(self, peer: str, *, exempt: bool = False) -> bool:
        waited = await self.stretch.wait(peer, exempt=exempt)
        self.served.append(peer)
        self.turns.append(self.turn)
        time.sleep(LONG)  # noqa: ASYNC251 - that is the case
        return waited

    async def count(self) -> None:
        while True:
            self.turn += 1
            await asyncio.sleep(0)


def test_connections_take_turns_once_the_loop_is_behind() -> None:
    async def test() -> None:
        loop = Loop()
        await asyncio.gather(*(loop.call(peer) for peer in [*[MINE] * 4, YOURS, YOURS, HERS]))
        assert loop.served == [MINE, MINE, YOURS, HERS, MINE, YOURS, MINE]

    run(test())


def test_calls_whose_connection_has_gone_wait_no_longer_and_take_no_turn() -> None:
    async def test() -> None:
        loop = Loop()
        calls = [asyncio.create_task(loop.call(peer)) for peer in [*[MINE] * 5, *[YOURS] * 3]]
        await calls[0]
        loop.gone.add(MINE)
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(each) for each in outcomes[-4:]] == [GoneError, bool, bool, bool]
        assert loop.served[-3:] == [YOURS] * 3
        assert len(loop.served) <= 5

    run(test())


@pytest.mark.parametrize("exempt", [True, False])
def test_many_connections_with_calls_of_one_kind_keep_none_of_the_other_waiting(
    *, exempt: bool
) -> None:
    async def test() -> None:
        loop = Loop()
        many = [
            asyncio.create_task(loop.call(f"ipv4:127.0.0.1:{port}", exempt=exempt))
            for port in range(10, 40)
        ]
        await many[2]
        before = len(loop.served)
        await loop.call(MINE, exempt=not exempt)
        assert len(loop.served) - before <= 3
        await asyncio.gather(*many)

    run(test())


def test_one_that_comes_late_waits_for_one_of_another_connection() -> None:
    async def test() -> None:
        loop = Loop()
        first = [asyncio.create_task(loop.call(MINE)) for _ in range(20)]
        await first[2]
        await loop.call(YOURS)
        assert len(loop.served) <= 6
        await asyncio.gather(*first)

    run(test())


def test_the_loop_looks_at_its_sockets_after_each_call_that_waited() -> None:
    async def test() -> None:
        loop = Loop()
        counting = asyncio.create_task(loop.count())
        await asyncio.gather(*(loop.call(MINE) for _ in range(10)))
        counting.cancel()
        assert len(set(loop.turns)) == 10

    run(test())


def test_nobody_waits_while_calls_are_quick() -> None:
    async def test() -> None:
        stretch = Stretch(none)
        for _ in range(100):
            assert await stretch.wait(MINE) is False
            assert await stretch.wait(MINE) is False
            await asyncio.sleep(0)

    run(test())


def test_who_had_to_wait_is_told() -> None:
    """Meanwhile the deadline may have passed."""

    async def test() -> None:
        loop = Loop()
        assert [*await asyncio.gather(loop.call(MINE), loop.call(MINE))] == [False, True]

    run(test())


def test_who_waits_no_longer_is_passed_over() -> None:
    async def test() -> None:
        loop = Loop()
        tasks = [asyncio.create_task(loop.call(peer)) for peer in (MINE, MINE, YOURS, HERS)]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert loop.served == [MINE, MINE, HERS]
        assert not loop.stretch.calls

    run(test())


def test_where_all_places_are_taken_the_connection_that_waits_most_gives_one_up() -> None:
    async def test() -> None:
        loop = Loop()
        in_flight = InFlight(5, loop.stretch.calls.make_room)

        async def call(peer: str) -> None:
            in_flight.enter(peer)
            try:
                await loop.call(peer)
            finally:
                in_flight.leave()

        mine = [asyncio.create_task(call(MINE)) for _ in range(7)]
        yours = asyncio.create_task(call(YOURS))
        *served, last, one_more = await asyncio.gather(*mine, return_exceptions=True)
        assert served == [None] * 5
        assert isinstance(last, QueueFullError)
        assert isinstance(one_more, OverloadedError)
        await yours
        assert in_flight.count == 0

    run(test())


def test_where_nobody_waits_one_too_many_is_refused() -> None:
    in_flight = InFlight(1, Stretch(none).calls.make_room)
    in_flight.enter(MINE)
    with pytest.raises(OverloadedError):
        in_flight.enter(YOURS)
