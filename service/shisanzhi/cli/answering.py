"""Who answers a command's questions."""

from typing import Protocol

from shisanzhi.engine.arrangement import Judgement
from shisanzhi.engine.deal import Deal
from shisanzhi.engine.description import RulesetInfo
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import Match, MatchStart
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.scoring.results import RoundResult
from shisanzhi.engine.solver.arranger import Arranged


class Answering(Protocol):
    """Who answers: the embedded engine, or a server."""

    def evaluate(self, question: EvaluateQuestion) -> tuple[RowValue, ...]:
        """Judge rows one by one."""

    def validate(self, question: ValidateQuestion) -> Judgement:
        """Judge one arrangement."""

    def score(self, question: ScoreQuestion) -> RoundResult:
        """Settle a round."""

    def deal_round(self, question: DealRoundQuestion) -> Deal:
        """Deal a round."""

    def arrange(self, question: ArrangeQuestion) -> Arranged:
        """Find the best arrangements of a hand."""

    def get_ruleset(self, number: int) -> RulesetInfo:
        """Describe one ruleset."""

    def start_match(self, question: StartMatchQuestion) -> MatchStart:
        """Seat the players of a match."""

    def advance_match(self, question: AdvanceMatchQuestion) -> Match:
        """Add a round to a match."""
