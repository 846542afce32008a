"""How many calls are in flight: each from its request until its answer is made."""

from collections.abc import Callable

from shisanzhi.rpc.limits.refusals import OverloadedError


class InFlight:
    """Counts them and refuses one too many."""

    __slots__ = ("_make_room", "count", "most")

    def __init__(self, most: float, make_room: Callable[[str], bool]) -> None:
        """Take how many may be, and what sends away one of a connection that has most waiting."""
        self.most = most
        self.count = 0
        self._make_room = make_room

    def enter(self, peer: str) -> None:
        """Count one in, which is then to leave; raises :class:`OverloadedError`."""
        if self.count >= self.most and not self._make_room(peer):
            raise OverloadedError
        self.count += 1

    def leave(self) -> None:
        self.count -= 1
