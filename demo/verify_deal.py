"""Repeat a deal from its seed: algorithm shisanzhi.v1, with nothing but a hash function.

It shares no code with the engine, so that it can be trusted, read and translated by itself.
"""

import argparse
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count


def stream(key: bytes, purpose: str, ruleset: str, number: int) -> Iterator[int]:
    """Give the 32-bit words of one purpose in one round."""
    for block in count():
        message = f"shisanzhi.v1/{purpose}/{ruleset}/{number}/{block}".encode()
        digest = hmac.digest(key, message, "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def bounded(words: Iterator[int], limit: int) -> int:
    """Draw a number below a limit, each as likely as the others."""
    return next(word for word in words if word < 2**32 - 2**32 % limit) % limit


def deal(  # noqa: PLR0913, PLR0917 - all that fixes a deal
    ruleset: str,
    seed: bytes,
    player_seeds: Sequence[bytes] = (),
    number: int = 1,
    dealer: int | None = None,
    cuts: Sequence[int] = (),
) -> tuple[str, int, str, int, list[str]]:
    """Give the commitment, the dealer, the card shown, the first receiver and the hands."""
    mixed = b"".join(bytes([len(each)]) + each for each in player_seeds)
    key = hmac.digest(seed, b"shisanzhi.v1/mix" + mixed, "sha256") if player_seeds else seed
    if dealer is None:
        dealer = bounded(stream(key, "dealer", ruleset, number), 4)
    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    deck += deck[-13:] if ruleset == "bonus" else []
    words = stream(key, "deal", ruleset, number)
    for last in range(len(deck) - 1, 0, -1):
        other = bounded(words, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    for cut in cuts:
        deck = deck[cut:] + deck[:cut]
    shown = bounded(words, len(deck))
    card = deck.pop(shown) if ruleset == "bonus" else deck[shown]
    steps = 0 if ruleset == "bonus" else "A23456789TJQK".index(card[0])
    first = (dealer + steps) % 4
    hands = [" ".join(deck[(seat - first) % 4 :: 4]) for seat in range(4)]
    return hashlib.sha256(seed).hexdigest(), dealer, card, first, hands


def main() -> None:
    """Print the deal that the options of ``shisanzhi deal`` name."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ruleset", choices=["bonus", "classic"], default="bonus")
    options.add_argument("--seed", type=bytes.fromhex, required=True)
    options.add_argument("--player-seed", type=bytes.fromhex, action="append", default=[])
    options.add_argument("--round", type=int, default=1)
    options.add_argument("--dealer", type=int)
    options.add_argument("--cut-deck", type=int, action="append", default=[])
    commitment, dealer, card, first, hands = deal(*vars(options.parse_args()).values())
    print("commitment", commitment)
    print("dealer", dealer, "card shown", card, "first receiver", first)
    print(*hands, sep="\n")


if __name__ == "__main__":
    main()
