"""Deals repeated from their seeds by the program of forty lines that asks no server."""

import runpy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .cases import Case

_PROGRAM = Path(__file__).parents[3] / "demo" / "verify_deal.py"


def failures(cases: Sequence[Case]) -> Iterator[tuple[int, object]]:
    """Repeat every golden deal; of one with two cards swapped, see that it is another."""
    repeat = runpy.run_path(str(_PROGRAM))["deal"]
    for line, case in enumerate(cases, start=1):
        dealt = repeat(
            case["ruleset"],
            bytes.fromhex(case["seed"]),
            [bytes.fromhex(seed) for seed in case["player_seeds"]],
            case["round"],
            case["dealer_named"],
            case["cuts"],
        )
        if dealt != _published(case, case["hands"]):
            yield line, f"expected {_published(case, case['hands'])}, got {dealt}"
        first, *others = case["hands"]
        if dealt == _published(case, [f"{first[3:]} {first[:2]}", *others]):
            yield line, "expected a no to cards that were swapped, got a yes"


def _published(case: Case, hands: list[str]) -> Any:
    bonus = case["ruleset"] == "bonus"
    shown, other = ("cut_card", "turned_up_card") if bonus else ("turned_up_card", "cut_card")
    if case[other] is not None:
        return f"no card as {other}"
    return case["commitment"], case["dealer"], case[shown], case["first_receiver"], hands
