"""``shisanzhi rules``."""

from collections.abc import Iterator

import click
from rich.console import RenderableType

from shisanzhi.cli import documents, labels
from shisanzhi.cli.asking import Asking, AskingCommand, ruleset_option
from shisanzhi.cli.reading import Reader
from shisanzhi.cli.table import Table
from shisanzhi.cli.view import View
from shisanzhi.engine.description import RulesetInfo
from shisanzhi.engine.names import DRAGON, Text
from shisanzhi.engine.rulesets import RULESETS


@click.command(cls=AskingCommand)
@ruleset_option
def rules(*, ruleset: str, asking: Asking) -> None:
    """Show a ruleset: its numbers, its ladder and its royalties."""
    reader = Reader(asking.language)
    number = reader.ruleset("ruleset", ruleset)
    reader.finish()
    with asking.game_logic() as game_logic:
        info = game_logic.get_ruleset(number)
    view = View(RULESETS[number], asking.language)
    asking.answer(documents.ruleset(info), draw_rules(view, info))


def draw_rules(view: View, info: RulesetInfo) -> Iterator[RenderableType]:
    """Draw what a rules page shows."""
    yield view.facts(_facts(view, info))
    yield ""
    yield _draw_ladder(view, info)
    yield _draw_royalties(view, info)


def _facts(view: View, info: RulesetInfo) -> Iterator[tuple[Text, str]]:
    """Give the numbers of a ruleset; units are what one seat has from another."""
    yield labels.RULESET, view.say(info.name)
    yield labels.DECK, str(len(info.deck))
    yield labels.HAND, str(info.hand_size)
    yield labels.ORDER, _order(view, info)
    if info.has_bonus_rank:
        yield labels.BONUS_CARDS, view.say(labels.WHAT_BONUS_CARDS_ARE)
    units = [
        (info.gunshot_name, info.gunshot_units, labels.FROM_WHO_IS_GUNNED),
        (info.home_run_name, info.home_run_units, labels.MORE_FROM_EACH),
        (labels.PAIR_UNITS, info.pair_units, labels.FROM_THE_LOSER),
        (DRAGON, info.dragon_units, labels.FROM_EACH),
    ]
    for name, number, whom in units:
        if number:
            yield name, view.say(whom).format(number)
    yield view.ruleset.royalty_name, view.say(_collector(info))
    numbers = [
        (labels.POINTS_PER_UNIT, info.points_per_unit),
        (labels.STARTING_POINTS, info.starting_points),
        (labels.ROUNDS, info.rounds),
        (labels.SECONDS, info.arrange_seconds),
    ]
    yield from ((name, str(number)) for name, number in numbers if number)


def _collector(info: RulesetInfo) -> Text:
    """Say who collects royalties: where pairs of seats are won, their winners."""
    return labels.PAIR_COLLECTS if info.pair_units else labels.ROW_COLLECTS


def _order(view: View, info: RulesetInfo) -> str:
    front, middle, back = (view.say(row.name) for row in info.rows)
    return f"{front} < {middle} {'≤' if info.middle_may_equal_back else '<'} {back}"


def _draw_ladder(view: View, info: RulesetInfo) -> Table:
    table = view.table(labels.CATEGORY, labels.IN_FRONT, title=labels.LADDER_TITLE)
    if info.dragon_units:
        table.add_row(view.say(labels.ALL_THIRTEEN), "")
    for rung in info.ladder:
        table.add_row(view.say(rung.name), "✓" if rung.fits_front else "")
    return table


def _draw_royalties(view: View, info: RulesetInfo) -> Table:
    each = Text(f"向每家收（{info.unit_name.zh_hant}）", f"{info.unit_name.en} from each")
    table = view.table(labels.ROYALTY, numbers=[each], title=view.ruleset.royalty_name)
    for line in info.royalties:
        table.add_row(view.say(line.name), str(line.units))
    return table
