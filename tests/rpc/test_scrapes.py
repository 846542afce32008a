"""How often metrics are made, who shares them, and in which format."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from shisanzhi.rpc.server import scrapes
from shisanzhi.rpc.server.scrapes import Encode, Scrapes
from tests.rpc.here import until

OPEN = "application/openmetrics-text; version=1.0.0; escaping=allow-utf-8;q=0.5, */*;q=0.1"


class Made:
    """Metrics that are made when a test says so."""

    def __init__(self, most_waiting: int = 100) -> None:
        self.begun: list[asyncio.Event] = []
        self.scrapes = Scrapes(self.make, most_waiting)

    async def make(self, _encode: Encode) -> bytes:
        number = len(self.begun)
        self.begun.append(asyncio.Event())
        await self.begun[number].wait()
        return str(number).encode()

    def ask(self, accept: str = "") -> "asyncio.Task[Any]":
        return asyncio.create_task(self.scrapes.next(accept))

    async def finish(self, number: int) -> None:
        await until(lambda: len(self.begun) > number)
        self.begun[number].set()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(test(), 10)

    asyncio.run(limited())


def test_all_who_ask_during_a_scrape_share_the_next() -> None:
    async def test() -> None:
        made = Made()
        first = made.ask()
        await asyncio.sleep(0.01)
        others = [made.ask() for _ in range(3)]
        await asyncio.sleep(0.01)
        others.pop().cancel()
        await made.finish(0)
        await made.finish(1)
        answers = await asyncio.gather(first, *others)
        assert [answer.text for answer in answers] == [b"0", b"1", b"1"]

    run(test)


def test_the_next_is_made_a_while_after_the_last() -> None:
    async def test() -> None:
        made, loop = Made(), asyncio.get_running_loop()
        times = []
        for number in range(3):
            asked = made.ask(OPEN if number == 1 else "")
            await made.finish(number)
            times.append(loop.time())
            await asked
        assert times[2] - times[0] >= 2 * scrapes._EVERY
        await asyncio.sleep(scrapes._EVERY)
        begun = loop.time()
        made.ask()
        await made.finish(3)
        assert loop.time() - begun < scrapes._EVERY

    run(test)


def test_whoever_comes_when_too_many_wait_gets_the_last_of_that_format() -> None:
    async def test() -> None:
        made = Made(most_waiting=2)
        first = made.ask()
        await made.finish(0)
        assert (await first).text == b"0"
        waiting = [made.ask(), made.ask(), made.ask(OPEN)]
        await asyncio.sleep(0.01)
        assert (await made.ask()).text == b"0"
        await made.finish(1)
        await made.finish(2)
        assert [(await each).text for each in waiting] == [b"1", b"1", b"2"]
        later = made.ask()
        await made.finish(3)
        assert (await later).text == b"3"

    run(test)


def test_what_fails_is_tried_again_by_who_asks_next() -> None:
    async def test() -> None:
        failures = [ValueError("once")]

        async def make(_encode: Encode) -> bytes:
            if failures:
                raise failures.pop()
            return b"metrics"

        made = Scrapes(make, 1)
        with pytest.raises(ValueError, match="once"):
            await made.next("")
        assert (await made.next("")).text == b"metrics"

    run(test)


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "text/plain; version=0.0.4; charset=utf-8"),
        ("text/plain; version=1.0.0; escaping=allow-utf-8", scrapes._PLAIN.kind),
        ("application/openmetrics-text; version=0.0.1", scrapes._PLAIN.kind),
        (OPEN, "application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores"),
        ("application/openmetrics-text; version=1.7.\x01", scrapes._OPEN_METRICS.kind),
    ],
)
def test_there_are_two_formats(accept: str, kind: str) -> None:
    wanted = scrapes._format(accept)
    assert wanted.kind == kind
    ends = wanted.encode(CollectorRegistry()).endswith(b"# EOF\n")
    assert ends == (wanted is scrapes._OPEN_METRICS)
