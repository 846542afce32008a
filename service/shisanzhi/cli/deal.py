"""``shisanzhi deal``."""

import click
from rich.console import RenderableType

from shisanzhi.cli import documents, labels
from shisanzhi.cli.asking import Asking, AskingCommand, ruleset_option
from shisanzhi.cli.numbers import RulesRange
from shisanzhi.cli.reading import Reader
from shisanzhi.cli.view import View, draw_card, draw_hand
from shisanzhi.engine.cards import STANDARD_DECK
from shisanzhi.engine.checks import MOST_SEATS
from shisanzhi.engine.deal import Deal
from shisanzhi.engine.questions import DealRoundQuestion
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.seeds import draw_seed


@click.command(cls=AskingCommand)
@ruleset_option
@click.option("--seed", metavar="HEX", help="16 to 64 bytes; without it, 48 are drawn.")
@click.option(
    "--player-seed", "player_seeds", metavar="HEX", multiple=True, help="Up to 8, in order."
)
@click.option(
    "--round",
    "round_number",
    type=click.IntRange(1, 2**32 - 1),
    default=1,
    show_default=True,
    help="The number of the round.",
)
@click.option(
    "--dealer", type=RulesRange(0, MOST_SEATS - 1), help="The seat that deals; without it, drawn."
)
@click.option(
    "--cut-deck",
    "cuts",
    type=RulesRange(1, len(STANDARD_DECK) - 1),
    multiple=True,
    help="Cut the deck by so many cards (classic; up to 3, in order).",
)
def deal(  # noqa: PLR0913 - one argument for each option
    *,
    ruleset: str,
    seed: str | None,
    player_seeds: tuple[str, ...],
    round_number: int,
    dealer: int | None,
    cuts: tuple[int, ...],
    asking: Asking,
) -> None:
    """Deal a round, the same one for the same seed."""
    reader = Reader(asking.language)
    question = DealRoundQuestion(
        reader.ruleset("ruleset", ruleset),
        draw_seed() if seed is None else reader.seed("seed", seed),
        [reader.seed(f"player_seeds[{index}]", each) for index, each in enumerate(player_seeds)],
        round_number,
        dealer,
        cuts,
    )
    reader.finish()
    with asking.game_logic() as game_logic:
        dealt = game_logic.deal_round(question)
    view = View(RULESETS[question.ruleset], asking.language)
    asking.answer(documents.deal(dealt), draw_deal(view, dealt))


def draw_deal(view: View, dealt: Deal) -> list[RenderableType]:
    """Draw what a deal was made from, and the hands, each high to low."""
    hands = view.table(labels.SEAT, labels.HAND)
    for seat, hand in enumerate(dealt.hands):
        hands.add_row(str(seat), draw_hand(hand))
    shown = [(labels.CUT_CARD, dealt.cut_card), (labels.TURNED_UP_CARD, dealt.turned_up_card)]
    facts = view.facts(
        [
            (labels.ALGORITHM, dealt.algorithm),
            (labels.SEED, dealt.seed.hex()),
            (labels.COMMITMENT, dealt.commitment.hex()),
            (labels.DEALER, str(dealt.dealer)),
            *((name, draw_card(card)) for name, card in shown if card is not None),
            (labels.FIRST_RECEIVER, str(dealt.first_receiver)),
        ]
    )
    return [facts, hands]
