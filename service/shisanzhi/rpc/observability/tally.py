"""Counts that cost next to nothing: a counter of prometheus-client takes a lock each time."""

from prometheus_client import Counter


class Tally:
    """Counts for one thread alone, and tells a counter when somebody looks."""

    __slots__ = ("_count", "_counter")

    def __init__(self, counter: Counter) -> None:
        """Take the counter to tell."""
        self._counter = counter
        self._count = 0

    def inc(self, amount: int = 1) -> None:
        """Count."""
        self._count += amount

    def settle(self) -> None:
        """Tell the counter what was counted since."""
        if self._count:
            self._counter.inc(self._count)
            self._count = 0


class Tallies:
    """All tallies of the event loop's thread."""

    def __init__(self) -> None:
        """Start with none."""
        self._all: list[Tally] = []

    def of(self, counter: Counter) -> Tally:
        """Keep a tally for a counter."""
        tally = Tally(counter)
        self._all.append(tally)
        return tally

    def settle(self) -> None:
        """Bring every counter up to date."""
        for tally in self._all:
            tally.settle()
