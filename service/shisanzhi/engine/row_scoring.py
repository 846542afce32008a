"""Rows won, lost and tied decide a pair of seats; its winner collects royalties (CLASSIC)."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shisanzhi.engine.scoring import (
    PAIRS,
    SEATS,
    PairResult,
    RowOutcome,
    Royalty,
    SeatRows,
    compare,
    outcomes,
)

if TYPE_CHECKING:
    from shisanzhi.engine.rulesets.ruleset import Ruleset


class _Verdict(NamedTuple):
    """How a pair of seats ends: ``winner`` is 1 for the seat, −1 for the opponent, 0 for even."""

    winner: int
    gunshot: bool
    rows: tuple[RowOutcome | None, RowOutcome | None, RowOutcome | None] = (None, None, None)


def settle(ruleset: "Ruleset", seats: Sequence[SeatRows]) -> tuple[PairResult, ...]:
    """Settle the six pairs of seats.

    A gunshot (打槍) or a run-over (輾過) pays 6, two rows against one pay 1, all else is even; a
    home run (紅不讓) pays 6 more each. A dragon (一條龍) guns whoever has none and takes 13 more.
    """
    dragon = sweeping_dragon(seats)
    verdicts = {
        (seat, opponent): _verdict(seats[seat], seats[opponent], others_compare=dragon is None)
        for seat, opponent in PAIRS
    }
    sweepers = _sweepers(verdicts) if dragon is None else (dragon,)
    return tuple(
        _settle_pair(ruleset, seats, pair, verdict, sweepers) for pair, verdict in verdicts.items()
    )


def sweeping_dragon(seats: Sequence[SeatRows]) -> int | None:
    """Give the dragon that takes the home run: the only one, or the only one all in one suit."""
    dragons = [seat for seat in range(SEATS) if seats[seat].dragon]
    best = [seat for seat in dragons if seats[seat].one_suit] or dragons
    return best[0] if len(best) == 1 else None


def _verdict(seat: SeatRows, opponent: SeatRows, *, others_compare: bool) -> _Verdict:
    if seat.dragon or opponent.dragon:
        return _Verdict(seat.dragon - opponent.dragon, gunshot=True)
    if not others_compare:
        return _Verdict(0, gunshot=False)
    signs = compare(seat, opponent)
    won, lost = signs.count(1), signs.count(-1)
    winner = (won > lost) - (won < lost)
    return _Verdict(winner, gunshot=min(won, lost) == 0, rows=outcomes(signs))


def _sweepers(verdicts: dict[tuple[int, int], _Verdict]) -> Collection[int]:
    """Find the seat that guns all three others, if there is one."""
    gunners = [
        pair[0] if verdict.winner > 0 else pair[1]
        for pair, verdict in verdicts.items()
        if verdict.gunshot and verdict.winner
    ]
    return [seat for seat in range(SEATS) if gunners.count(seat) == SEATS - 1]


def _settle_pair(
    ruleset: "Ruleset",
    seats: Sequence[SeatRows],
    pair: tuple[int, int],
    verdict: _Verdict,
    sweepers: Collection[int],
) -> PairResult:
    seat, opponent = pair
    winner, gunshot, rows = verdict
    payee, payer = pair if winner > 0 else (opponent, seat)
    swept = gunshot and payee in sweepers
    return PairResult(
        seat,
        opponent,
        *rows,
        pair_units=0 if gunshot else winner * ruleset.pair_units,
        gunshot_units=winner * ruleset.gunshot_units if gunshot else 0,
        home_run_units=winner * ruleset.home_run_units if swept else 0,
        royalties=tuple(_royalties(ruleset, seats[payee], payee, payer)) if winner else (),
    )


def _royalties(ruleset: "Ruleset", winner: SeatRows, payee: int, payer: int) -> Iterator[Royalty]:
    """Give what the winner of the pair collects for its own rows, whether or not they won."""
    if winner.dragon:
        yield Royalty(payee, payer, None, None, ruleset.dragon_units)
        return
    for row, units in winner.royalties:
        yield Royalty(payee, payer, row, winner.values[row - 1].category, units)
