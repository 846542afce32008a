"""Random numbers from a seed, to the bit: the streams of ``shisanzhi.v1``."""

import hmac
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, count
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
        prefix = f"{ALGORITHM}/{purpose}/{ruleset_key}/{round_number}/".encode()
        self._words: Iterator[int] = chain.from_iterable(_blocks(key, prefix))

    def bounded(self, limit: int) -> int:
        """Draw a number from 0 to limit − 1, each as likely as the others (limit ≤ 2^32)."""
        end = _end(limit)
        while (word := next(self._words)) >= end:
            pass
        return word % limit

    def shuffle(self, items: list[Card]) -> None:
        draw = self._words.__next__
        for last in range(len(items) - 1, 0, -1):
            # As in bounded, without a call for each card.
            end = _end(last + 1)
            while (word := draw()) >= end:
                pass
            other = word % (last + 1)
            items[last], items[other] = items[other], items[last]


@cache
def _end(limit: int) -> int:
    """Give the first word that is not drawn: from there on some numbers would be favoured."""
    return _WORD_RANGE - _WORD_RANGE % limit


def _blocks(key: bytes, prefix: bytes) -> Iterator[Sequence[int]]:
    """Give the words of one block after another: HMAC-SHA-256 of the prefix and its number."""
    begun = hmac.new(key, prefix, "sha256")
    for block in count():
        mac = begun.copy()
        mac.update(b"%d" % block)
        yield _WORDS.unpack(mac.digest())
