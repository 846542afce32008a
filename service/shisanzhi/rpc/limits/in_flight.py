"""How many calls are in flight: each from its request until its answer is made."""

from shisanzhi.rpc.limits.refusals import OverloadedError


class InFlight:
    """Counts them and refuses one too many."""

    __slots__ = ("count", "most")

    def __init__(self, most: float) -> None:
        self.most = most
        self.count = 0

    def enter(self) -> None:
        """Count one in, which is then to leave; raises :class:`OverloadedError`."""
        if self.count >= self.most:
            raise OverloadedError
        self.count += 1

    def leave(self) -> None:
        self.count -= 1
