"""How well the solver plays, and what it costs.

    python -m tests.bench.arrange [strength] [speed]

Strength: on every deal, each seat in turn arranges with the solver instead of greedily, while the
three others keep their rows; the gain is the mean difference of that seat's units. Measured twice:
among three greedy players, and among three that use the solver. Speed: CPU time of one hand.
"""

import asyncio
import importlib.util
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import grpc

from shisanzhi.engine.arrangement import Arrangement, bonus_rank_of
from shisanzhi.engine.cards import Card
from shisanzhi.engine.deal import Deal, deal
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from shisanzhi.engine.scoring.round import score
from shisanzhi.engine.solver import arranger, expected_units, model, search
from shisanzhi.progress import track
from tests.bench import server as servers

GOALS = {BONUS: 1.4, CLASSIC: 4.5}
DEALS = 2_500
TIMED_HANDS = {"compiled": 4_000, "interpreted": 200}
NOOP_TURNS = 9


Places = tuple[int, ...]


def greedy(ruleset: Ruleset, hand: Sequence[Card], cut_card: Card | None) -> Arrangement:
    """Take the strongest back, then the strongest middle, then the strongest front, legally."""
    value = ruleset.evaluator(bonus_rank_of(cut_card)).value

    def strongest_first(places: Sequence[int], size: int) -> list[tuple[RowValue, Places]]:
        rows = combinations(places, size)
        valued = ((value([hand[place] for place in row]), row) for row in rows)
        return sorted(valued, key=lambda each: each[0].strength, reverse=True)

    def left_of(places: Sequence[int], row: Places) -> list[int]:
        return [place for place in places if place not in row]

    places = range(len(hand))
    for back_value, back in strongest_first(places, 5):
        beside_back = left_of(places, back)
        for middle_value, middle in strongest_first(beside_back, 5):
            if ruleset.middle_stands(middle_value, back_value):
                for front_value, front in strongest_first(left_of(beside_back, middle), 3):
                    if front_value.strength < middle_value.strength:
                        rows = (front, middle, back)
                        return Arrangement(*(tuple(hand[place] for place in row) for row in rows))
    message = "expected a hand with a legal arrangement"
    raise AssertionError(message)


def solved(ruleset: Ruleset, hand: Sequence[Card], cut_card: Card | None) -> Arrangement:
    return arranger.arrange(ruleset, hand, cut_card).suggestions[0].arrangement


def deals(ruleset: Ruleset, count: int) -> Iterator[Deal]:
    for number in range(count):
        yield deal(ruleset, sha256(f"bench {number}".encode()).digest())


def strength(ruleset: Ruleset) -> None:
    """Print the gain in units a round, with its 95 % interval over deals."""
    among_greedy, among_solvers = [], []
    for dealt in track(ruleset.key, deals(ruleset, DEALS), DEALS):
        by_greedy = [greedy(ruleset, hand, dealt.cut_card) for hand in dealt.hands]
        by_solver = [solved(ruleset, hand, dealt.cut_card) for hand in dealt.hands]
        among_greedy.append(swapped(ruleset, dealt, by_greedy, by_solver))
        among_solvers.append(-swapped(ruleset, dealt, by_solver, by_greedy))
    for field, gains in (("greedy players", among_greedy), ("solvers", among_solvers)):
        mean = statistics.fmean(gains)
        interval = 1.96 * statistics.stdev(gains) / len(gains) ** 0.5
        print(
            f"  {ruleset.key:8} among three {field:15} {mean:+.2f} ± {interval:.2f} units a round"
            f"  (goal {GOALS[ruleset]})",
            flush=True,
        )


def swapped(
    ruleset: Ruleset, dealt: Deal, rows: Sequence[Arrangement], instead: Sequence[Arrangement]
) -> float:
    """Give what a seat gains by other rows than its own, mean over the seats, one at a time."""
    before = [seat.total_units for seat in score(ruleset, rows, dealt.cut_card, dealer=0).seats]
    gain = 0
    for seat in range(len(rows)):
        changed = [*rows[:seat], instead[seat], *rows[seat + 1 :]]
        gain += (
            score(ruleset, changed, dealt.cut_card, dealer=0).seats[seat].total_units - before[seat]
        )
    return gain / len(rows)


def speed(ruleset: Ruleset) -> None:
    """Print the CPU time of a hand, compiled and interpreted, in milliseconds."""
    kernels = {"interpreted": (interpreted("search"), interpreted("expected_units"))}
    if arranger.COMPILED:
        kernels = {"compiled": (search, expected_units), **kernels}
    for name, kernel in kernels.items():
        use(*kernel)
        arranger.prepare(ruleset)
        times = sorted(timed(ruleset, TIMED_HANDS[name]))
        median, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        print(
            f"  {ruleset.hand_size} cards, {name:12} median {median * 1e3:7.3f} ms,"
            f" p99 {p99 * 1e3:7.3f} ms",
            flush=True,
        )


def use(search: Any, expected: Any) -> None:
    """Let hands be arranged by another kernel."""
    vars(arranger)["Search"] = search.Search
    vars(model)["Tables"], vars(model)["Opponents"] = search.Tables, expected.Opponents
    arranger.arranger.cache_clear()


def timed(ruleset: Ruleset, count: int) -> Iterator[float]:
    for dealt in deals(ruleset, -(-count // 4)):
        for hand in dealt.hands:
            start = time.process_time()
            arranger.arrange(ruleset, hand, dealt.cut_card)
            yield time.process_time() - start


def interpreted(module_name: str) -> Any:
    source = Path(arranger.__file__).with_name(f"{module_name}.py")
    spec = importlib.util.spec_from_file_location(f"interpreted_{module_name}", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def noop() -> None:
    """Print what a call costs a grpc.aio server that does nothing."""
    work = servers.work()["Arrange"]
    with servers.server("noop") as target:
        target.channel = grpc.aio.insecure_channel(target.address)
        await servers.cost(target, work)
        each = statistics.median([await servers.cost(target, work) for _ in range(NOOP_TURNS)])
        await target.channel.close()
    print(f"  a no-op RPC            {each / 1e3:7.3f} ms of the server's CPU")


def main(parts: Sequence[str]) -> None:
    if "strength" in parts:
        print(f"gain over a back-first greedy arranger, {DEALS} deals")
        strength(BONUS)
        strength(CLASSIC)
    if "speed" in parts:
        print("CPU time of one hand")
        asyncio.run(noop())
        speed(CLASSIC)
        speed(BONUS)


if __name__ == "__main__":
    main(sys.argv[1:] or ["strength", "speed"])
