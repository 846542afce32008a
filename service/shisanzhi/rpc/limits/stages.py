"""What a client can make a call wait for: its request to arrive, its answer to leave.

Each of these stages has room for so many calls, each for so long. Where there is no room one of the
connection that holds most gives way, and of these the oldest and not the newest: a call that means
well is through in a moment, so the oldest are those that hold on. Any that have only just come are
left alone, since many may come at once.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

from shisanzhi.rpc.limits.refusals import Refusal

CallT = TypeVar("CallT", bound="Waiting")


class Waiting(Protocol):
    """A call, as the stages know it; ``peer`` names its connection."""

    @property
    def peer(self) -> str: ...
    def watch(self) -> None: ...
    def give_up(self, refusal: Refusal) -> None: ...
    def cut_off(self, why: str) -> None: ...


class Stage(Generic[CallT]):
    """Calls in one stage, oldest first."""

    __slots__ = ("_calls", "_crowded", "_late", "_moment", "_most", "_seconds")

    def __init__(
        self,
        most: int,
        seconds: float,
        moment: float,
        crowded: Callable[[CallT], None],
        late: Callable[[CallT], None],
    ) -> None:
        """Take how many calls have room, for how long, and how one ends that has to go.

        Within a moment, in seconds as well, none has to go for others.
        """
        self._most = most
        self._seconds = seconds
        self._moment = moment
        self._crowded = crowded
        self._late = late
        # A dict's first item is found by passing over all that went before it.
        self._calls: OrderedDict[CallT, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[CallT]:
        return iter(self._calls)

    def enter(self, call: CallT) -> None:
        """Take a call in; where there is no room an old one goes."""
        self._calls[call] = now = time.monotonic()
        if len(self._calls) > self._most:
            self._make_room(now)

    def leave(self, call: CallT) -> None:
        self._calls.pop(call, None)

    def sweep(self) -> None:
        """End every call whose time is over, and old ones of too many."""
        now = time.monotonic()
        while next(iter(self._calls.values()), now) < now - self._seconds:
            self._late(self._calls.popitem(last=False)[0])
        while len(self._calls) > self._most and self._make_room(now):
            pass

    def _make_room(self, now: float) -> bool:
        """End the oldest call of the connection that holds most, of those that are not new."""
        held = Counter(call.peer for call in self._calls)
        old = [call for call, came in self._calls.items() if came < now - self._moment]
        if old:
            call = max(old, key=lambda each: held[each.peer])
            del self._calls[call]
            self._crowded(call)
        return bool(old)
