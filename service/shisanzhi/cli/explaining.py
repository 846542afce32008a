"""Why a seat won or lost what it did: a round's result -> sentences, in both languages.

The sentences stand in ``explanation.json``, which the page in ``clients/web`` reads too. What
passed between two seats is named once: the units of all sentences sum to the seat's total.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import Any, Final, NamedTuple

from rich.text import Text as Line

from shisanzhi.cli.documents import Document
from shisanzhi.cli.view import View, draw_units
from shisanzhi.engine.categories import Category
from shisanzhi.engine.names import Text
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import Ruleset
from shisanzhi.engine.scoring.results import PairResult, RoundResult, RowOutcome
from shisanzhi.engine.seats import counter_clockwise

_TEXTS: Final[dict[str, Any]] = json.loads(
    files("shisanzhi.cli").joinpath("explanation.json").read_text(encoding="utf-8")
)
_TURNED: Final = {RowOutcome.WON: RowOutcome.LOST, RowOutcome.LOST: RowOutcome.WON}


class Cause(NamedTuple):
    """Why units pass: the key of a sentence, and what earns a royalty."""

    kind: str
    row: Row | None = None
    category: Category | None = None


class Payment(NamedTuple):
    """What one opponent pays for a cause, or gets, below 0; nothing where no units pass."""

    opponent: int
    units: tuple[int, ...]


Explanation = dict[Cause, list[Payment]]
SeatName = Callable[[int], Text]


def explain(ruleset: Ruleset, result: RoundResult, seat: int) -> Explanation:
    """Find every cause of what a seat won or lost, in the order in which they are said."""
    found: Explanation = {}
    pairs = [_seen(pair, seat) for pair in result.pairs if seat in {pair.seat, pair.opponent}]
    order = counter_clockwise(seat, len(result.seats))
    for pair in sorted(pairs, key=lambda pair: order.index(pair.opponent)):
        for cause, units in _causes(ruleset, result, pair):
            found.setdefault(cause, []).append(Payment(pair.opponent, units))
    kinds = list(_TEXTS["sentences"][ruleset.key.upper()])
    ordered = sorted(found, key=lambda it: (kinds.index(it.kind), it.row or 0, it.category or 0))
    return {cause: found[cause] for cause in ordered}


def seat_name(seat: int) -> Text:
    """Name a seat by its number.

    >>> seat_name(2).zh_hant, seat_name(2).en
    ('座位 2', 'seat 2')
    """
    zh_hant, en = _text(_TEXTS["seat"])
    return Text(zh_hant.format(seat=seat), en.format(seat=seat))


def wind(seat: int) -> Text:
    """Name a seat by its wind, as the page does."""
    return _text(_TEXTS["winds"][seat])


def sentences(view: View, explanation: Explanation, name: SeatName = seat_name) -> Iterator[str]:
    """Say each cause, and what it brought from whom."""
    templates = _TEXTS["sentences"][view.ruleset.key.upper()]
    between = view.say(_text(_TEXTS["between"]))
    for cause, payments in explanation.items():
        yield view.say(_text(templates[cause.kind])).format(
            payments=between.join(_payment(view, each, name) for each in payments),
            royalty=view.royalty(cause.row, cause.category),
        )


def total(view: View, seat: int, units: int) -> str:
    """Say what a seat won or lost in all.

    >>> from shisanzhi.engine.names import Language
    >>> from shisanzhi.engine.rulesets import BONUS
    >>> [total(View(BONUS, language), 0, -7) for language in Language]
    ['座位 0：輸 7 道', 'Seat 0: down 7']
    """
    outcome = "won" if units > 0 else "lost" if units < 0 else "even"
    said = view.say(_text(_TEXTS["totals"][outcome])).format(
        seat=view.say(seat_name(seat)), units=abs(units), unit=view.say(view.ruleset.unit_name)
    )
    return said[:1].upper() + said[1:]


def explanation(view: View, result: RoundResult, seat: int) -> Document:
    """Write down for a program what a seat won or lost, and why."""
    units = result.seats[seat].total_units
    return {
        "seat": seat,
        "total_units": units,
        "total": total(view, seat, units),
        "sentences": list(sentences(view, explain(view.ruleset, result, seat))),
    }


def draw_explanations(explained: Iterable[Document]) -> Iterator[Line]:
    """Draw for a person why seats won or lost."""
    for each in explained:
        told = [f"  {sentence}\n" for sentence in each["sentences"]]
        yield Line.assemble((each["total"], "bold"), "\n", *told)


def _seen(pair: PairResult, seat: int) -> PairResult:
    """Turn a pair round where the seat is its opponent."""
    if pair.seat == seat:
        return pair
    front, middle, back = (
        None if it is None else _TURNED.get(it, it) for it in (pair.front, pair.middle, pair.back)
    )
    return PairResult(
        pair.opponent,
        pair.seat,
        front,
        middle,
        back,
        -pair.pair_units,
        -pair.gunshot_units,
        -pair.home_run_units,
        pair.royalties,
        pair.gunned,
        pair.guns,
    )


def _causes(
    ruleset: Ruleset, result: RoundResult, pair: PairResult
) -> Iterator[tuple[Cause, tuple[int, ...]]]:
    yield _meeting(ruleset, result, pair)
    if pair.home_run_units:
        kind = "home_run" if pair.home_run_units > 0 else "home_run_paid"
        yield Cause(kind), (pair.home_run_units,)
    for each in pair.royalties:
        collects = each.payee == pair.seat
        kind = f"{'dragon_' * (each.row is None)}royalty{'' if collects else '_paid'}"
        yield Cause(kind, each.row, each.category), (each.units if collects else -each.units,)


def _meeting(
    ruleset: Ruleset, result: RoundResult, pair: PairResult
) -> tuple[Cause, tuple[int, ...]]:
    """Tell how the two seats fared against each other, royalties and home runs aside."""
    rows = {pair.front, pair.middle, pair.back}
    compared = rows != {None}
    tie = "_with_tie" * (RowOutcome.TIED in rows)
    if pair.guns and pair.gunned:
        units = ruleset.scoring.gunshot_units
        return Cause("mutual"), (units, -units)
    if pair.guns:
        return Cause(f"guns{tie}" if compared else "dragon_guns"), (pair.gunshot_units,)
    if pair.gunned:
        return Cause(f"gunned{tie}" if compared else "gunned_by_dragon"), (pair.gunshot_units,)
    if pair.pair_units:
        return Cause("beats" if pair.pair_units > 0 else "loses"), (pair.pair_units,)
    if compared:
        return Cause("even"), ()
    return Cause("dragons_even" if result.seats[pair.seat].dragon else "not_compared"), ()


def _payment(view: View, payment: Payment, name: SeatName) -> str:
    return " ".join([view.say(name(payment.opponent)), *map(draw_units, payment.units)])


def _text(said: dict[str, str]) -> Text:
    return Text(**said)
