"""``shisanzhi score``."""

from typing import IO

import click

from shisanzhi.cli import documents
from shisanzhi.cli.asking import Asking, AskingCommand
from shisanzhi.cli.explaining import draw_explanations, explanation
from shisanzhi.cli.round_file import read_round
from shisanzhi.cli.round_view import draw_round
from shisanzhi.cli.view import View
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.seats import SEATS


@click.command(cls=AskingCommand)
@click.argument("file", type=click.File("rb"))
@click.option("--explain", is_flag=True, help="Say in sentences why each seat won or lost.")
@click.option(
    "--seat",
    type=click.IntRange(0, max(SEATS) - 1),
    help="Explain only what this seat won or lost.",
)
def score(file: IO[bytes], asking: Asking, *, explain: bool, seat: int | None) -> None:
    """Settle the round in a JSON file; - reads standard input.

    \b
    {"ruleset": "bonus", "cut_card": "7c", "dealer": 0,
     "arrangements": [{"front": "As Kd 9c", "middle": "...", "back": "..."}, ...],
     "hands": ["As Kd 9c ...", ...]}

    Four arrangements, by seat. Without a dealer it is seat 0. In classic, leave the cut card out.
    The hands may be left out; where they are given, the arrangements must come from them.

    With --explain, each sentence tells one cause and what it brought from whom; the units of a
    seat's sentences sum to what it won or lost.
    """  # noqa: D301 - a backspace keeps click from folding lines
    try:
        question = read_round(file.read(), asking.language)
    except OSError as error:
        text = f"expected a file that can be read, got {file.name!r}: {error.strerror}"
        raise click.UsageError(text) from error
    with asking.game_logic() as game_logic:
        result = game_logic.score(question)
    view = View(RULESETS[question.ruleset], asking.language)
    document = documents.settlement(result)
    if not explain and seat is None:
        asking.answer(document, draw_round(view, question, result))
        return
    seats = range(len(result.seats)) if seat is None else [seat]
    explained = [explanation(view, result, each) for each in seats]
    asking.answer(document | {"explanations": explained}, draw_explanations(explained))
