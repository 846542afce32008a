"""Connections take turns at the places to work at, also with batches, piece by piece."""

import asyncio
import time
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any

import pytest

from shisanzhi.rpc.limits.refusals import ExpiredError, QueueFullError
from shisanzhi.rpc.limits.turns import Turns
from shisanzhi.rpc.limits.workers import Workers

MINE, YOURS = "ipv4:127.0.0.1:1", "ipv4:127.0.0.1:2"


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 10))


class Pieces:
    """Batches that note down whose piece was worked on."""

    def __init__(self) -> None:
        self.worked: list[str] = []

    def of(self, name: str, pieces: int, seconds: float = 0.02) -> Iterator[bytes | None]:
        for piece in range(pieces):
            time.sleep(seconds)
            self.worked.append(name)
            yield None if piece < pieces - 1 else name.encode()


async def in_turns(
    workers: Workers, jobs: Sequence[tuple[str, Iterator[bytes | None]]], *, compiled: bool
) -> list[bytes]:
    return await asyncio.gather(
        *(workers.run_in_pieces(job, None, peer, compiled=compiled) for peer, job in jobs)
    )


@pytest.mark.parametrize("compiled", [True, False])
def test_batches_of_two_connections_take_turns_piece_by_piece(*, compiled: bool) -> None:
    async def test() -> None:
        workers, pieces = Workers(1, 64), Pieces()
        jobs = [(MINE, pieces.of("mine", 4)), (YOURS, pieces.of("yours", 4))]
        assert await in_turns(workers, jobs, compiled=compiled) == [b"mine", b"yours"]
        assert pieces.worked == ["mine", "yours"] * 4
        workers.close()

    run(test())


def test_a_connection_has_one_turn_however_many_batches_it_has() -> None:
    async def test() -> None:
        workers, pieces = Workers(1, 64), Pieces()
        jobs = [(MINE, pieces.of("mine", 3)) for _ in range(5)]
        await in_turns(workers, [*jobs, (YOURS, pieces.of("yours", 3))], compiled=True)
        last = max(place for place, name in enumerate(pieces.worked) if name == "yours")
        assert last <= 6, pieces.worked
        workers.close()

    run(test())


def test_a_call_waits_for_no_more_than_a_piece_of_a_batch() -> None:
    async def test() -> None:
        workers, pieces = Workers(1, 64), Pieces()
        long = asyncio.create_task(
            workers.run_in_pieces(pieces.of("mine", 50), None, MINE, compiled=True)
        )
        await asyncio.sleep(0.05)
        before = len(pieces.worked)
        await workers.run(bytes.upper, b"mine too", None, MINE, compiled=True)
        await workers.run(bytes.upper, b"yours", None, YOURS, compiled=True)
        assert len(pieces.worked) - before <= 4
        long.cancel()
        workers.close()

    run(test())


def test_a_batch_that_was_begun_is_not_sent_away_when_the_queue_is_full() -> None:
    async def test() -> None:
        turns = Turns(1, 1)
        await turns.take(MINE)
        first = asyncio.create_task(turns.take(YOURS))
        await asyncio.sleep(0)
        turns.give_back(MINE)
        second = asyncio.create_task(turns.take(YOURS))
        await asyncio.sleep(0)
        with pytest.raises(QueueFullError):
            await turns.take(MINE)
        again = asyncio.create_task(turns.take(MINE, again=True))
        await asyncio.sleep(0)
        turns.give_back(YOURS)
        await again
        turns.give_back(MINE)
        await asyncio.gather(first, second)

    run(test())


def test_a_batch_that_was_begun_makes_room_for_nobody() -> None:
    async def test() -> None:
        turns = Turns(1, 4)
        await turns.take(YOURS)
        fresh = asyncio.create_task(turns.take(MINE))
        begun = [asyncio.create_task(turns.take(MINE, again=True)) for _ in range(3)]
        await asyncio.sleep(0)
        other = asyncio.create_task(turns.take(YOURS))
        await asyncio.sleep(0)
        with pytest.raises(QueueFullError):
            await fresh
        with pytest.raises(QueueFullError):
            await turns.take("another")
        for peer, turn in ((YOURS, begun[0]), (MINE, other), (YOURS, begun[1]), (MINE, begun[2])):
            turns.give_back(peer)
            await turn

    run(test())


def test_a_deadline_ends_a_batch_between_pieces() -> None:
    async def test() -> None:
        workers, pieces = Workers(1, 64), Pieces()
        expiry = time.monotonic() + 0.1
        with pytest.raises(ExpiredError):
            await workers.run_in_pieces(pieces.of("mine", 1000), expiry, MINE, compiled=True)
        assert 1 <= len(pieces.worked) <= 6
        assert await workers.run(bytes.upper, b"next", None, MINE, compiled=True) == b"NEXT"
        workers.close()

    run(test())


def test_a_batch_whose_client_goes_away_ends_between_pieces() -> None:
    async def test() -> None:
        workers, pieces = Workers(1, 64), Pieces()
        task = asyncio.create_task(
            workers.run_in_pieces(pieces.of("mine", 1000), None, MINE, compiled=True)
        )
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.sleep(0.1)
        worked = len(pieces.worked)
        assert 1 <= worked <= 7
        assert await workers.run(bytes.upper, b"next", None, MINE, compiled=True) == b"NEXT"
        assert len(pieces.worked) == worked
        workers.close()

    run(test())
