"""How much a second of the server's CPU brings in batches, over the wire, beside single calls.

    python -m tests.bench.bulk [TURNS]

Both take turns at one server: BatchScore and Score with hands, BatchArrange and Arrange of sixteen
cards. CPU is that of the server's process, all that grpc does included.
"""

import asyncio
import statistics
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import grpc

from shisanzhi.engine.deal import deal
from shisanzhi.engine.questions import ArrangeQuestion, RawArrangement, ScoreQuestion
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from shisanzhi.engine.solver import arranger
from shisanzhi.progress import track
from shisanzhi.rpc.messages import encode
from tests import questions
from tests.bench.server import CONCURRENCY, REST, Target, server

BATCH = 1000
TURNS = 8


class Line(NamedTuple):
    """What is measured: the requests of one batch, and how many a second are aimed at."""

    name: str
    method: str
    requests: Sequence[Any]
    goal: int

    @property
    def batch(self) -> bytes:
        encoder: Callable[..., Any] = getattr(encode, f"batch_{self.method.lower()}_request")
        return bytes(encoder(self.requests).SerializeToString())

    @property
    def singles(self) -> list[bytes]:
        encoder: Callable[..., Any] = getattr(encode, f"{self.method.lower()}_request")
        return [encoder(request).SerializeToString() for request in self.requests]


def rounds(ruleset: Ruleset) -> list[ScoreQuestion]:
    """Give rounds as they are played, with the hands that were dealt."""
    return [_round(ruleset, number) for number in track(ruleset.key, range(BATCH), BATCH)]


def _round(ruleset: Ruleset, number: int) -> ScoreQuestion:
    dealt = deal(ruleset, sha256(f"bulk {number}".encode()).digest())
    found = [arranger.arrange(ruleset, hand, dealt.cut_card) for hand in dealt.hands]
    rows = [RawArrangement(*each.suggestions[0].arrangement) for each in found]
    return ScoreQuestion(ruleset.number, dealt.cut_card or 0, rows, dealt.dealer, dealt.hands)


def lines() -> list[Line]:
    bonus, classic = rounds(BONUS), rounds(CLASSIC)
    hands = [
        ArrangeQuestion(each.ruleset, each.cut_card, hand) for each in bonus for hand in each.hands
    ]
    return [
        Line("score, BONUS", "Score", bonus, 20_000),
        Line("score, CLASSIC", "Score", classic, 20_000),
        Line("arrange, 16 cards", "Arrange", hands[:BATCH], 4_000),
    ]


async def _singly(target: Target, line: Line) -> None:
    call = target.channel.unary_unary(questions.path(line.method))
    left = iter(line.singles)

    async def caller() -> None:
        for raw in left:
            await call(raw)

    await asyncio.gather(*(caller() for _ in range(CONCURRENCY)))


async def _together(target: Target, line: Line) -> None:
    call = target.channel.unary_unary(questions.path(f"Batch{line.method}"))
    await call(line.batch)


async def rate(target: Target, work: Callable[[Target, Line], Any], line: Line) -> float:
    """Give how many a second of the server's CPU."""
    before = target.cpu()
    await work(target, line)
    await asyncio.sleep(REST)
    return len(line.requests) / (target.cpu() - before)


async def main(turns: int) -> None:
    measured = lines()
    print(f"a second of the server's CPU, medians of {turns} turns of {BATCH}, and the best")
    print(f"{'':18}{'together':>9}{'best':>8}{'goal':>8}{'one by one':>12}")
    with server("shipped") as target:
        target.channel = grpc.aio.insecure_channel(target.address)
        for line in measured:
            together, singly = [], []
            for _ in track(line.name, range(turns), turns):
                together.append(await rate(target, _together, line))
                singly.append(await rate(target, _singly, line))
            print(
                f"{line.name:18}{statistics.median(together):9.0f}{max(together):8.0f}"
                f"{line.goal:8}{statistics.median(singly):12.0f}",
                flush=True,
            )
        await target.channel.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS))
