"""Random numbers from a seed, to the bit: the streams of ``shisanzhi.v1``."""

import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import Final

from shisanzhi.engine.cards import Card

ALGORITHM: Final = "shisanzhi.v1"
_WORDS: Final = struct.Struct(">8I")
_WORD_RANGE: Final = 2**32


def derive_key(seed: bytes, player_seeds: Sequence[bytes] = ()) -> bytes:
    """Give the key of all streams: the seed, mixed with the players' seeds where there are any.

    >>> derive_key(b"0123456789abcdef") == b"0123456789abcdef"
    True
    >>> derive_key(b"0123456789abcdef", [b"a"]).hex()[:8]
    'b79f6c9a'
    """
    if not player_seeds:
        return seed
    message = f"{ALGORITHM}/mix".encode() + b"".join(
        bytes([len(player_seed)]) + player_seed for player_seed in player_seeds
    )
    return hmac.digest(seed, message, "sha256")


class Stream:
    """A stream of numbers for one purpose in one round."""

    def __init__(self, key: bytes, purpose: str, ruleset_key: str, round_number: int) -> None:
        """Start the stream at its first word."""
        self._key = key
        self._prefix = f"{ALGORITHM}/{purpose}/{ruleset_key}/{round_number}/"
        self._words = self._generate()

    def bounded(self, limit: int) -> int:
        """Draw a number from 0 to limit − 1, each as likely as the others (limit ≤ 2^32)."""
        end = _WORD_RANGE - _WORD_RANGE % limit
        while (word := next(self._words)) >= end:
            pass
        return word % limit

    def shuffle(self, items: list[Card]) -> None:
        """Shuffle in place, from the last item down."""
        for last in range(len(items) - 1, 0, -1):
            other = self.bounded(last + 1)
            items[last], items[other] = items[other], items[last]

    def _generate(self) -> Iterator[int]:
        block = 0
        while True:
            message = f"{self._prefix}{block}".encode()
            yield from _WORDS.unpack(hmac.digest(self._key, message, "sha256"))
            block += 1
