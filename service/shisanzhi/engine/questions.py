"""What the engine is asked, as plain values that nobody has checked yet.

Cards and rulesets are their numbers in the contract, 0 where the request leaves them unset; the
fields have the names of the contract's request messages, save `round_number` for `round`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self, TypeVar

from shisanzhi.engine.match import Match, Standing

_Item = TypeVar("_Item")


class Unread(tuple[Any, ...]):  # noqa: SLOT001 - those of a tuple hold nothing
    """A list too long to be read: it keeps its length, and has no items to look at.

    >>> unread = Unread(32_000)
    >>> len(unread), list(unread)
    (32000, [])
    """

    _length: int

    def __new__(cls, length: int) -> Self:
        unread = super().__new__(cls)
        unread._length = length
        return unread

    def __len__(self) -> int:
        return self._length


def read(items: Sequence[_Item], most: int) -> tuple[_Item, ...]:
    """Take the items of a list, unless there are more than it may have.

    >>> read([78, 77], most=2)
    (78, 77)
    >>> list(read([78, 77, 76], most=2))
    []
    """
    return tuple(items[:]) if len(items) <= most else Unread(len(items))


class RawArrangement(NamedTuple):
    """The three rows of one seat, as card numbers."""

    front: tuple[int, ...]
    middle: tuple[int, ...]
    back: tuple[int, ...]


class EvaluateQuestion(NamedTuple):
    """Asks what rows are worth, one by one."""

    ruleset: int
    cut_card: int
    rows: Sequence[Sequence[int]]


class ValidateQuestion(NamedTuple):
    """Asks whether an arrangement is legal, and comes from a hand (empty: from any)."""

    ruleset: int
    cut_card: int
    arrangement: RawArrangement | None
    hand: Sequence[int] = ()


class ScoreQuestion(NamedTuple):
    """Asks what four arrangements settle, and whether they come from hands (empty: from any).

    A question without a dealer has no answer.
    """

    ruleset: int
    cut_card: int
    arrangements: Sequence[RawArrangement]
    dealer: int | None = None
    hands: Sequence[Sequence[int]] = ()


class DealRoundQuestion(NamedTuple):
    """Asks what a seed deals. Round 0 is round 1; with no dealer, one is drawn."""

    ruleset: int
    seed: bytes
    player_seeds: Sequence[bytes] = ()
    round_number: int = 0
    dealer: int | None = None
    cuts: Sequence[int] = ()


class ArrangeQuestion(NamedTuple):
    """Asks how a hand is best arranged. 0 suggestions are one."""

    ruleset: int
    cut_card: int
    hand: Sequence[int]
    max_suggestions: int = 0


class StartMatchQuestion(NamedTuple):
    """Asks who sits where and deals first."""

    ruleset: int
    seed: bytes
    player_seeds: Sequence[bytes]
    player_ids: Sequence[str]


class RawMatch(NamedTuple):
    """A match as a caller hands it back, who may have changed it."""

    ruleset: int
    player_ids: Sequence[str]
    next_round: int
    dealer: int
    units: Sequence[int]
    points: Sequence[int]
    finished: bool
    finish_reason: int | None
    standings: Sequence[Standing]


class AdvanceMatchQuestion(NamedTuple):
    """Asks what a round makes of a match."""

    match: RawMatch | Match | None
    units: Sequence[int]
