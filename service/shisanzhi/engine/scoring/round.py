"""Arrangements -> a round's result, every unit found in exactly one pair of seats.

What a pair of seats pays is the scoring system's own (``gunshots_only.py``, ``pairs_won.py``);
adding up, places and points are the same for all.
"""

from collections.abc import Sequence
from itertools import chain

from shisanzhi.engine.arrangement import Arrangement, JudgedRows, judge_rows
from shisanzhi.engine.cards import Card, suits_of
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.scoring.results import PairResult, RoundResult, SeatResult
from shisanzhi.engine.scoring.system import SeatRows
from shisanzhi.engine.seats import counter_clockwise


def score(
    ruleset: Ruleset,
    arrangements: Sequence[Arrangement],
    cut_card: Card | None = None,
    *,
    dealer: int,
) -> RoundResult:
    """Settle legal arrangements, by seat: see :func:`score_judged`.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> def arrangement(*rows: str) -> Arrangement:
    ...     return Arrangement(*map(parse_cards, rows))
    >>> result = score(CLASSIC, [
    ...     arrangement("2c 3d 4h", "5s 6c 7d 8h 9s", "Tc Jd Qh Ks Ac"),
    ...     arrangement("8s 9d 5d", "5c Kd 8c 7c Kc", "As 3c Ad 5h Qs"),
    ...     arrangement("3h 6h 7s", "2s 6d 7h 9h Qc", "Td Th 9c 4c Jh"),
    ...     arrangement("2d Jc 6s", "4d 3s 4s 2h 8d", "Ts Ah Js Qd Kh"),
    ... ], dealer=0)
    >>> [seat.total_units for seat in result.seats]
    [75, -25, -25, -25]
    """
    judged = [judge_rows(ruleset, rows, cut_card) for rows in arrangements]
    return score_judged(ruleset, judged, dealer)


def score_judged(ruleset: Ruleset, judged: Sequence[JudgedRows], dealer: int) -> RoundResult:
    """Settle what was judged and found legal, by seat.

    The dealer decides only the order of showing and the place of equal totals.
    """
    seats = [_seat_rows(ruleset, each) for each in judged]
    pairs = ruleset.scoring.settle(seats)
    order = counter_clockwise(dealer, len(seats))
    parts = _parts(pairs, len(seats))
    totals = [sum(part) for part in parts]
    places = _places(totals, order)
    results = [
        SeatResult(
            seat,
            rows.front,
            rows.middle,
            rows.back,
            rows.dragon,
            *parts[seat],
            totals[seat],
            places[seat],
            totals[seat] * ruleset.points_per_unit,
        )
        for seat, rows in enumerate(seats)
    ]
    return RoundResult(tuple(results), pairs, order)


def _seat_rows(ruleset: Ruleset, judged: JudgedRows) -> SeatRows:
    front, middle, back, dragon = judged.front, judged.middle, judged.back, judged.dragon
    assert front is not None and middle is not None and back is not None  # noqa: PT018, S101 - legal
    strengths = front.strength, middle.strength, back.strength
    royalties = ruleset.row_royalties(front, middle, back)
    one_suit = dragon and len(suits_of(chain(*judged.rows))) == 1
    return SeatRows(front, middle, back, strengths, royalties, dragon, one_suit)


def _parts(pairs: Sequence[PairResult], seats: int) -> list[tuple[int, int, int, int]]:
    """Add up each seat's pair, gunshot, home-run and royalty units."""
    parts = [[0, 0, 0, 0] for _ in range(seats)]
    for result in pairs:
        units = (
            result.pair_units,
            result.gunshot_units,
            result.home_run_units,
            result.royalty_units if result.royalties else 0,
        )
        if any(units):
            seat, opponent = parts[result.seat], parts[result.opponent]
            for part, won in enumerate(units):
                seat[part] += won
                opponent[part] -= won
    return [(pair, gunshot, home_run, royalty) for pair, gunshot, home_run, royalty in parts]


def _places(totals: Sequence[int], order: Sequence[int]) -> list[int]:
    """Rank the totals; of equal ones the seat that shows earlier ranks first."""
    # A reversed sort keeps the order of equals.
    ranking = sorted(order, key=totals.__getitem__, reverse=True)
    return [ranking.index(seat) + 1 for seat in range(len(totals))]
