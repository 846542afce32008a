"""The pages of the clients are true: examples are those that run, versions those in use."""

import re
from pathlib import Path

import pytest

import shisanzhi
from tests.conformance.languages import CLIENTS, GENERATED, LANGUAGES, Language
from tests.conformance.running import case_counts

PAGE = (CLIENTS / "README.md").read_text(encoding="utf-8")
EVERY = (*LANGUAGES, *GENERATED)
EVERY_LANGUAGE = pytest.mark.parametrize("language", EVERY, ids=[each.name for each in EVERY])
MATRIX = dict(re.findall(r"^\| \[(\w+)\]\(\w+\) \| (.+?) \|", PAGE, re.MULTILINE))
MANIFESTS = ("go.mod", "pom.xml", "package.json", "Cargo.toml", "CMakeLists.txt", "*.csproj")
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
    targets = ("build", "check", "conformance", "restarts") if language in LANGUAGES else ("check",)
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_page_names_every_kind() -> None:
    named = set(re.findall(r"^\| `([a-z]+)` \|", PAGE, re.MULTILINE))
    assert {*case_counts(), "newer"} <= named


def test_every_folder_is_in_the_matrix() -> None:
    folders = {path.name for path in CLIENTS.iterdir() if path.is_dir()}
    assert folders == set(MATRIX)
    assert {language.name for language in EVERY} <= folders


@EVERY_LANGUAGE
def test_the_matrix_has_the_versions_that_are_pinned(language: Language) -> None:
    pinned = "\n".join(
        path.read_text(encoding="utf-8")
        for name in MANIFESTS
        for path in (*language.folder.glob(name), *language.folder.glob(f"*/{name}"))
    )
    versions = re.findall(r"\d+\.\d+(?:\.\d+)?", MATRIX[language.name])
    assert [version for version in versions if version not in pinned] == []


@EVERY_LANGUAGE
def test_a_client_has_the_version_of_the_service(language: Language) -> None:
    """One number for all, from one place: the package's."""
    if language.version:
        file, pattern = language.version
        found = re.findall(pattern, (language.folder / file).read_text(encoding="utf-8"))
        assert found == [shisanzhi.__version__]


def links(page: Path) -> list[Path]:
    found = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return [page.parent / link for link in found]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    assert [link for link in links(page) if not link.exists()] == []
