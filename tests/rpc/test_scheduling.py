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
        patched.setattr(os, "sched_getscheduler", lambda _: os.SCHED_OTHER)
        patched.setattr(os, forbidden, refuse)
        scheduling.schedule("batch")
        assert scheduling.scheduled() == "normal"
    assert os.sched_getscheduler(0) == before


class Kernel:
    """A kernel with a policy in force, and one that is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, policy: int) -> None:
        self.taken: list[tuple[int, int, int]] = []
        monkeypatch.setattr(os, "sched_getscheduler", {0: policy}.__getitem__)
        monkeypatch.setattr(os, "sched_setscheduler", self._take)

    def _take(self, process: int, policy: int, parameter: os.sched_param) -> None:
        self.taken.append((process, policy, parameter.sched_priority))


@pytest.mark.parametrize("in_force", [os.SCHED_OTHER, os.SCHED_BATCH])
@pytest.mark.parametrize(
    ("asked", "taken"), [("normal", os.SCHED_OTHER), ("batch", os.SCHED_BATCH)]
)
def test_a_policy_that_is_asked_for_is_taken(
    in_force: int, asked: str, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Kernel(monkeypatch, in_force)
    scheduling.schedule(asked)
    assert kernel.taken == [(0, taken, 0)]


def test_one_of_another_kind_is_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch, os.SCHED_IDLE)
    scheduling.schedule("batch")
    assert kernel.taken == []
    assert scheduling.scheduled() == "other"


@pytest.mark.parametrize(
    ("in_force", "told"), [(os.SCHED_OTHER, "normal"), (os.SCHED_BATCH, "batch")]
)
def test_what_is_in_force_is_told(
    in_force: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Kernel(monkeypatch, in_force)
    assert scheduling.scheduled() == told


def test_systems_that_know_no_policies_are_normal(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch, os.SCHED_BATCH)
    monkeypatch.setattr(sys, "platform", "darwin")
    scheduling.schedule("batch")
    assert kernel.taken == []
    assert scheduling.scheduled() == "normal"
