"""What a five-card value costs from Python, beside three evaluators from PyPI on the same hands.

Each evaluator gets the hands in its own representation, made beforehand. All take the hands in
turn, many times over; the best time of each counts, which is the least disturbed.
"""

import random
import timeit
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from shisanzhi.engine.cards import DOUBLE_SPADES_DECK, STANDARD_DECK, Card, Rank
from shisanzhi.engine.rulesets import BONUS, CLASSIC
from shisanzhi.progress import track

OURS = "shisanzhi, 52 cards"
HANDS = 3_000
TURNS = 20


def main() -> None:
    """Print a table of microseconds a hand."""
    rng = random.Random(2026)
    standard = [rng.sample(STANDARD_DECK, 5) for _ in range(HANDS)]
    double = [rng.sample(DOUBLE_SPADES_DECK, 5) for _ in range(HANDS)]
    timers = {
        OURS: _timer(CLASSIC.evaluator(None).of_five, list(map(tuple, standard))),
        "shisanzhi, 65 cards": _timer(
            BONUS.evaluator(Rank.SEVEN).of_five, list(map(tuple, double))
        ),
        **_others(standard),
    }
    best = dict.fromkeys(timers, float("inf"))
    for _ in track("evaluators", range(TURNS), TURNS):
        for name, timer in timers.items():
            best[name] = min(best[name], *timer.repeat(5, 1))
    print(f"a five-card value, µs (best of {TURNS} turns over {HANDS:,} hands)")
    for name, seconds in sorted(best.items(), key=lambda line: line[1]):
        ratio = seconds / best[OURS]
        print(f"  {name:22} {seconds / HANDS * 1e6:6.3f}  {ratio:5.2f} ×")


def _others(hands: Sequence[Sequence[Card]]) -> dict[str, timeit.Timer]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import eval7  # noqa: PLC0415 - its import warns
        import phevaluator  # noqa: PLC0415
        import treys  # noqa: PLC0415
    texts = [list(map(str, hand)) for hand in hands]
    return {
        "eval7": _timer(eval7.evaluate, [list(map(eval7.Card, text)) for text in texts]),
        "treys": _timer(
            treys.Evaluator()._five,
            [list(map(treys.Card.new, text)) for text in texts],
        ),
        "phevaluator": _timer(
            lambda hand: phevaluator.evaluate_cards(*hand),
            [list(map(phevaluator.Card, text)) for text in texts],
        ),
    }


def _timer(evaluate: Callable[..., Any], hands: Sequence[Any]) -> timeit.Timer:
    """Give each evaluator a loop of its own: a shared one is compiled for none of them."""
    names = {"evaluate": evaluate, "hands": hands}
    return timeit.Timer("for hand in hands: evaluate(hand)", globals=names)


if __name__ == "__main__":
    main()
