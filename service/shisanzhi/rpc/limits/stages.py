"""What a client can make a call wait for: its request to arrive, its answer to leave.

Each of these stages has room for so many calls, each for so long. Where there is no room one of the
connection that holds most gives way, and of these the oldest and not the newest: a call that means
well is through in a moment, so the oldest are those that hold on. Any that have only just come are
left alone, since many may come at once.
"""

import heapq
import time
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Final, Generic, Protocol, TypeVar

from shisanzhi.rpc.limits.refusals import Refusal

CallT = TypeVar("CallT", bound="Waiting")

_PAUSE: Final = 0.02
"""Seconds between two looks at all calls, of which there may be thousands."""


class Waiting(Protocol):
    """A call, as the stages know it; ``peer`` names its connection."""

    @property
    def peer(self) -> str: ...
    def watch(self) -> None: ...
    def give_up(self, refusal: Refusal) -> None: ...
    def cut_off(self, why: str) -> None: ...


class Stage(Generic[CallT]):
    """Calls in one stage, oldest first."""

    __slots__ = ("_calls", "_crowded", "_late", "_look_again", "_moment", "_most", "_seconds")

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
        self._look_again = 0.0
        # A dict's first item is found by passing over all that went before it.
        self._calls: OrderedDict[CallT, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[CallT]:
        return iter(self._calls)

    def enter(self, call: CallT) -> None:
        """Take a call in; where there is no room an old one goes, at once or very soon."""
        self._calls[call] = now = time.monotonic()
        if len(self._calls) > self._most and now >= self._look_again:
            self._make_room(now)

    def leave(self, call: CallT) -> None:
        self._calls.pop(call, None)

    def sweep(self) -> None:
        """End every call whose time is over, and old ones of too many."""
        now = time.monotonic()
        while next(iter(self._calls.values()), now) < now - self._seconds:
            self._late(self._calls.popitem(last=False)[0])
        if len(self._calls) > self._most:
            self._make_room(now)

    def _make_room(self, now: float) -> None:
        """End calls that are not new: one by one the oldest of the connection that holds most."""
        self._look_again = now + _PAUSE
        held = Counter(call.peer for call in self._calls)
        old: dict[str, deque[CallT]] = defaultdict(deque)
        for call, came in self._calls.items():
            if came >= now - self._moment:
                break
            old[call.peer].append(call)
        # Of those that hold as many, the one whose oldest call came first.
        holders = [(-held[peer], place, peer) for place, peer in enumerate(old)]
        heapq.heapify(holders)
        while len(self._calls) > self._most and holders:
            count, place, peer = heapq.heappop(holders)
            call = old[peer].popleft()
            if old[peer]:
                heapq.heappush(holders, (count + 1, place, peer))
            del self._calls[call]
            self._crowded(call)
