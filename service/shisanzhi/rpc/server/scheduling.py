"""How the kernel shares the processors among the server's threads."""

import os
import sys
from contextlib import suppress

BATCH = "batch"


def schedule(policy: str) -> None:
    """Take a policy for this thread and all that it starts, so before grpc starts its own.

    Every call passes through three or four threads of grpc. As the kernel has it, each one woken
    interrupts the one that woke it. Under SCHED_BATCH it waits: fewer switches, and what has come
    in meanwhile is taken together. All stays as it was where a sandbox forbids it, or where the
    server was started under a policy of another kind.
    """
    if sys.platform != "linux":
        return
    with suppress(OSError):
        if os.sched_getscheduler(0) in {os.SCHED_OTHER, os.SCHED_BATCH}:
            number = os.SCHED_BATCH if policy == BATCH else os.SCHED_OTHER
            os.sched_setscheduler(0, number, os.sched_param(0))


def scheduled() -> str:
    """Tell what is in force: ``batch``, ``normal``, or ``other`` where it was started so."""
    if sys.platform != "linux":
        return "normal"
    try:
        number = os.sched_getscheduler(0)
    except OSError:
        return "normal"
    return {os.SCHED_BATCH: BATCH, os.SCHED_OTHER: "normal"}.get(number, "other")
