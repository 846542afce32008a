"""How the kernel shares the processors among the server's threads."""

import os
import sys
from contextlib import suppress

BATCH = "batch"


def schedule(policy: str) -> None:
    """Take a policy for this thread and all that it starts, so before grpc starts its own.

    Every call passes through three or four threads of grpc. As the kernel has it, each one woken
    interrupts the one that woke it; under SCHED_BATCH none does: fewer switches, and what has come
    in meanwhile is taken together. A sandbox may forbid it, and then all stays as it was.
    """
    if policy == BATCH and sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def scheduled() -> str:
    """Tell what is in force."""
    if sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_BATCH:
        return BATCH
    return "normal"
