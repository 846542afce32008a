"""What a client can make a call wait for: its request to arrive, its answer to leave.

Each of these stages has room for so many calls, each for so long. Where there is no room the oldest
gives way and not the newest: a call that means well is through in a moment, so the oldest are those
that hold on. One that has only just come is left alone, since many may come at once.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

from shisanzhi.rpc.limits.refusals import StreamsError

CallT = TypeVar("CallT")


_MOMENT: Final = 0.1
"""Seconds for which no call has to go."""


class Stage(Generic[CallT]):
    """Calls in one stage, oldest first."""

    __slots__ = ("_calls", "_crowded", "_late", "_most", "_seconds")

    def __init__(
        self,
        most: int,
        seconds: float,
        crowded: Callable[[CallT], None],
        late: Callable[[CallT], None],
    ) -> None:
        """Take how many calls have room, for how long, and how one ends that has to go."""
        self._most = most
        self._seconds = seconds
        self._crowded = crowded
        self._late = late
        # A dict's first item is found by passing over all that went before it.
        self._calls: OrderedDict[CallT, float] = OrderedDict()

    def __len__(self) -> int:
        """How many calls are in it."""
        return len(self._calls)

    def __iter__(self) -> Iterator[CallT]:
        """Give each, oldest first."""
        return iter(self._calls)

    def enter(self, call: CallT) -> None:
        """Take a call in; the oldest goes where there is no room, unless it is new too."""
        self._calls[call] = now = time.monotonic()
        if len(self._calls) > self._most:
            self._make_room(now)

    def leave(self, call: CallT) -> None:
        """Let a call go on, if it is still in it."""
        self._calls.pop(call, None)

    def sweep(self) -> None:
        """End every call whose time is over, and the oldest of too many."""
        now = time.monotonic()
        while self._oldest_came_before(now - self._seconds):
            self._late(self._pop())
        while len(self._calls) > self._most and self._make_room(now):
            pass

    def _make_room(self, now: float) -> bool:
        """End the oldest, unless it is new too."""
        old = self._oldest_came_before(now - _MOMENT)
        if old:
            self._crowded(self._pop())
        return old

    def _oldest_came_before(self, moment: float) -> bool:
        return next(iter(self._calls.values()), moment) < moment

    def _pop(self) -> CallT:
        return self._calls.popitem(last=False)[0]


class Streams:
    """Counts the streams of health and reflection that each connection holds open."""

    __slots__ = ("_most", "_of")

    def __init__(self, most: int) -> None:
        """Take how many one connection may hold."""
        self._most = most
        self._of: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many are open."""
        return self._of.total()

    def take(self, peer: str) -> None:
        """Take one stream of a connection; raises :class:`~refusals.StreamsError`."""
        if self._of[peer] >= self._most:
            raise StreamsError
        self._of[peer] += 1

    def put_down(self, peer: str) -> None:
        """Put one stream down."""
        self._of[peer] -= 1
        if not self._of[peer]:
            del self._of[peer]
