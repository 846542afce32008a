"""What a mutant is tried by first: the quickest of the tests that enter its function."""

import multiprocessing
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from shisanzhi.engine.errors import Faults
from tests.mutants.record import InOrder, Recorder, Run, end_after, read_record


def named(name: str) -> Any:
    return SimpleNamespace(nodeid=name)


def test_a_test_is_recorded_with_the_functions_of_the_package_that_it_enters(
    tmp_path: Path,
) -> None:
    file = tmp_path / "record.json"
    recorder = Recorder("shisanzhi", file)
    running = recorder.pytest_runtest_protocol(named("a test"))
    next(running)
    Path("elsewhere").exists()
    Faults().check()
    with suppress(StopIteration):
        next(running)
    recorder.pytest_sessionfinish()
    run = read_record(file)["a test"]
    module = "shisanzhi/engine/errors.py"
    assert list(run.functions) == [f"{module}:Faults.__init__", f"{module}:Faults.check"]
    assert 0 < run.seconds < 60


def test_tests_that_enter_the_function_come_first_and_of_these_the_quickest() -> None:
    record = {
        "a::long": Run(2.0, ["room/it.py:f", "room/it.py:g"]),
        "a::short": Run(1.0, ["room/it.py:f"]),
        "a::elsewhere": Run(0.1, ["room/it.py:g"]),
    }
    items = list(map(named, ["a::new", "a::elsewhere", "a::long", "a::short"]))
    InOrder(record, "room/it.py:f").pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["a::short", "a::long", "a::elsewhere", "a::new"]


def test_others_come_file_by_file_and_the_quickest_file_first() -> None:
    record = {
        "slow.py::one": Run(0.1, []),
        "slow.py::another": Run(2.0, []),
        "quick.py::one": Run(1.0, []),
        "quick.py::another": Run(0.2, []),
    }
    items = list(map(named, record))
    InOrder(record, "room/it.py:f").pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == [
        *("quick.py::another", "quick.py::one", "slow.py::one", "slow.py::another")
    ]


def test_what_is_outside_of_functions_is_tried_by_whoever_enters_the_module() -> None:
    record = {"elsewhere": Run(0.1, ["room/other.py:f"]), "inside": Run(1.0, ["room/it.py:f"])}
    items = list(map(named, ["elsewhere", "inside"]))
    InOrder(record, "room/it.py:").pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["inside", "elsewhere"]


@pytest.mark.parametrize("work", [lambda: None, lambda: time.sleep(1)], ids=["loops", "sleeps"])
def test_what_never_ends_is_ended(work: Callable[[], None]) -> None:
    def endless() -> None:
        end_after(0.01)
        while True:
            work()

    testing = multiprocessing.get_context("fork").Process(target=endless)
    testing.start()
    testing.join()
    assert testing.exitcode in {-signal.SIGPROF, -signal.SIGALRM}
