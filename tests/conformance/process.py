"""A runner with all that it starts, in a group of its own, which is gone when the block ends."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress


@contextmanager
def running(command: Sequence[str], told: Mapping[str, str]) -> "Iterator[subprocess.Popen[str]]":
    """Run a command that is told something by its environment; both its outputs are one."""
    process = subprocess.Popen(
        command,
        env=os.environ | told,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        with process:
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
    finally:
        process.wait()
