"""How many processors the process may keep busy."""

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_FILES: Final = (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us"))
"""Where a control group says its quota and period: in version 2, in version 1."""


def processors(root: Path = Path("/")) -> int:
    """Give how many there are for this process, and for its quota where it has one; at least 1.

    A container that may take one second of processor time a second still sees every processor of
    the machine. ``root`` is that of the file system.
    """
    return min([_allowed(), *map(math.ceil, _quotas(root))])


def _allowed() -> int:
    with suppress(AttributeError, OSError):  # not every system has it, and a sandbox may forbid it
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _quotas(root: Path) -> Iterator[float]:
    for group in _groups(root):
        for folder in (group, *group.parents):
            yield from _quota(folder)


def _groups(root: Path) -> Iterator[Path]:
    mount = root / "sys/fs/cgroup"
    with suppress(OSError, ValueError):
        for line in (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:  # version 2
                yield mount / path.lstrip("/")
            elif "cpu" in controllers.split(","):
                yield mount / "cpu" / path.lstrip("/")


def _quota(folder: Path) -> Iterator[float]:
    for names in _FILES:
        with suppress(OSError, ValueError):
            words = [word for name in names for word in (folder / name).read_text().split()]
            quota, period = map(int, words)  # no quota is "max", or -1
            if quota > 0:
                yield quota / period
