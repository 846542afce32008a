"""Rows won, lost and tied decide a pair of seats; its winner collects royalties (CLASSIC)."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from shisanzhi.engine.categories import Category
from shisanzhi.engine.rows import Row
from shisanzhi.engine.scoring.results import PairResult, RowOutcome, Royalty
from shisanzhi.engine.scoring.system import (
    COMPARISONS,
    ScoringSystem,
    SeatRows,
    compare,
    home_runs,
)
from shisanzhi.engine.seats import pairs

_Line = tuple[Row | None, Category | None, int]
"""Of the royalty table: where it stands, and its units; the dragon's has no row and no category."""


class PairsWon(ScoringSystem):
    """All rows won or tied is a gunshot (打槍) or a run-over (輾過); else most rows win the pair.

    A home run (紅不讓) takes more from each. A dragon (一條龍) guns whoever has none and takes its
    units. Whoever wins a pair collects the royalties of all its rows.
    """

    rows_decide: ClassVar = True

    def settle(self, seats: Sequence[SeatRows]) -> tuple[PairResult, ...]:
        dragon = home_run_dragon(seats)
        verdicts = {
            (seat, opponent): _verdict(seats[seat], seats[opponent], others_compare=dragon is None)
            for seat, opponent in pairs(len(seats))
        }
        runners = home_runs(_guns(verdicts), len(seats)) if dragon is None else [dragon]
        return tuple(
            [
                _settle_pair(self, seats, pair, verdict, runners)
                for pair, verdict in verdicts.items()
            ]
        )


class _Verdict(NamedTuple):
    """How a pair of seats ends: ``sign`` is 1 if the seat wins, −1 if it loses, 0 if even."""

    sign: int
    gunshot: bool
    rows: tuple[RowOutcome | None, RowOutcome | None, RowOutcome | None] = (None, None, None)


def home_run_dragon(seats: Sequence[SeatRows]) -> int | None:
    """Give the dragon that takes the home run: the only one, or the only one all in one suit."""
    dragons = [seat for seat, rows in enumerate(seats) if rows.dragon]
    best = [seat for seat in dragons if seats[seat].one_suit] or dragons
    return best.pop() if len(best) == 1 else None


def _verdict(seat: SeatRows, opponent: SeatRows, *, others_compare: bool) -> _Verdict:
    if seat.dragon or opponent.dragon or not others_compare:
        return _Verdict(seat.dragon - opponent.dragon, gunshot=True)
    return _VERDICTS[compare(seat, opponent).rows]


_VERDICTS: Final = {
    rows: _Verdict((won > lost) - (won < lost), gunshot=not (won and lost), rows=rows)
    for rows, won, lost in COMPARISONS.values()
}


def _guns(verdicts: dict[tuple[int, int], _Verdict]) -> list[tuple[int, int]]:
    return [
        pair if verdict.sign == 1 else pair[::-1]
        for pair, verdict in verdicts.items()
        if verdict.gunshot and verdict.sign
    ]


def _settle_pair(
    system: PairsWon,
    seats: Sequence[SeatRows],
    pair: tuple[int, int],
    verdict: _Verdict,
    runners: Collection[int],
) -> PairResult:
    sign = verdict.sign
    if not sign:
        return _pair_result(system, pair, verdict, (), 0)
    payee = pair[0] if sign == 1 else pair[1]
    # Who takes a home run has gunned all, this one too.
    runs = sign if payee in runners else 0
    return _pair_result(system, pair, verdict, _collects(system, seats[payee]), runs)


@lru_cache(maxsize=4096)
def _pair_result(
    system: PairsWon,
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
    payee, payer = pair if sign == 1 else (opponent, seat)
    return PairResult(
        seat,
        opponent,
        *rows,
        pair_units=0 if gunshot else sign * system.pair_units,
        gunshot_units=sign * system.gunshot_units if gunshot else 0,
        home_run_units=runs * system.home_run_units,
        royalties=tuple([Royalty(payee, payer, *line) for line in collected]),
        guns=gunshot and sign == 1,
        gunned=gunshot and sign == -1,
    )


def _collects(system: PairsWon, winner: SeatRows) -> Sequence[_Line]:
    """Give what the winner of a pair collects for its own rows, whether or not they won."""
    return ((None, None, system.dragon_units),) if winner.dragon else winner.royalties
