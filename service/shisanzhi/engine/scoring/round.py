"""Four arrangements -> a round's result, every unit found in exactly one pair of seats.

What a pair of seats pays is the ruleset's own (``gun_scoring.py``, ``row_scoring.py``); adding up,
places and points are the same for both.
"""

import enum
from collections.abc import Collection, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from shisanzhi.engine.arrangement import Arrangement, Row, Rows, bonus_rank_of, is_dragon
from shisanzhi.engine.cards import Card, suits_of
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import FRONT_SIZE, RowValue
from shisanzhi.engine.seats import SEATS, counter_clockwise

if TYPE_CHECKING:
    from shisanzhi.engine.rulesets.ruleset import Ruleset


class RowOutcome(enum.IntEnum):
    """How a row compares with the opponent's."""

    WON = 1
    LOST = 2
    TIED = 3


class Royalty(NamedTuple):
    """Extra units for a strong row (額外加分, 加堵); a dragon's has no row and no category."""

    payee: int
    payer: int
    row: Row | None
    category: Category | None
    units: int


class PairResult(NamedTuple):
    """What two seats settle, seen from ``seat`` (< ``opponent``).

    The outcomes are None where the pair does not compare its rows: where one of the two has a
    dragon, or a dragon takes the home run. Both gun each other where a ruleset lets them.
    """

    seat: int
    opponent: int
    front: RowOutcome | None = None
    middle: RowOutcome | None = None
    back: RowOutcome | None = None
    pair_units: int = 0
    gunshot_units: int = 0
    home_run_units: int = 0
    royalties: tuple[Royalty, ...] = ()
    guns: bool = False
    gunned: bool = False

    @property
    def royalty_units(self) -> int:
        """What the seat collects in royalties, less what it pays."""
        units = 0
        for royalty in self.royalties:
            units += royalty.units if royalty.payee == self.seat else -royalty.units
        return units

    @property
    def total_units(self) -> int:
        """All that the opponent pays the seat, less what the seat pays."""
        return self.pair_units + self.gunshot_units + self.home_run_units + self.royalty_units


class SeatResult(NamedTuple):
    """What one seat won or lost; the four parts sum to ``total_units``."""

    seat: int
    front: RowValue
    middle: RowValue
    back: RowValue
    dragon: bool
    pair_units: int
    gunshot_units: int
    home_run_units: int
    royalty_units: int
    total_units: int
    place: int
    points: int


class RoundResult(NamedTuple):
    """A round settled: four seats, six pairs, and the seats in the order of showing."""

    seats: tuple[SeatResult, ...]
    pairs: tuple[PairResult, ...]
    showing_order: tuple[int, ...]


class RowRoyalty(NamedTuple):
    """A row that is in the royalty table, and what it collects."""

    row: Row
    category: Category
    units: int


class SeatRows(NamedTuple):
    """One seat's rows as scoring sees them.

    ``strengths`` are those of front, middle and back; ``royalties`` the rows in the royalty table.
    """

    front: RowValue
    middle: RowValue
    back: RowValue
    strengths: tuple[int, int, int]
    royalties: tuple[RowRoyalty, ...]
    dragon: bool
    one_suit: bool


class Comparison(NamedTuple):
    """How a seat's front, middle and back compare with an opponent's: one of 27 ways."""

    rows: tuple[RowOutcome, RowOutcome, RowOutcome]
    won: int
    lost: int


def score(
    ruleset: "Ruleset",
    arrangements: Sequence[Arrangement],
    cut_card: Card | None = None,
    *,
    dealer: int,
) -> RoundResult:
    """Settle four legal arrangements, by seat: see :func:`score_seats`.

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
    value = ruleset.evaluator(bonus_rank_of(cut_card)).value
    seats = [seat_rows(ruleset, each, *map(value, each)) for each in arrangements]
    return score_seats(ruleset, seats, dealer)


def score_seats(ruleset: "Ruleset", seats: Sequence[SeatRows], dealer: int) -> RoundResult:
    """Settle four seats.

    The dealer decides only the order of showing and the place of equal totals.
    """
    pairs = ruleset.settle(ruleset, seats)
    order = counter_clockwise(dealer)
    parts = _parts(pairs)
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


def seat_rows(
    ruleset: "Ruleset",
    rows: Rows,
    front: RowValue,
    middle: RowValue,
    back: RowValue,
) -> SeatRows:
    """Gather what scoring sees of a seat, from its cards and the values of its rows."""
    dragon = one_suit = False
    if ruleset.dragon_units and len(front.ranks) == FRONT_SIZE:  # else it has a pair
        cards = rows[0] + rows[1] + rows[2]
        dragon = is_dragon(ruleset, cards)
        one_suit = dragon and len(suits_of(cards)) == 1
    strengths = front.strength, middle.strength, back.strength
    royalties = ruleset.row_royalties(front, middle, back)
    return SeatRows(front, middle, back, strengths, royalties, dragon, one_suit)


def compare(seat: SeatRows, opponent: SeatRows) -> Comparison:
    """Compare row by row."""
    front, middle, back = seat.strengths
    low, mid, high = opponent.strengths
    return COMPARISONS[
        (front > low) - (front < low),
        (middle > mid) - (middle < mid),
        (back > high) - (back < high),
    ]


def home_runs(guns: Collection[tuple[int, int]]) -> list[int]:
    """Find the seats that gun all three others; ``(x, y)`` in ``guns``: x guns y.

    >>> home_runs({(2, 0), (2, 1), (2, 3), (0, 1)})
    [2]
    """
    if len(guns) < SEATS - 1:
        return []
    gunners = [gunner for gunner, _ in guns]
    return [seat for seat in range(SEATS) if gunners.count(seat) == SEATS - 1]


_OUTCOMES: Final = {1: RowOutcome.WON, 0: RowOutcome.TIED, -1: RowOutcome.LOST}
COMPARISONS: Final = {
    (front, middle, back): Comparison(
        (_OUTCOMES[front], _OUTCOMES[middle], _OUTCOMES[back]),
        won=(front, middle, back).count(1),
        lost=(front, middle, back).count(-1),
    )
    for front, middle, back in product(_OUTCOMES, repeat=3)
}
"""By sign of each row: 1 where the seat's is greater, 0 where equal, −1 where less."""


def _parts(pairs: Sequence[PairResult]) -> list[tuple[int, int, int, int]]:
    """Add up each seat's pair, gunshot, home-run and royalty units."""
    parts = [[0, 0, 0, 0] for _ in range(SEATS)]
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
    places = [0] * SEATS
    # A reversed sort keeps the order of equals.
    ranking = sorted(order, key=totals.__getitem__, reverse=True)
    for place, seat in enumerate(ranking, start=1):
        places[seat] = place
    return places
