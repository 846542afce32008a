"""A stop on a machine that others keep busy; at length: python -m tests.server.starving."""

from tests.server.starving import run


def test_a_stop_on_a_starved_machine_cuts_off_no_call() -> None:
    assert not run(2)
