"""The program that verifies deals shares no code with the engine, and agrees with it."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shisanzhi.engine.cards import format_cards
from shisanzhi.engine.deal import deal
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "demo" / "verify_deal.py"
VECTORS = (ROOT / "tests" / "vectors" / "deal.jsonl").read_text(encoding="utf-8").splitlines()
repeat_deal = runpy.run_path(str(PROGRAM))["deal"]


@pytest.mark.parametrize("line", VECTORS, ids=range(len(VECTORS)))
def test_repeats_every_golden_deal(line: str) -> None:
    case: dict[str, Any] = json.loads(line)
    assert repeat_deal(
        case["ruleset"],
        bytes.fromhex(case["seed"]),
        [bytes.fromhex(seed) for seed in case["player_seeds"]],
        case["round"],
        case["dealer_named"],
        case["cuts"],
    ) == (
        case["commitment"],
        case["dealer"],
        case["cut_card"] or case["turned_up_card"],
        case["first_receiver"],
        case["hands"],
    )


@given(
    ruleset=st.sampled_from([BONUS, CLASSIC]),
    seed=st.binary(min_size=16, max_size=64),
    player_seeds=st.lists(st.binary(min_size=1, max_size=64), max_size=8),
    number=st.integers(1, 2**32 - 1),
    dealer=st.none() | st.integers(0, 3),
    cuts=st.lists(st.integers(1, 51), max_size=3),
)
def test_repeats_what_the_engine_deals(  # noqa: PLR0913 - one argument for each thing drawn
    *,
    ruleset: Ruleset,
    seed: bytes,
    player_seeds: list[bytes],
    number: int,
    dealer: int | None,
    cuts: list[int],
) -> None:
    cuts = cuts[: ruleset.max_cuts]
    dealt = deal(ruleset, seed, player_seeds, number, dealer=dealer, cuts=cuts)
    assert repeat_deal(ruleset.key, seed, player_seeds, number, dealer, cuts) == (
        dealt.commitment.hex(),
        dealt.dealer,
        str(dealt.cut_card or dealt.turned_up_card),
        dealt.first_receiver,
        [format_cards(hand) for hand in dealt.hands],
    )


def test_imports_nothing_but_the_standard_library() -> None:
    assert "shisanzhi." not in PROGRAM.read_text(encoding="utf-8").replace("shisanzhi.v1", "")
