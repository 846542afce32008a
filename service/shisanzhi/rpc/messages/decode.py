"""Message -> engine value; the twin of ``encode.py``.

Requests become questions, which hold whatever numbers came: the engine checks them. Responses are
trusted: they come from a server of ours, though it may be newer, with values of an enum that are
unknown here.

Of a list longer than any question may have only the length is read: a message of 64 KB can hold
32,000 arrangements, and to make Python values of them takes longer than all else.
"""

import shisanzhi.rpc.messages.decode_parts as parts
from shisanzhi.engine.arrangement import Judgement
from shisanzhi.engine.batch import MAX_REQUESTS
from shisanzhi.engine.cards import CARDS
from shisanzhi.engine.checks import MAX_ROWS
from shisanzhi.engine.deal import Deal
from shisanzhi.engine.description import RulesetInfo
from shisanzhi.engine.errors import Reason
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import FinishReason, Match, MatchStart, SeatDraw
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.rows import ViolationReason
from shisanzhi.engine.scoring.results import RoundResult, RowOutcome
from shisanzhi.engine.solver.arranger import Arranged
from shisanzhi.engine.texts import Texts
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2


def evaluate_request(request: service_pb2.EvaluateRequest) -> EvaluateQuestion:
    """Decode a question for Evaluate."""
    return EvaluateQuestion(
        request.ruleset, request.cut_card, parts.read_each(request.rows, parts.card_list, MAX_ROWS)
    )


def evaluate_response(response: service_pb2.EvaluateResponse) -> tuple[RowValue, ...]:
    """Decode an answer of Evaluate."""
    return tuple(map(parts.row_value, response.values))


def validate_request(request: service_pb2.ValidateRequest) -> ValidateQuestion:
    """Decode a question for Validate."""
    rows = parts.arrangement(request.arrangement) if request.HasField("arrangement") else None
    return ValidateQuestion(request.ruleset, request.cut_card, rows, parts.read_list(request.hand))


def validate_response(response: service_pb2.ValidateResponse) -> Judgement:
    """Decode an answer of Validate."""
    return Judgement(
        tuple(map(parts.violation, response.violations)),
        parts.row_value(response.front) if response.HasField("front") else None,
        parts.row_value(response.middle) if response.HasField("middle") else None,
        parts.row_value(response.back) if response.HasField("back") else None,
        parts.cards(response.discards),
        response.dragon,
    )


def score_request(request: service_pb2.ScoreRequest) -> ScoreQuestion:
    """Decode a question for Score."""
    return ScoreQuestion(
        request.ruleset,
        request.cut_card,
        parts.read_each(request.arrangements, parts.arrangement),
        request.dealer if request.HasField("dealer") else None,
        parts.read_each(request.hands, parts.card_list),
    )


def score_response(response: service_pb2.ScoreResponse) -> RoundResult:
    """Decode an answer of Score."""
    return parts.round_result(response.result)


def deal_round_request(request: service_pb2.DealRoundRequest) -> DealRoundQuestion:
    """Decode a question for DealRound."""
    return DealRoundQuestion(
        request.ruleset,
        request.seed,
        parts.read_list(request.player_seeds),
        request.round,
        request.dealer if request.HasField("dealer") else None,
        parts.read_list(request.cuts),
    )


def deal_round_response(response: service_pb2.DealRoundResponse) -> Deal:
    """Decode an answer of DealRound."""
    return Deal(
        seed=response.seed,
        commitment=response.commitment,
        dealer=response.dealer,
        cut_card=CARDS.get(response.cut_card),
        turned_up_card=CARDS.get(response.turned_up_card),
        first_receiver=response.first_receiver,
        hands=tuple(parts.cards(hand.cards) for hand in response.hands),
        algorithm=response.algorithm,
    )


def arrange_request(request: service_pb2.ArrangeRequest) -> ArrangeQuestion:
    """Decode a question for Arrange."""
    return ArrangeQuestion(
        request.ruleset, request.cut_card, parts.read_list(request.hand), request.max_suggestions
    )


def arrange_response(response: service_pb2.ArrangeResponse) -> Arranged:
    """Decode an answer of Arrange."""
    return Arranged(tuple(map(parts.suggestion, response.suggestions)), response.dragon)


def batch_arrange_request(
    request: service_pb2.BatchArrangeRequest,
) -> tuple[ArrangeQuestion, ...]:
    """Decode questions for BatchArrange."""
    return parts.read_each(request.requests, arrange_request, MAX_REQUESTS)


def batch_arrange_response(response: service_pb2.BatchArrangeResponse) -> tuple[Arranged, ...]:
    """Decode answers of BatchArrange."""
    return tuple(map(arrange_response, response.responses))


def batch_score_request(request: service_pb2.BatchScoreRequest) -> tuple[ScoreQuestion, ...]:
    """Decode questions for BatchScore."""
    return parts.read_each(request.requests, score_request, MAX_REQUESTS)


def batch_score_response(response: service_pb2.BatchScoreResponse) -> tuple[RoundResult, ...]:
    """Decode answers of BatchScore."""
    return tuple(map(score_response, response.responses))


def start_match_request(request: service_pb2.StartMatchRequest) -> StartMatchQuestion:
    """Decode a question for StartMatch."""
    return StartMatchQuestion(
        request.ruleset,
        request.seed,
        parts.read_list(request.player_seeds),
        parts.read_list(request.player_ids),
    )


def start_match_response(response: service_pb2.StartMatchResponse) -> MatchStart:
    """Decode an answer of StartMatch."""
    draws = tuple(
        SeatDraw(draw.player, parts.cards(draw.cards), draw.seat) for draw in response.draws
    )
    return MatchStart(parts.match(response.match), draws, response.seed, response.commitment)


def advance_match_request(request: service_pb2.AdvanceMatchRequest) -> AdvanceMatchQuestion:
    """Decode a question for AdvanceMatch."""
    raw = parts.raw_match(request.match) if request.HasField("match") else None
    return AdvanceMatchQuestion(raw, parts.read_list(request.units))


def advance_match_response(response: service_pb2.AdvanceMatchResponse) -> Match:
    """Decode an answer of AdvanceMatch."""
    return parts.match(response.match)


def get_ruleset_request(request: service_pb2.GetRulesetRequest) -> int:
    """Decode a question for GetRuleset."""
    return request.ruleset


def get_ruleset_response(response: service_pb2.GetRulesetResponse) -> RulesetInfo:
    """Decode an answer of GetRuleset."""
    return parts.ruleset_info(response.ruleset)


def list_rulesets_response(response: service_pb2.ListRulesetsResponse) -> tuple[RulesetInfo, ...]:
    """Decode an answer of ListRulesets."""
    return tuple(map(parts.ruleset_info, response.rulesets))


def get_texts_response(response: service_pb2.GetTextsResponse) -> Texts:
    """Decode an answer of GetTexts; what a newer server says beyond our enums is left out."""
    return Texts(
        violation_reasons=parts.said(ViolationReason, response.violation_reasons),
        error_reasons=parts.said(Reason, response.error_reasons),
        finish_reasons=parts.said(FinishReason, response.finish_reasons),
        row_outcomes=parts.said(RowOutcome, response.row_outcomes),
    )
