"""``shisanzhi evaluate``."""

import click

from shisanzhi.cli import documents, labels
from shisanzhi.cli.asking import Asking, AskingCommand, cut_card_option, ruleset_option
from shisanzhi.cli.reading import Reader
from shisanzhi.cli.view import View, draw_row
from shisanzhi.engine.questions import EvaluateQuestion
from shisanzhi.engine.rulesets import RULESETS


@click.command(cls=AskingCommand)
@ruleset_option
@cut_card_option
@click.argument("rows", metavar="ROW...", nargs=-1, required=True)
def evaluate(*, ruleset: str, cut: str | None, rows: tuple[str, ...], asking: Asking) -> None:
    """Say what rows are worth.

    Each ROW is three or five cards, in quotes. Every row is judged by itself.
    """
    reader = Reader(asking.language)
    question = EvaluateQuestion(
        reader.ruleset("ruleset", ruleset),
        reader.card("cut_card", cut),
        [reader.cards(f"rows[{index}].cards", row) for index, row in enumerate(rows)],
    )
    reader.finish()
    with asking.game_logic() as game_logic:
        values = game_logic.evaluate(question)
    view = View(RULESETS[question.ruleset], asking.language)
    table = view.table(labels.CARDS, labels.VALUE)
    for row, value in zip(question.rows, values, strict=True):
        table.add_row(draw_row(row), view.value(value))
    asking.answer(documents.evaluation(values), [table])
