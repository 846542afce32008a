"""A round settled, as a person checks it: rows, pairs of seats, royalties, totals."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table as Grid

from shisanzhi.cli import labels
from shisanzhi.cli.table import Table
from shisanzhi.cli.view import View, draw_card, draw_part, draw_units
from shisanzhi.engine.cards import CARDS
from shisanzhi.engine.names import DRAGON, GUNSHOT, ROWS, Text
from shisanzhi.engine.questions import ScoreQuestion
from shisanzhi.engine.scoring.results import PairResult, RoundResult, RowOutcome, SeatResult
from shisanzhi.engine.texts import ROW_OUTCOMES

Rows = Iterable[Iterable[int]]


def draw_round(
    view: View, question: ScoreQuestion, result: RoundResult
) -> Iterator[RenderableType]:
    """Draw all that a round was settled by, so that every unit can be followed."""
    yield _draw_facts(view, question)
    yield _draw_rows(view, question.arrangements, result.seats)
    yield _draw_pairs(view, result.pairs)
    if any(pair.guns or pair.gunned for pair in result.pairs):
        yield _draw_gunshots(view, result.pairs)
    if any(pair.royalties for pair in result.pairs):
        yield _draw_royalties(view, result.pairs)
    yield _draw_totals(view, result.seats)


def _draw_facts(view: View, question: ScoreQuestion) -> Grid:
    cut_card = question.cut_card
    return view.facts(
        [
            (labels.RULESET, view.say(view.ruleset.name)),
            *([(labels.CUT_CARD, draw_card(CARDS[cut_card]))] if cut_card else []),
            (labels.DEALER, str(question.dealer)),
        ]
    )


def _draw_rows(view: View, arrangements: Iterable[Rows], seats: Sequence[SeatResult]) -> Table:
    table = view.table(labels.SEAT, *ROWS.values())
    for rows, seat in zip(arrangements, seats, strict=True):
        values = (seat.front, seat.middle, seat.back)
        name = f"{seat.seat}\n{view.say(DRAGON)}" if seat.dragon else str(seat.seat)
        table.add_row(name, *map(view.valued_row, rows, values))
    return table


def _draw_pairs(view: View, pairs: Iterable[PairResult]) -> Table:
    table = view.table(
        labels.PAIR,
        *ROWS.values(),
        numbers=[*_parts(view), _total(view)],
        title=labels.PAIRS_TITLE,
    )
    for pair in pairs:
        outcomes = [
            view.name(ROW_OUTCOMES, outcome) if outcome else "–"
            for outcome in (pair.front, pair.middle, pair.back)
        ]
        parts = map(draw_part, _part_units(view, pair))
        seats = f"{pair.seat}–{pair.opponent}"
        table.add_row(seats, *outcomes, *parts, draw_units(pair.total_units))
    return table


def _draw_gunshots(view: View, pairs: Iterable[PairResult]) -> Table:
    """Draw who guns whom; the units of two seats that gun each other are seen only here."""
    table = view.table(
        labels.COLLECTS,
        labels.PAYS,
        GUNSHOT,
        numbers=[view.ruleset.unit_name],
        title=labels.GUNSHOTS_TITLE,
    )
    units = str(view.ruleset.scoring.gunshot_units)
    for pair in pairs:
        name = view.say(_gunshot_name(view, pair))
        if pair.guns:
            table.add_row(str(pair.seat), str(pair.opponent), name, units)
        if pair.gunned:
            table.add_row(str(pair.opponent), str(pair.seat), name, units)
    return table


def _gunshot_name(view: View, pair: PairResult) -> Text:
    tied = RowOutcome.TIED in {pair.front, pair.middle, pair.back}
    return (view.ruleset.run_over_name if tied else None) or GUNSHOT


def _draw_royalties(view: View, pairs: Iterable[PairResult]) -> Table:
    table = view.table(
        labels.COLLECTS,
        labels.PAYS,
        labels.ROYALTY,
        numbers=[view.ruleset.unit_name],
        title=view.ruleset.royalty_name,
    )
    for each in (each for pair in pairs for each in pair.royalties):
        name = view.royalty(each.row, each.category)
        table.add_row(str(each.payee), str(each.payer), name, str(each.units))
    return table


def _draw_totals(view: View, seats: Iterable[SeatResult]) -> Table:
    has_points = view.ruleset.points_per_unit > 0
    points = [labels.POINTS] if has_points else []
    table = view.table(
        labels.PLACE,
        labels.SEAT,
        numbers=[*_parts(view), _total(view), *points],
        title=labels.TOTALS_TITLE,
    )
    for seat in sorted(seats, key=lambda seat: seat.place):
        parts = map(draw_part, _part_units(view, seat))
        totals = [seat.total_units, *([seat.points] if has_points else [])]
        table.add_row(str(seat.place), str(seat.seat), *parts, *map(draw_units, totals))
    return table


def _parts(view: View) -> list[Text]:
    """The parts of a total, without those that the ruleset does not have."""
    pair_units = [labels.PAIR_UNITS] if view.ruleset.scoring.pair_units else []
    return [*pair_units, GUNSHOT, view.ruleset.home_run_name, view.ruleset.royalty_name]


def _part_units(view: View, result: PairResult | SeatResult) -> list[int]:
    pair_units = [result.pair_units] if view.ruleset.scoring.pair_units else []
    return [*pair_units, result.gunshot_units, result.home_run_units, result.royalty_units]


def _total(view: View) -> Text:
    total, unit = labels.TOTAL, view.ruleset.unit_name
    return Text(f"{total.zh_hant}（{unit.zh_hant}）", f"{total.en} ({unit.en})")
