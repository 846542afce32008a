"""What the pages under deploy/ say: their links lead somewhere, their commands exist."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(path for path in (ROOT / "deploy").rglob("*.md") if "node_modules" not in path.parts)
COMMANDS = sorted(
    {
        match
        for page in PAGES
        for match in re.findall(r"\bmake ([a-z-]+)", page.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("target", COMMANDS)
def test_make_has_the_target(target: str) -> None:
    words = ["make", "--dry-run", target]
    subprocess.run(words, cwd=ROOT, capture_output=True, check=True)


def test_pages_and_commands_are_found() -> None:
    assert len(PAGES) >= 3
    assert {"serve", "gateway", "prometheus", "loadtest", "image"} <= set(COMMANDS)
