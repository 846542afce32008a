"""How the server shares the processors, seen from outside."""

import os
import sys
from pathlib import Path

import pytest

from tests import questions
from tests.server.calls import OK, ask
from tests.servers import Process, serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="policies are Linux's")


def policies(process: Process) -> set[int]:
    """Give the policies of all threads that live; those of grpc come and go."""
    return {
        os.sched_getscheduler(int(thread.name))
        for thread in Path(f"/proc/{process.pid}/task").iterdir()
    }


def says_batch(process: Process) -> bool:
    return '"scheduling": "batch"' in process.line('"event": "serving"')


def test_no_thread_interrupts_another(server: Process) -> None:
    assert [ask(server, method).code for method in questions.METHODS] == [OK] * 9
    assert policies(server) == {os.SCHED_BATCH}
    assert says_batch(server)


def test_an_operator_can_have_it_as_the_kernel_does() -> None:
    with serving("--scheduling", "normal") as process:
        assert ask(process, "Evaluate").code is OK
        assert policies(process) == {os.SCHED_OTHER}
        assert not says_batch(process)
