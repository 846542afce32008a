"""The golden cases, read for the tests; `vectors/README.md` says what is in them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.cards import Card, parse_cards
from shisanzhi.engine.rulesets import RULESETS, Ruleset

DIRECTORY = Path(__file__).with_suffix("")
RULESETS_BY_KEY = {ruleset.key: ruleset for ruleset in RULESETS.values()}

Case = Mapping[str, Any]


def cases(name: str, directory: Path = DIRECTORY) -> list[Case]:
    """Read a golden file. One that is missing, or holds no case, fails whoever asks for it."""
    path = directory / f"{name}.jsonl"
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if not found:
        raise ValueError(f"expected golden cases in {path.name}, got none")
    return found


def every_case(name: str) -> pytest.MarkDecorator:
    """Parametrize a test over the cases of a golden file, named by their lines."""
    return pytest.mark.parametrize(
        "case",
        [pytest.param(case, id=f"{name}-{line}") for line, case in enumerate(cases(name), start=1)],
    )


def ruleset_of(case: Case) -> Ruleset:
    return RULESETS_BY_KEY[case["ruleset"]]


def card_of(text: str | None) -> Card | None:
    """Read a card; null is none."""
    return None if text is None else Card.parse(text)


def cut_card_of(case: Case) -> Card | None:
    return card_of(case["cut"])


def rows_of(case: Case) -> Arrangement:
    """Read the three rows that a case, or one of its arrangements, holds."""
    return Arrangement(*(parse_cards(case[row]) for row in Arrangement._fields))
