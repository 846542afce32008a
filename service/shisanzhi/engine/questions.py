"""What the engine is asked, as plain values that nobody has checked yet.

Cards and rulesets are their numbers in the contract, 0 where the request leaves them unset; the
fields have the names of the contract's request messages, save `round_number` for `round`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from shisanzhi.engine.match import Match, Standing


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
