"""打槍制: a row won scores nothing in itself; gunshots, home runs and royalties do (BONUS)."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shisanzhi.engine.scoring import (
    PairResult,
    Royalty,
    SeatRows,
    compare,
    home_runs,
    outcomes,
)
from shisanzhi.engine.seats import PAIRS

if TYPE_CHECKING:
    from shisanzhi.engine.rulesets.ruleset import Ruleset


def settle(ruleset: "Ruleset", seats: Sequence[SeatRows]) -> tuple[PairResult, ...]:
    """Settle the six pairs of seats.

    X guns Y when none of X's rows is lower than Y's; two seats with three equal rows gun each
    other, which cancels, and both count as having gunned. A home run takes more from each
    opponent. Royalties are paid for rows strictly greater, and never doubled.
    """
    signs = {pair: compare(seats[pair[0]], seats[pair[1]]) for pair in PAIRS}
    guns = {pair for pair, compared in signs.items() if min(compared) >= 0}
    guns |= {(pair[1], pair[0]) for pair, compared in signs.items() if max(compared) <= 0}
    runners = home_runs(guns)
    return tuple(
        PairResult(
            seat,
            opponent,
            *outcomes(compared),
            gunshot_units=ruleset.gunshot_units
            * (((seat, opponent) in guns) - ((opponent, seat) in guns)),
            home_run_units=ruleset.home_run_units * ((seat in runners) - (opponent in runners)),
            royalties=tuple(_royalties(seats, (seat, opponent), compared)),
        )
        for (seat, opponent), compared in signs.items()
    )


def _royalties(
    seats: Sequence[SeatRows], pair: tuple[int, int], signs: tuple[int, int, int]
) -> Iterator[Royalty]:
    """Find the rows strictly greater that are in the royalty table."""
    seat, opponent = pair
    for payee, payer, won in ((seat, opponent, 1), (opponent, seat, -1)):
        for row, units in seats[payee].royalties:
            if signs[row - 1] == won:
                category = seats[payee].values[row - 1].category
                yield Royalty(payee, payer, row, category, units)
