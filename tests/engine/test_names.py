"""Everything that can be named has a name, and in each language one of its own."""

from collections.abc import Mapping
from enum import Enum

import pytest

from shisanzhi.engine import names
from shisanzhi.engine.categories import Category
from shisanzhi.engine.names import Text
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import BONUS, CLASSIC, RULESETS, Ruleset

TABLES = pytest.mark.parametrize(
    ("kind", "table"),
    [
        (Row, names.ROWS),
        (Category, names.CATEGORIES),
        (Category, CLASSIC.category_names),
    ],
)


@TABLES
def test_names_are_complete(kind: type[Enum], table: Mapping[Enum, Text]) -> None:
    assert set(table) == set(kind)
    assert all(text.zh_hant and text.en for text in table.values())


@TABLES
def test_names_are_distinct(kind: type[Enum], table: Mapping[Enum, Text]) -> None:
    assert len({text.zh_hant for text in table.values()}) == len(kind)
    assert len({text.en for text in table.values()}) == len(kind)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_royalties_have_distinct_names(ruleset: Ruleset) -> None:
    named = [names.royalty(*each, ruleset.category_names) for each in ruleset.royalties]
    assert len(set(named)) == len(named)


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        (BONUS, ["道 units", "全壘打 home run", None, "額外加分 royalties"]),
        (CLASSIC, ["堵 units", "紅不讓 home run", "輾過 run-over", "加堵 royalties"]),
    ],
    ids=["bonus", "classic"],
)
def test_a_ruleset_has_the_words_of_its_rules(ruleset: Ruleset, words: list[str | None]) -> None:
    called = (
        *(ruleset.unit_name, ruleset.home_run_name),
        *(ruleset.run_over_name, ruleset.royalty_name),
    )
    assert words == [name and " ".join(name) for name in called]
