"""``shisanzhi arrange``."""

from collections.abc import Iterator

import click
from rich.console import RenderableType
from rich.text import Text as Line

from shisanzhi.cli import documents, labels
from shisanzhi.cli.asking import Asking, AskingCommand, cut_card_option, ruleset_option
from shisanzhi.cli.numbers import RulesRange
from shisanzhi.cli.reading import Reader
from shisanzhi.cli.view import View, draw_hand
from shisanzhi.engine.names import DRAGON, ROWS
from shisanzhi.engine.questions import ArrangeQuestion
from shisanzhi.engine.rows import ARRANGED
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.solver.arranger import Arranged
from shisanzhi.engine.solver.search import MOST_KEPT


@click.command(cls=AskingCommand)
@ruleset_option
@cut_card_option
@click.option(
    "--top",
    type=RulesRange(1, MOST_KEPT),
    default=1,
    show_default=True,
    help="How many arrangements to suggest.",
)
@click.argument("hand")
def arrange(*, ruleset: str, cut: str | None, top: int, hand: str, asking: Asking) -> None:
    """Arrange a hand as a strong player would.

    HAND is all the cards of a hand, in quotes: 16 in bonus, 13 in classic. Suggests the
    arrangements with the greatest expected units, best first.
    """
    reader = Reader(asking.language)
    question = ArrangeQuestion(
        reader.ruleset("ruleset", ruleset),
        reader.card("cut_card", cut),
        reader.cards("hand", hand),
        top,
    )
    reader.finish()
    with asking.game_logic() as game_logic:
        arranged = game_logic.arrange(question)
    view = View(RULESETS[question.ruleset], asking.language)
    asking.answer(documents.arrangements(arranged), draw_arranged(view, arranged))


def draw_arranged(view: View, arranged: Arranged) -> Iterator[RenderableType]:
    """Draw the suggestions, best first: two lines each, the cards and what they are worth."""
    discards = [labels.DISCARDS] if view.ruleset.hand_size > ARRANGED else []
    table = view.table(*ROWS.values(), *discards, numbers=[labels.EXPECTED])
    for suggestion in arranged.suggestions:
        values = (suggestion.front, suggestion.middle, suggestion.back)
        table.add_row(
            *map(view.valued_row, suggestion.arrangement, values),
            *(draw_hand(suggestion.discards) for _ in discards),
            f"{suggestion.expected_units:+.2f}".replace("-", "−"),
        )
    yield table
    if arranged.dragon:
        yield Line(view.say(DRAGON), "bold")
