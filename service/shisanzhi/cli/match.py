"""``shisanzhi match``."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click
from rich.console import RenderableType
from rich.table import Table

from shisanzhi.cli import documents, labels
from shisanzhi.cli.asking import Asking, AskingCommand, ruleset_option
from shisanzhi.cli.playing import PlayedRound, play
from shisanzhi.cli.reading import Reader
from shisanzhi.cli.view import View, draw_card, draw_units
from shisanzhi.engine.match import Match, MatchStart
from shisanzhi.engine.names import Text
from shisanzhi.engine.questions import StartMatchQuestion
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.texts import FINISH_REASONS
from shisanzhi.seeds import draw_seed

_PLAYERS: Final = ("P1", "P2", "P3", "P4")


@click.command(cls=AskingCommand)
@ruleset_option
@click.option("--seed", metavar="HEX", help="16 to 64 bytes; without it, 48 are drawn.")
@click.option(
    "--player-seed", "player_seeds", metavar="HEX", multiple=True, help="Up to 8, in order."
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 10_000),
    default=16,
    show_default=True,
    help="Stop after so many, if the match is not over before.",
)
def match(
    *,
    ruleset: str,
    seed: str | None,
    player_seeds: tuple[str, ...],
    rounds: int,
    asking: Asking,
) -> None:
    """Play a match of four players who all follow the solver.

    The same seed plays the same match. With --json: the transcript, with every deal, arrangement
    and result, and the match after each round.
    """
    reader = Reader()
    question = StartMatchQuestion(
        reader.ruleset("ruleset", ruleset),
        draw_seed() if seed is None else reader.seed("seed", seed),
        [reader.seed(f"player_seeds[{index}]", each) for index, each in enumerate(player_seeds)],
        _PLAYERS,
    )
    reader.finish()
    with asking.game_logic() as game_logic:
        start = game_logic.start_match(question)
        played = list(play(game_logic, start.match, start.seed, question.player_seeds, rounds))
    view = View(RULESETS[question.ruleset], asking.language)
    document = documents.transcript(question.player_seeds, start, played)
    asking.answer(document, draw_match(view, start, played))


def draw_match(
    view: View, start: MatchStart, played: Sequence[PlayedRound]
) -> Iterator[RenderableType]:
    """Draw the draw for seats, a line for each round, and the standings."""
    yield view.facts([(labels.SEED, start.seed.hex()), (labels.COMMITMENT, start.commitment.hex())])
    if view.ruleset.draws_seats:
        yield _draw_seats(view, start)
    yield _draw_rounds(view, start.match.player_ids, played)
    last = played[-1].match
    yield _draw_standings(view, last)
    if last.finish_reason is not None:
        yield view.say(FINISH_REASONS[last.finish_reason])


def _draw_seats(view: View, start: MatchStart) -> Table:
    table = view.table(labels.SEAT, labels.PLAYER, labels.DREW, title=labels.SEATS_TITLE)
    for draw in sorted(start.draws, key=lambda draw: draw.seat):
        cards = " ".join(draw_card(card).plain for card in draw.cards)
        table.add_row(str(draw.seat), start.match.player_ids[draw.seat], cards)
    return table


def _draw_rounds(view: View, player_ids: Iterable[str], played: Iterable[PlayedRound]) -> Table:
    players = [Text(player_id, player_id) for player_id in player_ids]
    shown = [labels.CUT_CARD] if view.ruleset.has_bonus_rank else []
    table = view.table(
        labels.ROUND, labels.DEALER, *shown, numbers=players, title=labels.ROUNDS_TITLE
    )
    for each in played:
        cut_card = each.deal.cut_card
        table.add_row(
            str(each.match.next_round - 1),
            each.match.player_ids[each.deal.dealer],
            *([draw_card(cut_card)] if cut_card is not None else []),
            *(draw_units(seat.total_units) for seat in each.result.seats),
        )
    return table


def _draw_standings(view: View, books: Match) -> Table:
    points = [labels.POINTS] if view.ruleset.points_per_unit else []
    table = view.table(
        labels.PLACE,
        labels.PLAYER,
        numbers=[view.ruleset.unit_name, *points],
        title=labels.STANDINGS_TITLE,
    )
    for line in books.standings:
        table.add_row(
            str(line.place),
            line.player_id,
            draw_units(line.units),
            *(str(line.points) for _ in points),
        )
    return table
