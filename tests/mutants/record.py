"""Which tests try a mutant first: those that enter its function, the quickest of them first.

The others come file by file, the quickest file first: the server of a file is started once for it.
"""

import json
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

import pytest

SLOWER: Final = 10
LEAST_SECONDS: Final = 5.0
"""A test that takes longer than this and so many times what it takes else loops: it is ended, and
counts as one that fails. What counts is the processor's time, however many others want it."""
ASLEEP: Final = 10
"""How many times longer a test may take that waits for something."""


class Run(NamedTuple):
    """How long a test takes, and the functions of the package that it enters."""

    seconds: float
    functions: Collection[str]


Record = Mapping[str, Run]
"""By name of the test."""


class Recorder:
    """Records each test of a session, as a plugin of it."""

    def __init__(self, package: str, file: Path) -> None:
        """Take the name of the package, and where the record is written."""
        self._inside = f"/{package}/"
        self._file = file
        self._record: dict[str, Run] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        entered: set[tuple[str, str]] = set()

        def enter(frame: FrameType, _event: str, _argument: object) -> None:
            code = frame.f_code
            if self._inside in code.co_filename:
                entered.add((code.co_filename, code.co_qualname))

        begun = time.monotonic()
        sys.settrace(enter)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            functions = sorted({self._named(*each) for each in entered})
            self._record[item.nodeid] = Run(time.monotonic() - begun, functions)

    def _named(self, file: str, function: str) -> str:
        """Name a function by its module's path, from the package on, and its scope there."""
        scope = function.replace(".<locals>", "")
        return f"{self._inside[1:]}{file.rpartition(self._inside)[2]}:{scope}"

    def pytest_sessionfinish(self) -> None:
        self._file.write_text(json.dumps(self._record), encoding="utf-8")


def read_record(file: Path) -> Record:
    runs = json.loads(file.read_text(encoding="utf-8"))
    return {test: Run(*run) for test, run in runs.items()}


class InOrder:
    """Runs the tests in the order that promises an early end, and ends what loops."""

    def __init__(self, record: Record, function: str) -> None:
        """Take the record of the tests, and the function that is changed, named as there.

        Of what is changed outside of functions all in it is changed: a module's, a class's.
        """
        self._record = record
        self._function = function
        self._by_file: defaultdict[str, float] = defaultdict(float)
        for test, run in record.items():
            self._by_file[_file(test)] += run.seconds

    def pytest_sessionstart(self) -> None:
        end_after(LEAST_SECONDS)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=self._rank)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        end_after(LEAST_SECONDS + SLOWER * self._run(item).seconds)

    def _rank(self, item: pytest.Item) -> tuple[bool, float, float]:
        seconds, functions = self._run(item)
        if any(name.startswith(self._function) for name in functions):
            return False, 0.0, seconds
        return True, self._by_file[_file(item.nodeid)], seconds

    def _run(self, item: pytest.Item) -> Run:
        return self._record.get(item.nodeid, Run(LEAST_SECONDS, ()))


def _file(test: str) -> str:
    return test.partition("::")[0]


def end_after(seconds: float) -> None:
    """End this process by a signal once it has worked for so long, or waited for far longer."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, ASLEEP * seconds)
