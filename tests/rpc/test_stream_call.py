"""Streams: one that was cut off is told from one whose client has said all it has to say."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from shisanzhi.rpc.calls.stream_call import StreamCall


async def nothing() -> AsyncIterator[bytes]:
    none: tuple[bytes, ...] = ()
    for each in none:
        yield each


def reading() -> "asyncio.Task[None]":
    """Read a stream on which nothing comes, as handlers do."""
    method: Any = SimpleNamespace(meters=SimpleNamespace(received=None), limits=None)

    async def read() -> None:
        async for _ in StreamCall(method).read(nothing()):
            raise AssertionError

    return asyncio.create_task(read())


def test_the_end_of_the_requests_is_believed_only_after_a_while() -> None:
    """When a call is cut off, grpc first ends its requests and then cancels it."""

    async def cut_off() -> None:
        task = reading()
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cut_off())


def test_a_stream_on_which_nothing_comes_is_at_its_end() -> None:
    async def end() -> None:
        await asyncio.wait_for(reading(), 10)

    asyncio.run(end())
