"""The rules pages, in both languages, say what the engine plays."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from shisanzhi.engine.categories import Category
from shisanzhi.engine.names import CATEGORIES, DRAGON, ROWS, Language
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset

DOCS = Path(__file__).parent.parent / "docs"
CELLS = re.compile(r"^\| (.*) \|$", re.MULTILINE)
NOTE = re.compile(r" ?[(（].*")
RULESETS = pytest.mark.parametrize("ruleset", [BONUS, CLASSIC], ids=lambda ruleset: ruleset.key)
PAGES = pytest.mark.parametrize("language", Language)


class Rung(NamedTuple):
    """A line of the ladder: its names in both languages, and whether each ruleset has it."""

    names: str
    bonus: bool
    classic: bool


def page(language: Language) -> str:
    name = "rules.md" if language is Language.EN else f"rules.{language.value}.md"
    return (DOCS / name).read_text(encoding="utf-8")


def table(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in CELLS.findall(text)]


def ladder(language: Language) -> dict[Category, Rung]:
    """The ladder as the page has it; the names stand in the first two columns."""
    english = {text.en: category for category, text in CATEGORIES.items()}
    return {
        english[name]: Rung(f"{cells[0]}、{cells[1]}", bool(cells[2]), bool(cells[3]))
        for cells in table(page(language))
        if len(cells) == 6
        for name in cells[:2]
        if name in english
    }


def chapter(language: Language, ruleset: Ruleset) -> str:
    _, *chapters = re.split(r"^## (?:BONUS|CLASSIC)$", page(language), flags=re.MULTILINE)
    return chapters[ruleset.number - 1].split("\n## ")[0]


@PAGES
@RULESETS
def test_ladder_is_the_engines(language: Language, ruleset: Ruleset) -> None:
    shown = [category for category, rung in ladder(language).items() if getattr(rung, ruleset.key)]
    assert shown == list(dict.fromkeys(rung.category for rung in ruleset.ladder))


@PAGES
@RULESETS
def test_ladder_has_every_name(language: Language, ruleset: Ruleset) -> None:
    for category, rung in ladder(language).items():
        if getattr(rung, ruleset.key):
            name = ruleset.category_names[category].zh_hant
            assert name in re.split(r"[、（）]|, ", rung.names)


@PAGES
@RULESETS
def test_royalties_are_the_engines(language: Language, ruleset: Ruleset) -> None:
    rows = {text.say(language): row for row, text in ROWS.items()}
    names = {text.say(language): category for category, text in ruleset.category_names.items()}
    lines = [cells for cells in table(chapter(language, ruleset)) if len(cells) == 3]
    shown: dict[tuple[Row, Category], int] = {
        (rows[row], names[NOTE.sub("", name)]): int(units)
        for row, name, units in lines
        if row in rows and units.isdecimal()
    }
    assert shown == ruleset.royalties
    dragon = f"| {DRAGON.say(language)} | {ruleset.scoring.dragon_units} |"
    assert (dragon in chapter(language, ruleset)) == (ruleset.scoring.dragon_units > 0)


@pytest.mark.parametrize(("language", "mark"), [("EN", "**Ruling.**"), ("ZH_HANT", "**裁決** ")])
def test_no_ruling_is_lost(language: str, mark: str) -> None:
    rulings = page(Language[language]).split("\n## ", 1)[1]
    assert rulings.count(mark) == 13
