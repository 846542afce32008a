"""A stop on a machine that others keep busy; at length: python -m tests.server.starving."""

import pytest

from tests.server.starving import run


@pytest.mark.alone
def test_a_stop_on_a_starved_machine_cuts_off_no_call() -> None:
    assert not run(2)
