"""A runner is believed only as far as it has shown something."""

import sys
import time

import pytest

from tests.conformance.languages import LANGUAGES
from tests.conformance.matrix import matrix
from tests.conformance.process import running
from tests.conformance.running import case_counts, read
from tests.vectors import cases

PYTHON = LANGUAGES[0]
CASES = {"evaluate": 3, "order": 2}
GOOD = """\
Compiling something
conformance: python versions python 3.11
conformance: python evaluate 3
=== RUN   conformance: python order 2
"""


def test_a_run_that_passed_everything_has_no_faults() -> None:
    run = read(PYTHON, 0, GOOD)
    assert run.versions == "python 3.11"
    assert run.passed == CASES
    assert list(run.faults(CASES)) == []


@pytest.mark.parametrize(
    ("exit_code", "output", "fault"),
    [
        (1, GOOD, "expected exit code 0, got 1"),
        (0, "", "evaluate: expected 3, got nothing"),
        (0, GOOD.replace("order 2", "order 1"), "order: expected 2, got 1"),
        (0, GOOD.replace("order", "later"), "later: expected no such kind, got 2"),
        (0, GOOD.replace("versions", "works with"), "expected its versions, got none"),
        (0, GOOD.replace("order 2", "order all"), "expected a line of the page, got"),
        (0, GOOD + "conformance: python failed order 2: tied\n", "order 2: tied"),
    ],
)
def test_what_is_wrong_with_a_run_is_said(exit_code: int, output: str, fault: str) -> None:
    faults = read(PYTHON, exit_code, output).faults(CASES)
    assert any(each.startswith(fault) for each in faults)


def test_lines_of_another_language_are_not_its_own() -> None:
    assert read(PYTHON, 0, GOOD.replace("python", "go")).passed == {}


def test_the_driver_counts_the_cases_itself() -> None:
    counts = case_counts()
    assert counts["score"] == len(cases("score"))
    assert counts["verify"] == counts["deal"] == len(cases("deal"))
    assert counts["example"] == 1


def test_the_matrix_shows_what_did_not_pass() -> None:
    runs = [read(PYTHON, 0, GOOD), read(PYTHON, 1, GOOD.replace("order 2", "order 1"))]
    assert matrix(runs, CASES).splitlines() == [
        "kind      python   python",
        "evaluate       3        3",
        "order          2  1 of 2!",
    ]


def test_a_runner_leaves_nothing_running() -> None:
    """Nor does one that would never end."""
    child = "import subprocess, sys; subprocess.run(['sleep', '600'])"
    with running([sys.executable, "-c", child], {}) as process:
        time.sleep(0.5)
    assert process.returncode is not None
