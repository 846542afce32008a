"""Whole matches among four players who all follow the solver."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shisanzhi.cli.answering import Answering
from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.deal import Deal
from shisanzhi.engine.match import Match
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    RawArrangement,
    ScoreQuestion,
)
from shisanzhi.engine.scoring.results import RoundResult


class PlayedRound(NamedTuple):
    """A round from the deal to the books."""

    deal: Deal
    arrangements: tuple[Arrangement, ...]
    result: RoundResult
    match: Match


def play(
    table: Answering, match: Match, seed: bytes, player_seeds: Sequence[bytes], rounds: int
) -> Iterator[PlayedRound]:
    """Play on until the match is over, or for so many rounds."""
    for _ in range(rounds):
        if match.finished:
            return
        played = play_round(table, match, seed, player_seeds)
        match = played.match
        yield played


def play_round(
    table: Answering, match: Match, seed: bytes, player_seeds: Sequence[bytes]
) -> PlayedRound:
    """Deal the next round of a match, arrange all hands, settle it and write it down."""
    deal = table.deal_round(
        DealRoundQuestion(match.ruleset, seed, player_seeds, match.next_round, match.dealer)
    )
    arrangements = tuple(
        table.arrange(ArrangeQuestion(match.ruleset, deal.cut_card or 0, hand))
        .suggestions[0]
        .arrangement
        for hand in deal.hands
    )
    raw = [RawArrangement(*arrangement) for arrangement in arrangements]
    result = table.score(
        ScoreQuestion(match.ruleset, deal.cut_card or 0, raw, deal.dealer, deal.hands)
    )
    units = [seat.total_units for seat in result.seats]
    advanced = table.advance_match(AdvanceMatchQuestion(match, units))
    return PlayedRound(deal, arrangements, result, advanced)
