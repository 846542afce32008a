"""Rows won, lost and tied decide a pair of seats; its winner collects royalties (CLASSIC)."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from shisanzhi.engine.arrangement import Row
from shisanzhi.engine.categories import Category
from shisanzhi.engine.scoring.round import (
    COMPARISONS,
    PairResult,
    RowOutcome,
    Royalty,
    SeatRows,
    compare,
    home_runs,
)
from shisanzhi.engine.seats import PAIRS, SEATS

if TYPE_CHECKING:
    from shisanzhi.engine.rulesets.ruleset import Ruleset


_Line = tuple[Row | None, Category | None, int]
"""Of the royalty table: where it stands, and its units; the dragon's has no row and no category."""


class _Verdict(NamedTuple):
    """How a pair of seats ends: ``sign`` is 1 if the seat wins, −1 if it loses, 0 if even."""

    sign: int
    gunshot: bool
    rows: tuple[RowOutcome | None, RowOutcome | None, RowOutcome | None] = (None, None, None)


def settle(ruleset: "Ruleset", seats: Sequence[SeatRows]) -> tuple[PairResult, ...]:
    """Settle the six pairs of seats.

    A gunshot (打槍) or a run-over (輾過) pays 6, two rows against one pay 1, all else is even; a
    home run (紅不讓) pays 6 more each. A dragon (一條龍) guns whoever has none and takes 13 more.
    """
    dragon = home_run_dragon(seats)
    verdicts = {
        (seat, opponent): _verdict(seats[seat], seats[opponent], others_compare=dragon is None)
        for seat, opponent in PAIRS
    }
    runners = home_runs(_guns(verdicts)) if dragon is None else [dragon]
    return tuple(
        [_settle_pair(ruleset, seats, pair, verdict, runners) for pair, verdict in verdicts.items()]
    )


def home_run_dragon(seats: Sequence[SeatRows]) -> int | None:
    """Give the dragon that takes the home run: the only one, or the only one all in one suit."""
    dragons = [seat for seat in range(SEATS) if seats[seat].dragon]
    best = [seat for seat in dragons if seats[seat].one_suit] or dragons
    return best[0] if len(best) == 1 else None


def _verdict(seat: SeatRows, opponent: SeatRows, *, others_compare: bool) -> _Verdict:
    if seat.dragon or opponent.dragon:
        return _Verdict(seat.dragon - opponent.dragon, gunshot=True)
    if not others_compare:
        return _Verdict(0, gunshot=False)
    return _VERDICTS[compare(seat, opponent).rows]


_VERDICTS: Final = {
    rows: _Verdict((won > lost) - (won < lost), gunshot=not (won and lost), rows=rows)
    for rows, won, lost in COMPARISONS.values()
}


def _guns(verdicts: dict[tuple[int, int], _Verdict]) -> list[tuple[int, int]]:
    """Tell who guns whom."""
    return [
        pair if verdict.sign > 0 else (pair[1], pair[0])
        for pair, verdict in verdicts.items()
        if verdict.gunshot and verdict.sign
    ]


def _settle_pair(
    ruleset: "Ruleset",
    seats: Sequence[SeatRows],
    pair: tuple[int, int],
    verdict: _Verdict,
    runners: Collection[int],
) -> PairResult:
    sign = verdict.sign
    if not sign:
        return _pair_result(ruleset, pair, verdict, (), 0)
    payee = pair[0] if sign > 0 else pair[1]
    runs = sign if verdict.gunshot and payee in runners else 0
    return _pair_result(ruleset, pair, verdict, _collects(ruleset, seats[payee]), runs)


@lru_cache(maxsize=4096)
def _pair_result(
    ruleset: "Ruleset",
    pair: tuple[int, int],
    verdict: _Verdict,
    collected: Sequence[_Line],
    runs: int,
) -> PairResult:
    """Settle one pair; ``runs`` is its sign where the winner takes a home run, else 0.

    Most pairs end in one of few ways.
    """
    seat, opponent = pair
    sign, gunshot, rows = verdict
    payee, payer = pair if sign > 0 else (opponent, seat)
    return PairResult(
        seat,
        opponent,
        *rows,
        pair_units=0 if gunshot else sign * ruleset.pair_units,
        gunshot_units=sign * ruleset.gunshot_units if gunshot else 0,
        home_run_units=runs * ruleset.home_run_units,
        royalties=tuple([Royalty(payee, payer, *line) for line in collected]),
        guns=gunshot and sign > 0,
        gunned=gunshot and sign < 0,
    )


def _collects(ruleset: "Ruleset", winner: SeatRows) -> Sequence[_Line]:
    """Give what the winner of a pair collects for its own rows, whether or not they won."""
    return ((None, None, ruleset.dragon_units),) if winner.dragon else winner.royalties
