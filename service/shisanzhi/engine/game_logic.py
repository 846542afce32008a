"""The questions that the service answers: check completely, then ask the pure engine.

Every function raises :class:`~shisanzhi.engine.errors.InvalidRequestError` with all faults of a
question that cannot be answered.
"""

from collections.abc import Sequence

from shisanzhi.engine import match
from shisanzhi.engine.arrangement import Judgement, bonus_rank_of, judge
from shisanzhi.engine.batch import answer_all
from shisanzhi.engine.checks import Checker
from shisanzhi.engine.deal import Deal, deal
from shisanzhi.engine.description import RulesetInfo, describe
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import Match, MatchStart
from shisanzhi.engine.match_checks import MatchChecker
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.scoring.results import RoundResult
from shisanzhi.engine.scoring.round import score_judged
from shisanzhi.engine.solver import arranger
from shisanzhi.engine.solver.arranger import Arranged, Arranging
from shisanzhi.engine.texts import TEXTS, Texts


def evaluate(question: EvaluateQuestion) -> tuple[RowValue, ...]:
    """Judge rows one by one, in the order asked.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> [str(value) for value in evaluate(EvaluateQuestion(2, 0, [parse_cards("As Ad Kc")]))]
    ['PAIR A K']
    >>> evaluate(EvaluateQuestion(2, 0, [parse_cards("As As Kc")]))
    Traceback (most recent call last):
    ...
    shisanzhi.engine.errors.InvalidRequestError: rows[0].cards[1]: expected a card still in \
play, got As once too often
    """
    checker = Checker(question.ruleset, question.cut_card)
    rows = checker.rows(question.rows)
    ruleset, cut_card = checker.finish()
    value = ruleset.evaluator(bonus_rank_of(cut_card)).value
    return tuple([value(row) for row in rows])


def validate(question: ValidateQuestion) -> Judgement:
    """Judge one arrangement; a rule broken is an answer, what is no card is a fault."""
    checker = Checker(question.ruleset, question.cut_card)
    arrangement = checker.arrangement("arrangement", question.arrangement)
    hand = checker.hand("hand", question.hand) if question.hand else None
    ruleset, cut_card = checker.finish()
    return judge(ruleset, arrangement, cut_card, hand)


def score(question: ScoreQuestion) -> RoundResult:
    """Settle a round; an arrangement that may not be played is a fault."""
    checker = Checker(question.ruleset, question.cut_card)
    judged = checker.played(question.arrangements, question.hands)
    dealer = checker.dealer(question.dealer)
    ruleset, _ = checker.finish()
    return score_judged(ruleset, judged, dealer)


def deal_round(question: DealRoundQuestion) -> Deal:
    checker = Checker(question.ruleset)
    checker.seeds(question.seed, question.player_seeds)
    checker.seat_number("dealer", question.dealer)
    checker.cuts(question.cuts)
    ruleset, _ = checker.finish()
    return deal(
        ruleset,
        question.seed,
        question.player_seeds,
        question.round_number or 1,
        dealer=question.dealer,
        cuts=question.cuts,
    )


def arrange(question: ArrangeQuestion) -> Arranged:
    return _arranging(question).finish()


def arrange_at_once(question: ArrangeQuestion, most_steps: int) -> Arranged | None:
    """Do the same, or give None where it takes more than so many steps of the search."""
    return _arranging(question).advance(most_steps)


def _arranging(question: ArrangeQuestion) -> Arranging:
    checker = Checker(question.ruleset, question.cut_card)
    hand = checker.hand("hand", question.hand)
    checker.suggestions(question.max_suggestions)
    ruleset, cut_card = checker.finish()
    return arranger.start(ruleset, hand, cut_card, question.max_suggestions or 1)


def batch_arrange(questions: Sequence[ArrangeQuestion]) -> tuple[Arranged, ...]:
    """Arrange hands, in the order asked; one that cannot be is a fault of all."""
    return answer_all(arrange, questions)


def batch_score(questions: Sequence[ScoreQuestion]) -> tuple[RoundResult, ...]:
    """Settle rounds, in the order asked; one that cannot be is a fault of all."""
    return answer_all(score, questions)


def start_match(question: StartMatchQuestion) -> MatchStart:
    """Seat the players of a match and name its first dealer."""
    checker = MatchChecker(question.ruleset)
    checker.seeds(question.seed, question.player_seeds)
    checker.players("player_ids", question.player_ids)
    ruleset, _ = checker.finish()
    return match.start_match(ruleset, question.seed, question.player_seeds, question.player_ids)


def advance_match(question: AdvanceMatchQuestion) -> Match:
    """Add a round's totals to a match; a match that contradicts itself is a fault."""
    raw = question.match
    checker = MatchChecker(None if raw is None else raw.ruleset, path="match.ruleset")
    before = checker.match(raw)
    checker.round_units(before, question.units)
    ruleset, _ = checker.finish()
    assert before is not None  # noqa: S101 - a match that is none is a fault
    return match.advance_match(ruleset, before, question.units)


def get_ruleset(number: int) -> RulesetInfo:
    ruleset, _ = Checker(number).finish()
    return describe(ruleset)


def list_rulesets() -> tuple[RulesetInfo, ...]:
    return tuple(map(describe, RULESETS.values()))


def get_texts() -> Texts:
    """Say in both languages what reasons and outcomes mean."""
    return TEXTS
