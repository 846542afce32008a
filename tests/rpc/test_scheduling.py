"""Where a sandbox forbids it, the server serves all the same."""

import os
import sys

import pytest

from shisanzhi.rpc.server import scheduling

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="policies are Linux's")


@pytest.mark.parametrize("forbidden", ["sched_getscheduler", "sched_setscheduler"])
def test_what_a_sandbox_forbids_is_let_be(forbidden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.sched_getscheduler(0)

    def refuse(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    with monkeypatch.context() as patched:
        patched.setattr(os, forbidden, refuse)
        scheduling.schedule("batch")
        assert scheduling.scheduled() == "normal"
    assert os.sched_getscheduler(0) == before
