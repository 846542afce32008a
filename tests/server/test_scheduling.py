"""How the server shares the processors, seen from outside."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests import questions
from tests.server.calls import OK, ask
from tests.servers import COMMAND, Process, serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="policies are Linux's")


def policies(process: Process) -> set[int]:
    """Give the policies of all threads that live; those of grpc come and go."""
    seen = set()
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        with suppress(ProcessLookupError):
            seen.add(os.sched_getscheduler(int(thread.name)))
    return seen


def test_every_thread_is_scheduled_as_the_kernel_does_by_default(server: Process) -> None:
    assert {ask(server, method).code for method in questions.METHODS} == {OK}
    assert policies(server) == {os.SCHED_OTHER}
    assert server.line('"event": "serving"', '"scheduling": "normal"')


def test_an_operator_can_have_no_thread_interrupt_another() -> None:
    with serving("--scheduling", "batch") as process:
        assert {ask(process, method).code for method in questions.METHODS} == {OK}
        assert policies(process) == {os.SCHED_BATCH}
        assert process.line('"event": "serving"', '"scheduling": "batch"')


@pytest.mark.parametrize(("started", "expected"), [("--batch", "normal"), ("--idle", "other")])
def test_normal_is_normal_however_it_was_started_unless_by_a_policy_of_another_kind(
    started: str, expected: str
) -> None:
    with serving("--scheduling", "normal", command=("chrt", started, "0", COMMAND)) as process:
        assert process.line('"event": "serving"', f'"scheduling": "{expected}"')
