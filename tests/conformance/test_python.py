"""The Python client conforms, and its runner notices what breaks; others: `make client-breaks`."""

from collections.abc import Iterator

import pytest

from tests.conformance import __main__ as driver
from tests.conformance import proving
from tests.conformance.languages import LANGUAGES
from tests.conformance.newer import CHECKS
from tests.conformance.restarting import restarted
from tests.conformance.running import case_counts
from tests.rpc.wire import METHODS
from tests.servers import serving

PYTHON = LANGUAGES[0]


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with serving() as server:
        yield server.address


def test_every_case_of_every_kind_passes(target: str) -> None:
    run = driver.conforming(PYTHON, target)
    assert list(run.faults(case_counts() | {"newer": CHECKS})) == []


def test_every_expectation_that_changes_is_noticed(target: str) -> None:
    assert list(proving.changed_values(PYTHON, target)) == []


@pytest.mark.parametrize("method", METHODS)
def test_a_method_that_is_not_implemented_is_noticed(target: str, method: str) -> None:
    assert list(proving.lacking_methods(PYTHON, target, [method])) == []


def test_a_folder_that_is_not_as_known_is_noticed(target: str) -> None:
    assert list(proving.strange_folders(PYTHON, target)) == []


def test_a_runner_that_compares_nothing_would_be_noticed(target: str) -> None:
    """The proofs themselves can fail: they say what they miss."""
    blind = PYTHON._replace(name="nothing")
    assert len(list(proving.changed_values(blind, target))) > 100


@pytest.mark.slow
def test_restarts_lose_no_call() -> None:
    outcome = restarted(PYTHON)
    assert (outcome.exit_code, outcome.lost) == (0, 0), outcome.output
    assert outcome.restarts
    assert outcome.calls > 100
