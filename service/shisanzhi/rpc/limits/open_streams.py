"""How many streams of health and reflection each connection holds open."""

from collections import Counter

from shisanzhi.rpc.limits.refusals import StreamsError


class OpenStreams:
    """Counts them and refuses one too many."""

    __slots__ = ("_most", "_of")

    def __init__(self, most: int) -> None:
        """Take how many one connection may hold."""
        self._most = most
        self._of: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._of.total()

    def enter(self, peer: str) -> None:
        """Count one in, which is then to leave; raises :class:`~refusals.StreamsError`."""
        if self._of[peer] >= self._most:
            raise StreamsError
        self._of[peer] += 1

    def leave(self, peer: str) -> None:
        self._of[peer] -= 1
        if not self._of[peer]:
            del self._of[peer]
