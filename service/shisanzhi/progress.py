"""How far something long has come, for whoever waits for it."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

Advance = Callable[[float], None]

_Item = TypeVar("_Item")


@contextmanager
def progress(what: str, total: float) -> Iterator[Advance]:
    """Show a bar for the length of a block; give what to tell of each step.

    It is drawn on stderr, and on a terminal only, and is gone in the end.
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    # Not drawn where nobody looks, and stderr may be closed.
    seen = sys.stderr is not None and console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not seen) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


def track(what: str, items: Iterable[_Item], total: int) -> Iterator[_Item]:
    """Give items one after another, and show how many of them have been given."""
    with progress(what, total) as advance:
        for item in items:
            advance(1)
            yield item
