"""Four arrangements -> a round's result, every unit found in exactly one pair of seats.

What a pair of seats pays is the ruleset's own (``gun_scoring.py``, ``row_scoring.py``); adding up,
places and points are the same for both.
"""

import enum
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from shisanzhi.engine.arrangement import Arrangement, Row, bonus_rank_of, is_dragon
from shisanzhi.engine.cards import Card
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue

if TYPE_CHECKING:
    from shisanzhi.engine.rulesets.ruleset import Ruleset

SEATS: Final = 4
PAIRS: Final = tuple(combinations(range(SEATS), 2))
"""The six pairs of seats, seat < opponent."""


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

    The outcomes are None where the pair does not compare its rows: with a dragon in the round.
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
    total_units: int = 0


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


class SeatRows(NamedTuple):
    """One seat's rows as scoring sees them."""

    front: RowValue
    middle: RowValue
    back: RowValue
    dragon: bool
    one_suit: bool


def score(
    ruleset: "Ruleset",
    arrangements: Sequence[Arrangement],
    cut_card: Card | None = None,
    dealer: int = 0,
) -> RoundResult:
    """Settle four legal arrangements, by seat.

    The dealer decides only the order of showing and the place of equal totals.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> from shisanzhi.engine.rulesets import CLASSIC
    >>> def arrangement(*rows: str) -> Arrangement:
    ...     return Arrangement(*map(parse_cards, rows))
    >>> result = score(CLASSIC, [
    ...     arrangement("2c 3d 4h", "5s 6c 7d 8h 9s", "Tc Jd Qh Ks Ac"),
    ...     arrangement("8s 9d 5d", "5c Kd 8c 7c Kc", "As 3c Ad 5h Qs"),
    ...     arrangement("3h 6h 7s", "2s 6d 7h 9h Qc", "Td Th 9c 4c Jh"),
    ...     arrangement("2d Jc 6s", "4d 3s 4s 2h 8d", "Ts Ah Js Qd Kh"),
    ... ])
    >>> [seat.total_units for seat in result.seats]
    [75, -25, -25, -25]
    """
    seats = [_seat_rows(ruleset, each, cut_card) for each in arrangements]
    pairs = ruleset.settle(ruleset, seats)
    order = showing_order(dealer)
    parts = [_parts(pairs, seat) for seat in range(SEATS)]
    totals = [sum(part) for part in parts]
    places = _places(totals, order)
    results = tuple(
        SeatResult(
            seat,
            *seats[seat][:4],
            *parts[seat],
            total_units=totals[seat],
            place=places[seat],
            points=totals[seat] * ruleset.points_per_unit,
        )
        for seat in range(SEATS)
    )
    return RoundResult(results, pairs, order)


def showing_order(dealer: int) -> tuple[int, ...]:
    """Give the seats as they show: the dealer first, then counter-clockwise.

    >>> showing_order(2)
    (2, 3, 0, 1)
    """
    return tuple((dealer + step) % SEATS for step in range(SEATS))


def compare(seat: SeatRows, opponent: SeatRows) -> tuple[int, int, int]:
    """Compare row by row: 1 where the seat's is greater, 0 where equal, −1 where less."""
    return (
        _sign(seat.front.strength - opponent.front.strength),
        _sign(seat.middle.strength - opponent.middle.strength),
        _sign(seat.back.strength - opponent.back.strength),
    )


def outcomes(signs: Sequence[int]) -> Iterator[RowOutcome]:
    """Name what :func:`compare` found."""
    return (_OUTCOMES[sign] for sign in signs)


def home_runs(guns: Sequence[Sequence[bool]]) -> tuple[bool, ...]:
    """Tell of each seat whether it guns all three others; ``guns[x][y]``: x guns y."""
    return tuple(sum(gunned) == SEATS - 1 for gunned in guns)


_OUTCOMES: Final = {1: RowOutcome.WON, 0: RowOutcome.TIED, -1: RowOutcome.LOST}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _seat_rows(ruleset: "Ruleset", arrangement: Arrangement, cut_card: Card | None) -> SeatRows:
    evaluate = ruleset.evaluator(bonus_rank_of(cut_card)).value
    cards = arrangement.cards
    return SeatRows(
        *map(evaluate, arrangement),
        dragon=is_dragon(ruleset, cards),
        one_suit=len({card.suit for card in cards}) == 1,
    )


def _parts(pairs: Sequence[PairResult], seat: int) -> tuple[int, int, int, int]:
    """Add up a seat's pair, gunshot, home-run and royalty units."""
    pair_units = gunshot_units = home_run_units = royalty_units = 0
    for pair in pairs:
        if seat in (pair.seat, pair.opponent):
            sign = 1 if seat == pair.seat else -1
            pair_units += sign * pair.pair_units
            gunshot_units += sign * pair.gunshot_units
            home_run_units += sign * pair.home_run_units
            royalty_units += royalty_sum(pair.royalties, seat)
    return pair_units, gunshot_units, home_run_units, royalty_units


def royalty_sum(royalties: Sequence[Royalty], seat: int) -> int:
    """Add up what a seat collects, less what it pays."""
    return sum(
        royalty.units if royalty.payee == seat else -royalty.units
        for royalty in royalties
        if seat in (royalty.payee, royalty.payer)
    )


def _places(totals: Sequence[int], order: Sequence[int]) -> dict[int, int]:
    """Rank the totals; of equal ones the seat that shows earlier ranks first."""
    ranking = sorted(order, key=lambda seat: -totals[seat])
    return {seat: place for place, seat in enumerate(ranking, start=1)}
