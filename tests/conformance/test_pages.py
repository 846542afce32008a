"""The pages of the clients are true: examples are those that run, versions those in use."""

import re
from pathlib import Path

import pytest

from tests.conformance.languages import CLIENTS, LANGUAGES, Language
from tests.conformance.running import case_counts

PAGE = (CLIENTS / "README.md").read_text(encoding="utf-8")
NAMES = [language.name for language in LANGUAGES]
EVERY_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES, ids=NAMES)
PAGES = [CLIENTS / "README.md", *sorted(CLIENTS.glob("*/README.md"))]


def lines(text: str) -> list[str]:
    """Lines without indentation, without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


@EVERY_LANGUAGE
def test_the_first_block_of_a_page_is_from_the_example(language: Language) -> None:
    page = (language.folder / "README.md").read_text(encoding="utf-8")
    example = lines((language.folder / language.example).read_text(encoding="utf-8"))
    blocks = re.findall(rf"^```{language.fence}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    shown = lines(blocks[0])
    assert shown in [example[at : at + len(shown)] for at in range(len(example))]


@EVERY_LANGUAGE
def test_a_folder_has_the_targets_of_the_page(language: Language) -> None:
    makefile = (language.folder / "Makefile").read_text(encoding="utf-8")
    for target in ("build", "check", "conformance", "restarts"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_page_names_every_kind() -> None:
    named = set(re.findall(r"^\| `([a-z]+)` \|", PAGE, re.MULTILINE))
    assert {*case_counts(), "newer"} <= named


def test_every_folder_is_a_language_or_says_why_not() -> None:
    folders = {path.name for path in CLIENTS.iterdir() if path.is_dir()}
    named = {language.name for language in LANGUAGES}
    assert {each for each in folders - named if f"[{each}]({each})" not in PAGE} == set()


def links(page: Path) -> list[Path]:
    found = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return [page.parent / link for link in found]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    assert [link for link in links(page) if not link.exists()] == []
