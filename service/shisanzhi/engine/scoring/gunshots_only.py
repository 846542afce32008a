"""打槍制: a row won scores nothing in itself; gunshots, home runs and royalties do (BONUS)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from shisanzhi.engine.scoring.results import PairResult, RowOutcome, Royalty
from shisanzhi.engine.scoring.system import (
    Comparison,
    RowRoyalty,
    ScoringSystem,
    SeatRows,
    compare,
    home_runs,
)
from shisanzhi.engine.seats import pairs


class GunshotsOnly(ScoringSystem):
    """X guns Y when none of X's rows is lower than Y's.

    Two seats with three equal rows gun each other, which cancels, and both count as having gunned.
    A home run takes more from each opponent. Royalties are paid for rows strictly greater, and
    never doubled. It knows no pairs won and no dragons.
    """

    rows_decide: ClassVar = False

    def settle(self, seats: Sequence[SeatRows]) -> tuple[PairResult, ...]:
        of_seats = pairs(len(seats))
        compared = [compare(seats[seat], seats[opponent]) for seat, opponent in of_seats]
        guns = []
        for (seat, opponent), comparison in zip(of_seats, compared, strict=True):
            if not comparison.lost:
                guns.append((seat, opponent))
            if not comparison.won:
                guns.append((opponent, seat))
        runners = home_runs(guns, len(seats))
        return tuple(
            [
                _settle_pair(
                    self,
                    pair,
                    comparison,
                    (seats[pair[0]].royalties, seats[pair[1]].royalties),
                    (pair[0] in runners) - (pair[1] in runners),
                )
                for pair, comparison in zip(of_seats, compared, strict=True)
            ]
        )


@lru_cache(maxsize=4096)
def _settle_pair(
    system: GunshotsOnly,
    pair: tuple[int, int],
    comparison: Comparison,
    royalties: tuple[Sequence[RowRoyalty], Sequence[RowRoyalty]],
    runs: int,
) -> PairResult:
    """Settle one pair; ``runs`` is 1 where the seat takes a home run, −1 where its opponent does.

    Most pairs end in one of few ways.
    """
    seat, opponent = pair
    rows, won, lost = comparison
    guns, gunned = not lost, not won
    return PairResult(
        seat,
        opponent,
        *rows,
        0,
        system.gunshot_units * (guns - gunned),
        system.home_run_units * runs,
        _royalties(pair, royalties, rows),
        guns,
        gunned,
    )


def _royalties(
    pair: tuple[int, int],
    royalties: tuple[Sequence[RowRoyalty], Sequence[RowRoyalty]],
    rows: Sequence[RowOutcome],
) -> tuple[Royalty, ...]:
    """Find the rows strictly greater that are in the royalty table."""
    seat, opponent = pair
    mine, theirs = royalties
    return (
        *[Royalty(seat, opponent, *it) for it in mine if rows[it.row - 1] is RowOutcome.WON],
        *[Royalty(opponent, seat, *it) for it in theirs if rows[it.row - 1] is RowOutcome.LOST],
    )
