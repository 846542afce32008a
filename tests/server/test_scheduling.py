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


def says_batch(process: Process) -> bool:
    return '"scheduling": "batch"' in process.line('"event": "serving"')


def test_no_thread_interrupts_another(server: Process) -> None:
    assert {ask(server, method).code for method in questions.METHODS} == {OK}
    assert policies(server) == {os.SCHED_BATCH}
    assert says_batch(server)


@pytest.mark.parametrize(("started", "expected"), [("--batch", "normal"), ("--idle", "other")])
def test_normal_is_normal_however_it_was_started_unless_by_a_policy_of_another_kind(
    started: str, expected: str
) -> None:
    with serving("--scheduling", "normal", command=("chrt", started, "0", COMMAND)) as process:
        assert process.line('"event": "serving"', f'"scheduling": "{expected}"')


def test_an_operator_can_have_it_as_the_kernel_does() -> None:
    with serving("--scheduling", "normal") as process:
        assert ask(process, "Evaluate").code is OK
        assert policies(process) == {os.SCHED_OTHER}
        assert not says_batch(process)
