"""Engine value -> message; the twin of ``decode.py``.

Enum numbers are the same in the engine and in the contract; ``Any`` stands where a generated type
wants its own name for such a number.
"""

from collections.abc import Iterable
from typing import Any

import shisanzhi.rpc.messages.encode_parts as parts
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
from shisanzhi.engine.texts import Texts
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2


def evaluate_request(question: EvaluateQuestion) -> service_pb2.EvaluateRequest:
    """Encode a question for Evaluate."""
    ruleset: Any = question.ruleset
    cut_card: Any = question.cut_card
    return service_pb2.EvaluateRequest(
        ruleset=ruleset, cut_card=cut_card, rows=map(parts.card_list, question.rows)
    )


def evaluate_response(values: Iterable[RowValue]) -> service_pb2.EvaluateResponse:
    """Encode an answer of Evaluate."""
    return service_pb2.EvaluateResponse(values=map(parts.row_value, values))


def validate_request(question: ValidateQuestion) -> service_pb2.ValidateRequest:
    """Encode a question for Validate."""
    ruleset: Any = question.ruleset
    cut_card: Any = question.cut_card
    hand: Any = question.hand
    rows = question.arrangement
    return service_pb2.ValidateRequest(
        ruleset=ruleset,
        cut_card=cut_card,
        arrangement=None if rows is None else parts.arrangement(rows),
        hand=hand,
    )


def validate_response(judgement: Judgement) -> service_pb2.ValidateResponse:
    """Encode an answer of Validate."""
    discards: Any = judgement.discards
    return service_pb2.ValidateResponse(
        legal=judgement.legal,
        violations=map(parts.violation, judgement.violations),
        front=parts.optional(judgement.front),
        middle=parts.optional(judgement.middle),
        back=parts.optional(judgement.back),
        discards=discards,
        dragon=judgement.dragon,
    )


def score_request(question: ScoreQuestion) -> service_pb2.ScoreRequest:
    """Encode a question for Score."""
    ruleset: Any = question.ruleset
    cut_card: Any = question.cut_card
    return service_pb2.ScoreRequest(
        ruleset=ruleset,
        cut_card=cut_card,
        arrangements=map(parts.arrangement, question.arrangements),
        dealer=question.dealer,
        hands=map(parts.card_list, question.hands),
    )


def score_response(result: RoundResult) -> service_pb2.ScoreResponse:
    """Encode an answer of Score."""
    response = service_pb2.ScoreResponse()
    parts.write_round(response.result, result)
    return response


def deal_round_request(question: DealRoundQuestion) -> service_pb2.DealRoundRequest:
    """Encode a question for DealRound."""
    ruleset: Any = question.ruleset
    return service_pb2.DealRoundRequest(
        ruleset=ruleset,
        seed=question.seed,
        player_seeds=question.player_seeds,
        round=question.round_number,
        dealer=question.dealer,
        cuts=question.cuts,
    )


def deal_round_response(deal: Deal) -> service_pb2.DealRoundResponse:
    """Encode an answer of DealRound."""
    cut_card: Any = deal.cut_card
    turned_up_card: Any = deal.turned_up_card
    return service_pb2.DealRoundResponse(
        seed=deal.seed,
        commitment=deal.commitment,
        dealer=deal.dealer,
        cut_card=cut_card,
        turned_up_card=turned_up_card,
        first_receiver=deal.first_receiver,
        hands=map(parts.card_list, deal.hands),
        algorithm=deal.algorithm,
    )


def arrange_request(question: ArrangeQuestion) -> service_pb2.ArrangeRequest:
    """Encode a question for Arrange."""
    ruleset: Any = question.ruleset
    cut_card: Any = question.cut_card
    hand: Any = question.hand
    return service_pb2.ArrangeRequest(
        ruleset=ruleset,
        cut_card=cut_card,
        hand=hand,
        max_suggestions=question.max_suggestions,
    )


def arrange_response(arranged: Arranged) -> service_pb2.ArrangeResponse:
    """Encode an answer of Arrange."""
    return service_pb2.ArrangeResponse(
        suggestions=map(parts.suggestion, arranged.suggestions), dragon=arranged.dragon
    )


def batch_arrange_request(
    questions: Iterable[ArrangeQuestion],
) -> service_pb2.BatchArrangeRequest:
    """Encode questions for BatchArrange."""
    return service_pb2.BatchArrangeRequest(requests=map(arrange_request, questions))


def batch_arrange_response(answers: Iterable[Arranged]) -> service_pb2.BatchArrangeResponse:
    """Encode answers of BatchArrange."""
    return service_pb2.BatchArrangeResponse(responses=map(arrange_response, answers))


def batch_score_request(questions: Iterable[ScoreQuestion]) -> service_pb2.BatchScoreRequest:
    """Encode questions for BatchScore."""
    return service_pb2.BatchScoreRequest(requests=map(score_request, questions))


def batch_score_response(results: Iterable[RoundResult]) -> service_pb2.BatchScoreResponse:
    """Encode answers of BatchScore."""
    return service_pb2.BatchScoreResponse(responses=map(score_response, results))


def start_match_request(question: StartMatchQuestion) -> service_pb2.StartMatchRequest:
    """Encode a question for StartMatch."""
    ruleset: Any = question.ruleset
    return service_pb2.StartMatchRequest(
        ruleset=ruleset,
        seed=question.seed,
        player_seeds=question.player_seeds,
        player_ids=question.player_ids,
    )


def start_match_response(start: MatchStart) -> service_pb2.StartMatchResponse:
    """Encode an answer of StartMatch."""
    return service_pb2.StartMatchResponse(
        match=parts.match(start.match),
        draws=map(parts.seat_draw, start.draws),
        seed=start.seed,
        commitment=start.commitment,
    )


def advance_match_request(question: AdvanceMatchQuestion) -> service_pb2.AdvanceMatchRequest:
    """Encode a question for AdvanceMatch."""
    return service_pb2.AdvanceMatchRequest(
        match=None if question.match is None else parts.match(question.match), units=question.units
    )


def advance_match_response(advanced: Match) -> service_pb2.AdvanceMatchResponse:
    """Encode an answer of AdvanceMatch."""
    return service_pb2.AdvanceMatchResponse(match=parts.match(advanced))


def get_ruleset_request(number: int) -> service_pb2.GetRulesetRequest:
    """Encode a question for GetRuleset."""
    ruleset: Any = number
    return service_pb2.GetRulesetRequest(ruleset=ruleset)


def get_ruleset_response(info: RulesetInfo) -> service_pb2.GetRulesetResponse:
    """Encode an answer of GetRuleset."""
    return service_pb2.GetRulesetResponse(ruleset=parts.ruleset_info(info))


def list_rulesets_response(infos: Iterable[RulesetInfo]) -> service_pb2.ListRulesetsResponse:
    """Encode an answer of ListRulesets."""
    return service_pb2.ListRulesetsResponse(rulesets=map(parts.ruleset_info, infos))


def get_texts_response(texts: Texts) -> service_pb2.GetTextsResponse:
    """Encode an answer of GetTexts."""
    return service_pb2.GetTextsResponse(
        violation_reasons=parts.said(service_pb2.ViolationReasonText, texts.violation_reasons),
        error_reasons=parts.said(service_pb2.ErrorReasonText, texts.error_reasons),
        finish_reasons=parts.said(service_pb2.FinishReasonText, texts.finish_reasons),
        row_outcomes=parts.said(service_pb2.RowOutcomeText, texts.row_outcomes),
    )
