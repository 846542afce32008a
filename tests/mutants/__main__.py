"""Try every mutant of some modules; those that live and are not explained are reported.

    python -m tests.mutants [--jobs N] [--again REPORT] [MODULE...]

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
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
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
_LIVES: Final = ": lives: "
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
    "rpc/calls/acceptor.py": ("rpc/test_acceptor", "rpc/test_core", "rpc/test_calls"),
    "rpc/calls/batch.py": ("rpc/test_batch",),
    "rpc/calls/methods.py": ("rpc/test_methods", "rpc/test_batch", "rpc/test_vectors"),
    "rpc/calls/call.py": ("rpc/test_calls", "rpc/test_unary_call"),
    "rpc/calls/unary_call.py": ("rpc/test_unary_call", "rpc/test_calls"),
    "rpc/calls/": ("rpc/test_calls", "rpc/test_methods", "rpc/test_stream_call", "rpc/test_core"),
    "rpc/limits/connections.py": ("rpc/test_peers", "test_doctests"),
    "rpc/limits/in_flight.py": ("rpc/test_stretch",),
    "rpc/limits/processors.py": ("rpc/test_processors",),
    "rpc/limits/queues.py": ("rpc/test_turns", "rpc/test_stretch", "rpc/test_workers"),
    "rpc/limits/stages.py": ("rpc/test_stages",),
    "rpc/limits/stretch.py": ("rpc/test_stretch",),
    "rpc/limits/turns.py": ("rpc/test_turns", "rpc/test_workers"),
    "rpc/limits/workers.py": ("rpc/test_workers", "rpc/test_turns", "rpc/test_processors"),
    "rpc/limits/": ("rpc/test_limits",),
    "rpc/messages/": (
        *("rpc/test_decode_bounds", "rpc/test_status", "rpc/test_enums", "rpc/test_twins"),
        *("test_doctests", "rpc/test_vectors", "rpc/test_bad_input"),
    ),
    "rpc/observability/access_log.py": ("rpc/test_access_log", "rpc/test_recorder"),
    "rpc/observability/core_log.py": ("rpc/test_core_log", "test_doctests"),
    "rpc/observability/game_metrics.py": ("rpc/test_metrics", "rpc/test_methods"),
    "rpc/observability/logs.py": ("rpc/test_logs", "rpc/test_access_log", "test_doctests"),
    "rpc/observability/metrics.py": ("rpc/test_metrics", "rpc/test_safely", "rpc/test_calls"),
    "rpc/observability/output.py": ("rpc/test_output", "test_doctests"),
    "rpc/observability/recorder.py": ("rpc/test_recorder", "rpc/test_calls"),
    "rpc/observability/request_id.py": ("rpc/test_request_id", "test_doctests"),
    "rpc/observability/safely.py": ("rpc/test_safely", "rpc/test_recorder"),
    "rpc/observability/tally.py": ("rpc/test_tally", "rpc/test_methods"),
    "rpc/observability/tracing.py": ("rpc/test_tracing",),
    "rpc/server/addresses.py": ("rpc/test_addresses", "test_doctests"),
    "rpc/server/channel_options.py": ("rpc/test_channel_options",),
    "rpc/server/event_loop.py": ("rpc/test_event_loop",),
    "rpc/server/certificate.py": ("server/test_certificate", "test_doctests"),
    "rpc/server/health.py": ("rpc/test_health", "rpc/test_calls"),
    "rpc/server/management.py": ("rpc/test_management",),
    "rpc/server/reflection.py": ("rpc/test_reflection",),
    "rpc/server/run.py": ("rpc/test_run",),
    "rpc/server/scrapes.py": ("rpc/test_scrapes", "test_doctests"),
    "rpc/server/scheduling.py": ("rpc/test_scheduling",),
    "rpc/server/server.py": (
        *("rpc/test_server", "rpc/test_acceptor", "rpc/test_reflection"),
        *("rpc/test_calls", "rpc/test_management"),
    ),
    "rpc/server/tls.py": ("rpc/test_tls",),
    "rpc/server/warm.py": ("rpc/test_warm",),
    "rpc/core.py": ("rpc/test_core", "rpc/test_event_loop"),
    "rpc/client/": ("rpc/test_client", "rpc/test_unanswered"),
}
ROOMS: Final = ("engine/", "rpc/")
"""What is tried if nothing is named."""


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


def lived(report: str) -> dict[str, set[str]]:
    """Read in a report what lived: by module, the keys of its mutants."""
    found: dict[str, set[str]] = {}
    for line in report.splitlines():
        module, lives, key = line.partition(_LIVES)
        if lives:
            found.setdefault(module, set()).add(key)
    return found


def _verdict(module: str, record: Record, mutant: Mutant) -> Verdict:
    plugin = InOrder(record, f"{PACKAGE.name}/{module}:{mutant.scope}")
    return Verdict(mutant, not noticed(module, mutant.source, mirrors_of(module), plugin))


def verdicts(
    module: str, record: Record, jobs: int, keys: Container[str] | None = None
) -> list[Verdict]:
    """Try every mutant of a module, or those with such a key, so many at a time."""
    every = list(mutants((PACKAGE / module).read_text(encoding="utf-8")))
    if keys is not None:
        every = [mutant for mutant in every if mutant.key in keys]
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        tried = pool.map(partial(_verdict, module, record), every)
        return list(track(module, tried, len(every)))


def report(module: str, explained: Mapping[str, str], tried: Iterable[Verdict]) -> int:
    """Write what lives without a reason, and reasons for what lives no more."""
    found = {each.mutant.key: each.lives for each in tried}
    alive = {key for key, lives in found.items() if lives}
    for key in sorted(alive - explained.keys()):
        sys.stdout.write(f"{module}{_LIVES}{key}\n")
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
    parser.add_argument("--again", type=Path, help="a report: only what lived in it is tried")
    options = parser.parse_args(arguments)
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    asked = modules(options.rooms)
    again = None if options.again is None else lived(options.again.read_text(encoding="utf-8"))
    if again is not None:
        asked, explained = [module for module in asked if module in again], {}
    record = recorded(asked)
    new = 0
    for module in asked:
        keys = None if again is None else again[module]
        tried = verdicts(module, record, options.jobs, keys)
        new += report(module, explained.get(module, {}), tried)
    return new


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
