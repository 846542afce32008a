"""The README's example, run as a user runs it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_PROGRAM = Path(__file__).parents[1] / "example.py"
_PRINTS = "seat 0: -2\nseat 1: 0\nseat 2: 4\nseat 3: -2\n"


def failures(target: str) -> Iterator[tuple[int, object]]:
    """See that it prints what it should."""
    run = [sys.executable, str(_PROGRAM), target]
    done = subprocess.run(run, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.stdout != _PRINTS:
        yield 1, f"expected {_PRINTS!r}, got {done.stdout + done.stderr!r}"
