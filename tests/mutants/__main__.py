"""Try every mutant of some modules; those that live and are not explained are reported.

    python -m tests.mutants [MODULE...]

A module is named by its path in the package, such as ``engine/match.py``. Each mutant is written
into a copy of the package, which stands before the installed one: so processes that the tests start
run it too. Where the solver's kernel is mutated, none of it is compiled.
"""

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import grpc  # noqa: F401 - what a mutant need not load again
import hypothesis  # noqa: F401
import numpy as np  # noqa: F401
import pytest
from google.protobuf import descriptor_pb2  # noqa: F401

from shisanzhi.progress import track
from tests.mutants.operators import Mutant, mutants

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "service" / "shisanzhi"
EXPLAINED: Final = Path(__file__).with_name("explained.toml")
JOBS: Final = 2
SLOWER: Final = 10
"""How much longer than the unchanged module's tests a mutant's may take; beyond it counts as
noticed: it loops."""
LEAST_SECONDS: Final = 30.0
OPTIONS: Final = (
    *("-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile", "mutants"),
    *("-m", "not slow and not real and not census"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # hypothesis is there already
)
KERNEL: Final = ("engine/solver/search.py", "engine/solver/expected_units.py")

_ENGINE: Final = (
    *("test_worked_examples", "test_vectors", "test_match_checks", "test_match", "test_deal"),
    *("test_game_logic", "test_long_lists", "test_description", "test_names", "test_texts"),
    *("test_cards", "test_laws", "test_house_variant", "test_derived_rulesets"),
)
_RULES: Final = ("test_worked_examples", "test_vectors", "test_laws", "test_house_variant")
_MIRRORS: Final[Mapping[str, Sequence[str]]] = {
    "engine/evaluator.py": ("test_vectors", "test_worked_examples", "test_laws", "test_census"),
    "engine/arrangement.py": (*_RULES, "test_game_logic", "test_long_lists"),
    "engine/rows.py": (*_RULES, "test_game_logic", "test_long_lists"),
    "engine/scoring/": (*_RULES, "test_derived_rulesets"),
    "engine/checks.py": ("test_game_logic", "test_long_lists", "test_laws", "test_vectors"),
    "engine/match_checks.py": ("test_match_checks", "test_match", "test_long_lists"),
    "engine/match.py": ("test_match", "test_match_checks"),
    "engine/deal.py": ("test_vectors", "test_deal", "test_laws", "test_match"),
    "engine/shuffle.py": ("test_vectors", "test_deal"),
    "engine/seats.py": ("test_match", "test_worked_examples", "test_derived_rulesets"),
    "engine/solver/": ("test_row_counts", "test_house_variant", "test_arranger"),
    "engine/": _ENGINE,
}
_RPC: Final = ("messages", "limits", "observability", "calls")
"""Rooms of rpc whose tests are all those of rpc, and not only those of servers."""


class Verdict(NamedTuple):
    """Whether some test noticed a mutant."""

    mutant: Mutant
    lives: bool


def mirrors_of(module: str) -> list[str]:
    """Name the tests that mirror a module, the quickest first."""
    for room, names in _MIRRORS.items():
        if module.startswith(room):
            return [f"tests/engine/{name}.py" for name in names]
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/rpc").glob("test_*.py"))


def modules(rooms: Sequence[str]) -> list[str]:
    """List the modules of some rooms."""
    every = (str(path.relative_to(PACKAGE)) for path in sorted(PACKAGE.rglob("*.py")))
    return [name for name in every if name.startswith(tuple(rooms)) and "__init__" not in name]


@contextlib.contextmanager
def spoilt(module: str, source: str) -> Iterator[Path]:
    """Give the root of a copy of the package in which that is the source of a module."""
    with tempfile.TemporaryDirectory() as folder:
        left_out = ("*.so",) if module in KERNEL else ()
        copied = Path(folder, PACKAGE.name)
        shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns(*left_out))
        name = Path(module)
        for compiled in (copied / name.parent / "__pycache__").glob(f"{name.stem}.*.pyc"):
            compiled.unlink()
        (copied / name).write_text(source, encoding="utf-8")
        yield Path(folder)


def noticed(module: str, source: str, seconds: float) -> bool:
    """Run the tests of a module with that source; tell whether one fails, or takes too long."""
    with spoilt(module, source) as root:
        testing = multiprocessing.get_context("fork").Process(target=_test, args=(module, root))
        testing.start()
        testing.join(seconds)
        if testing.exitcode is None:
            assert testing.pid is not None
            os.killpg(testing.pid, signal.SIGKILL)  # and the servers that it has started
            testing.join()
        return testing.exitcode != 0


def _test(module: str, root: Path) -> None:
    os.setpgrp()
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(quiet, descriptor)
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.path.insert(0, str(root))
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE.name]:
        del sys.modules[name]
    os.chdir(ROOT)
    os._exit(pytest.main([*OPTIONS, *mirrors_of(module)]))


def _verdict(module: str, seconds: float, mutant: Mutant) -> Verdict:
    return Verdict(mutant, not noticed(module, mutant.source, seconds))


def survivors(module: str) -> list[Mutant]:
    """Try every mutant of a module; give those that no test noticed."""
    source = (PACKAGE / module).read_text(encoding="utf-8")
    begun = time.monotonic()
    if noticed(module, source, 600):
        raise SystemExit(f"expected tests that pass where nothing is changed, got {module}")
    seconds = max(LEAST_SECONDS, SLOWER * (time.monotonic() - begun))
    every = list(mutants(source))
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(JOBS, mp_context=context) as pool:
        verdicts = pool.map(partial(_verdict, module, seconds), every)
        return [each.mutant for each in track(module, verdicts, len(every)) if each.lives]


def report(module: str, explained: Mapping[str, str]) -> int:
    """Try a module; write what lives without a reason, and reasons for what lives no more."""
    found = {mutant.key for mutant in survivors(module)}
    new, stale = sorted(found - explained.keys()), sorted(explained.keys() - found)
    for key in new:
        sys.stdout.write(f"{module}: lives: {key}\n")
    for key in stale:
        sys.stdout.write(f"{module}: explained, but noticed or gone: {key}\n")
    known = len(found) - len(new)
    sys.stdout.write(f"{module}: {len(new)} new survivors, {known} explained\n")
    sys.stdout.flush()
    return len(new)


def main(rooms: Sequence[str]) -> int:
    """Try the modules of some rooms; give how many mutants live without a reason."""
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return sum(report(module, explained.get(module, {})) for module in modules(rooms))


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:] or ["engine/", *(f"rpc/{room}/" for room in _RPC)])))
