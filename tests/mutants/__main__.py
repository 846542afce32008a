"""Try every mutant of some modules; those that live and are not explained are reported.

    python -m tests.mutants [--jobs N] [MODULE...]

A module is named by its path in the package, such as ``engine/match.py``. Each mutant is written
into a copy of the package, which stands before the installed one: so processes that the tests start
run it too. Where the solver's kernel is mutated, none of it is compiled.

Most mutants are noticed by a test that is over in milliseconds, if only it is run first: so the
tests are recorded once on the unchanged package, and a mutant is tried by those that enter its
function first, and of these by the quickest.
"""

import argparse
import contextlib
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from tests.mutants.record import InOrder, Record, Recorder, read_record

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "service" / "shisanzhi"
EXPLAINED: Final = Path(__file__).with_name("explained.toml")
MOST_MEMORY: Final = 4 * 2**30
"""Bytes that a mutant may fill; one that needs more grows without end, and is noticed."""
OPTIONS: Final = (
    *("-x", "-q", "-p", "no:cacheprovider"),
    *("--disable-plugin-autoload", "-p", "_hypothesis_pytestplugin"),  # half of the start
    *("--hypothesis-profile", "mutants"),
    *("-m", "not slow and not real and not census and not alone"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # hypothesis is there already
)
KERNEL: Final = ("engine/solver/search.py", "engine/solver/expected_units.py")

_CARD: Final = (
    *("engine/test_description", "engine/test_names", "engine/test_vectors"),
    "rpc/test_enums",
)
"""What holds the identity card of a ruleset."""
_RULES: Final = (
    *("engine/test_worked_examples", "engine/test_laws", "engine/test_house_variant"),
    *("engine/test_derived_rulesets", "test_doctests"),
    *_CARD,
)
_QUESTIONS: Final = (
    *("engine/test_game_logic", "engine/test_long_lists", "engine/test_batch"),
    "test_doctests",
)
_MATCHES: Final = ("engine/test_match", "engine/test_match_checks", "test_doctests")
_DEALS: Final = ("engine/test_vectors", "engine/test_deal", "test_doctests")
_MIRRORS: Final[Mapping[str, Sequence[str]]] = {
    "engine/arrangement.py": (*_RULES, *_QUESTIONS),
    "engine/batch.py": _QUESTIONS,
    "engine/cards.py": ("engine/test_cards", "engine/test_long_lists", *_RULES),
    "engine/categories.py": (*_CARD, "engine/test_laws", "engine/test_census"),
    "engine/checks.py": (*_QUESTIONS, *_MATCHES, "engine/test_laws", "engine/test_vectors"),
    "engine/deal.py": (*_DEALS, *_MATCHES, "engine/test_laws"),
    "engine/description.py": (*_CARD, "test_doctests"),
    "engine/errors.py": ("engine/test_texts", *_QUESTIONS),
    "engine/evaluator.py": (*_RULES, "engine/test_census", "engine/test_strength"),
    "engine/game_logic.py": (
        *(*_QUESTIONS, *_MATCHES),
        *("engine/test_vectors", "engine/test_description", "engine/test_texts"),
    ),
    "engine/match.py": (*_MATCHES, "rpc/test_enums"),
    "engine/match_checks.py": (*_MATCHES, "engine/test_long_lists"),
    "engine/names.py": ("test_doctests", *_CARD),
    "engine/questions.py": _QUESTIONS,
    "engine/rows.py": (*_RULES, *_QUESTIONS),
    "engine/rulesets/": (*_CARD, "engine/test_derived_rulesets", *_MATCHES, *_DEALS),
    "engine/scoring/": _RULES,
    "engine/seats.py": (*_RULES, *_MATCHES),
    "engine/shuffle.py": _DEALS,
    "engine/solver/": (
        *("engine/test_vectors", "engine/test_house_variant", "engine/test_derived_rulesets"),
        *("engine/test_row_counts", "engine/test_arranger", "rpc/test_warm", "test_doctests"),
    ),
    "engine/texts.py": ("engine/test_texts",),
    "rpc/calls/": (
        *("rpc/test_methods", "rpc/test_batch", "rpc/test_stream_call", "rpc/test_core"),
        *("rpc/test_work", "rpc/test_bad_input", "server/test_gone", "server/test_errors"),
    ),
    "rpc/limits/connections.py": ("rpc/test_peers", "test_doctests", "server/test_hostile"),
    "rpc/limits/processors.py": ("rpc/test_processors",),
    "rpc/limits/": (
        *("rpc/test_stretch", "rpc/test_stages", "rpc/test_workers", "rpc/test_peers"),
        *("server/test_limits", "server/test_hostile"),
    ),
    "rpc/messages/": (
        *("rpc/test_decode_bounds", "rpc/test_status", "rpc/test_enums", "rpc/test_twins"),
        *("rpc/test_batch", "rpc/test_vectors", "rpc/test_bad_input"),
    ),
    "rpc/observability/": (
        *("rpc/test_output", "rpc/test_recorder", "rpc/test_tally", "test_doctests"),
        *("server/test_logs", "server/test_metrics", "server/test_unread_log"),
        *("server/test_booking", "server/test_tracing", "server/test_logged_paths"),
    ),
}
ROOMS: Final = ("engine/", "rpc/messages/", "rpc/limits/", "rpc/observability/", "rpc/calls/")
"""What is tried if nothing is named; the other rooms of rpc are tested by servers alone."""


class Verdict(NamedTuple):
    """Whether some test noticed a mutant."""

    mutant: Mutant
    lives: bool


def mirrors_of(module: str) -> list[str]:
    """Name the tests that mirror a module."""
    names = next(names for room, names in _MIRRORS.items() if module.startswith(room))
    return [f"tests/{name}.py" for name in dict.fromkeys(names)]


def modules(rooms: Sequence[str]) -> list[str]:
    """List the modules of some rooms, room by room."""
    every = [str(path.relative_to(PACKAGE)) for path in sorted(PACKAGE.rglob("[!_]*.py"))]
    return [name for room in rooms for name in every if name.startswith(room)]


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


def noticed(module: str, source: str, tests: Iterable[str], plugin: Recorder | InOrder) -> bool:
    """Run tests with that source of a module; tell whether one fails, or takes too long."""
    with spoilt(module, source) as root:
        testing = multiprocessing.get_context("fork").Process(
            target=_test, args=(root, tests, plugin)
        )
        testing.start()
        assert testing.pid is not None
        os.waitid(os.P_PID, testing.pid, os.WEXITED | os.WNOWAIT)
        os.killpg(testing.pid, signal.SIGKILL)  # the servers that it has left
        testing.join()
        return testing.exitcode != 0


def _test(root: Path, tests: Iterable[str], plugin: Recorder | InOrder) -> None:
    os.setpgrp()
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(quiet, descriptor)
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.path.insert(0, str(root))
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE.name]:
        del sys.modules[name]
    os.chdir(ROOT)
    os._exit(pytest.main([*OPTIONS, *tests], plugins=[plugin]))


def recorded(asked: Sequence[str]) -> Record:
    """Run what mirrors some modules unchanged; give what each test enters, and how long it takes.

    They must pass. If the kernel is asked for, it is run from its source, which is far slower: what
    is compiled is entered unseen.
    """
    module = next((name for name in asked if name in KERNEL), asked[0])
    tests = sorted({test for name in asked for test in mirrors_of(name)})
    source = (PACKAGE / module).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "record.json")
        if noticed(module, source, tests, Recorder(PACKAGE.name, file)):
            raise SystemExit(
                "expected tests that pass where nothing is changed, got one that fails"
            )
        return read_record(file)


def _verdict(module: str, record: Record, mutant: Mutant) -> Verdict:
    plugin = InOrder(record, f"{PACKAGE.name}/{module}:{mutant.scope}")
    return Verdict(mutant, not noticed(module, mutant.source, mirrors_of(module), plugin))


def verdicts(module: str, record: Record, jobs: int) -> list[Verdict]:
    """Try every mutant of a module, so many at a time."""
    every = list(mutants((PACKAGE / module).read_text(encoding="utf-8")))
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        tried = pool.map(partial(_verdict, module, record), every)
        return list(track(module, tried, len(every)))


def report(module: str, explained: Mapping[str, str], tried: Iterable[Verdict]) -> int:
    """Write what lives without a reason, and reasons for what lives no more."""
    found = {each.mutant.key: each.lives for each in tried}
    alive = {key for key, lives in found.items() if lives}
    for key in sorted(alive - explained.keys()):
        sys.stdout.write(f"{module}: lives: {key}\n")
    for key in sorted(explained.keys() - alive):
        sys.stdout.write(f"{module}: explained, but noticed or gone: {key}\n")
    new = len(alive - explained.keys())
    sys.stdout.write(f"{module}: {len(found)} mutants, {new} live, {len(alive) - new} explained\n")
    sys.stdout.flush()
    return new


def main(arguments: Sequence[str]) -> int:
    """Try the modules of some rooms; give how many mutants live without a reason."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--jobs", type=int, default=2, help="mutants tried at a time")
    parser.add_argument("rooms", nargs="*", default=ROOMS, help="such as engine/match.py")
    options = parser.parse_args(arguments)
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    asked = modules(options.rooms)
    record = recorded(asked)
    return sum(
        report(module, explained.get(module, {}), verdicts(module, record, options.jobs))
        for module in asked
    )


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
