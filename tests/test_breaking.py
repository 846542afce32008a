"""`make breaking` holds the contract to what was released and to the base branch."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VENV = Path(sys.executable).parent.parent
BUF = VENV / "bin" / "buf"
RELEASED = "proto/released"
FIELD = "  sint32 total_units = 10;\n"
NEW_FIELD = "  // New.\n  bool new = 99;\n"
GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false")
MAKE = ("make", f"VENV={VENV}", f"--old-file={VENV}/.installed")

pytestmark = pytest.mark.skipif(not BUF.exists(), reason="buf comes with the extra dev")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository of the contract alone; nothing is committed yet."""
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    for name in ("buf.yaml", "Makefile", "deploy/deploy.mk", "clients/web/page.mk"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    return tmp_path


def git(checkout: Path, *words: str) -> None:
    subprocess.run([*GIT, *words], cwd=checkout, check=True)


def commit(checkout: Path) -> None:
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "x")


def change(checkout: Path, old: str, new: str) -> None:
    """Change the contract."""
    file = checkout / "proto/shisanzhi/v1/round.proto"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def breaking(checkout: Path) -> subprocess.CompletedProcess[str]:
    """Run the target with the installed tools: they count as made."""
    return subprocess.run(
        [*MAKE, "breaking"],
        cwd=checkout,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def test_the_contract_keeps_what_was_released(checkout: Path) -> None:
    commit(checkout)
    done = breaking(checkout)
    assert done.returncode == 0, done.stdout
    assert "buf breaking against proto/released/v1.0.0.binpb" in done.stdout
    assert "buf breaking against main" in done.stdout


def test_what_is_added_breaks_nobody(checkout: Path) -> None:
    commit(checkout)
    change(checkout, FIELD, FIELD + NEW_FIELD)
    done = breaking(checkout)
    assert done.returncode == 0, done.stdout


def test_a_field_that_was_released_may_not_go(checkout: Path) -> None:
    """Not even where the base branch has lost it already."""
    change(checkout, FIELD, "")
    commit(checkout)
    done = breaking(checkout)
    assert done.returncode != 0
    assert 'field "10" with name "total_units"' in done.stdout


def test_a_field_of_the_base_branch_may_not_go_before_its_release_either(checkout: Path) -> None:
    change(checkout, FIELD, FIELD + NEW_FIELD)
    commit(checkout)
    change(checkout, NEW_FIELD, "")
    done = breaking(checkout)
    assert done.returncode != 0
    assert 'field "99" with name "new"' in done.stdout


def test_a_base_branch_older_than_the_first_release_is_not_asked(checkout: Path) -> None:
    images = checkout / RELEASED
    images.rename(checkout / "kept")
    change(checkout, FIELD, FIELD + NEW_FIELD)
    commit(checkout)
    (checkout / "kept").rename(images)
    change(checkout, NEW_FIELD, "")
    done = breaking(checkout)
    assert done.returncode == 0, done.stdout
    assert "against main" not in done.stdout


@pytest.mark.parametrize("lost", [True, False], ids=["lost", "changed"])
def test_a_released_contract_stays_as_it_is(checkout: Path, *, lost: bool) -> None:
    commit(checkout)
    image = checkout / RELEASED / "v1.0.0.binpb"
    shutil.copy(image, checkout / RELEASED / "v1.1.0.binpb")
    change(checkout, FIELD, FIELD + NEW_FIELD)
    subprocess.run([BUF, "build", "--output", image], cwd=checkout, check=True)
    if lost:
        image.unlink()
    assert breaking(checkout).returncode != 0


def test_no_released_contract_is_no_reason_to_pass(checkout: Path) -> None:
    shutil.rmtree(checkout / RELEASED)
    commit(checkout)
    assert breaking(checkout).returncode != 0
