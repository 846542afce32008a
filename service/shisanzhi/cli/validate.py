"""``shisanzhi validate``."""

from collections.abc import Iterable, Iterator

import click
from rich.console import RenderableType
from rich.text import Text as Line

from shisanzhi.cli import documents, labels
from shisanzhi.cli.asking import Asking, AskingCommand, cut_card_option, ruleset_option
from shisanzhi.cli.failures import NO
from shisanzhi.cli.reading import Reader
from shisanzhi.cli.table import facts
from shisanzhi.cli.view import View, draw_card, draw_hand, draw_row
from shisanzhi.engine.arrangement import Judgement
from shisanzhi.engine.names import DRAGON, ROWS
from shisanzhi.engine.questions import RawArrangement, ValidateQuestion
from shisanzhi.engine.rows import Row, Violation
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.texts import VIOLATION_REASONS


@click.command(cls=AskingCommand)
@ruleset_option
@cut_card_option
@click.option("--hand", metavar="CARDS", help="The hand that the cards must come from.")
@click.argument("front")
@click.argument("middle")
@click.argument("back")
@click.pass_context
def validate(  # noqa: PLR0913 - one argument for each option
    ctx: click.Context,
    *,
    ruleset: str,
    cut: str | None,
    hand: str | None,
    front: str,
    middle: str,
    back: str,
    asking: Asking,
) -> None:
    """Say whether an arrangement is legal and, if not, why.

    FRONT, MIDDLE and BACK are the cards of a row, in quotes. Exits with 1 where the arrangement is
    not legal.
    """
    reader = Reader(asking.language)
    rows = zip(Row, (front, middle, back), strict=True)
    question = ValidateQuestion(
        reader.ruleset("ruleset", ruleset),
        reader.card("cut_card", cut),
        RawArrangement(*(reader.cards(f"arrangement.{row.field}", cards) for row, cards in rows)),
        reader.cards("hand", hand),
    )
    reader.finish()
    with asking.game_logic() as game_logic:
        judged = game_logic.validate(question)
    view = View(RULESETS[question.ruleset], asking.language)
    drawn = draw_judgement(view, question.arrangement or (), judged)
    asking.answer(documents.judgement(judged), drawn)
    if not judged.legal:
        ctx.exit(NO)


def draw_judgement(
    view: View, rows: Iterable[Iterable[int]], judged: Judgement
) -> Iterator[RenderableType]:
    """Draw the rows with their values, then the verdict."""
    table = view.table(labels.ROW, labels.CARDS, labels.VALUE)
    values = (judged.front, judged.middle, judged.back)
    for row, cards, value in zip(Row, rows, values, strict=True):
        table.add_row(view.say(ROWS[row]), draw_row(cards), view.value(value))
    yield table
    if judged.dragon:
        yield Line(view.say(DRAGON))
    if judged.discards:
        yield view.facts([(labels.DISCARDS, draw_hand(judged.discards))])
    yield Line(view.say(labels.LEGAL if judged.legal else labels.NOT_LEGAL), "bold")
    if judged.violations:
        yield facts(
            (view.name(ROWS, violation.row), _draw_violation(view, violation))
            for violation in judged.violations
        )


def _draw_violation(view: View, violation: Violation) -> Line:
    reason = Line(view.name(VIOLATION_REASONS, violation.reason))
    return reason if violation.card is None else reason + " " + draw_card(violation.card)
