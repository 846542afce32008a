"""Engine value -> message; the twin of ``decode.py``.

Enum numbers are the same in the engine and in the contract; ``Any`` stands where a generated type
wants its own name for such a number.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from shisanzhi.engine.arrangement import Arrangement, Judgement, Violation
from shisanzhi.engine.arranger import Arranged, Suggestion
from shisanzhi.engine.deal import Deal
from shisanzhi.engine.description import RulesetInfo
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import Match, MatchStart, SeatDraw
from shisanzhi.engine.names import Text
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    RawMatch,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.scoring import PairResult, RoundResult, Royalty, SeatResult
from shisanzhi.engine.texts import Texts
from shisanzhi.v1 import arrangement_pb2, card_pb2, match_pb2, round_pb2, ruleset_pb2
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2

_Info = TypeVar("_Info", ruleset_pb2.RowInfo, ruleset_pb2.CategoryInfo, ruleset_pb2.RoyaltyInfo)
_Said = TypeVar(
    "_Said",
    service_pb2.ViolationReasonText,
    service_pb2.ErrorReasonText,
    service_pb2.FinishReasonText,
    service_pb2.RowOutcomeText,
)


def evaluate_request(question: EvaluateQuestion) -> service_pb2.EvaluateRequest:
    """Encode a question for Evaluate."""
    ruleset: Any = question.ruleset
    cut_card: Any = question.cut_card
    return service_pb2.EvaluateRequest(
        ruleset=ruleset, cut_card=cut_card, rows=map(card_list, question.rows)
    )


def evaluate_response(values: Iterable[RowValue]) -> service_pb2.EvaluateResponse:
    """Encode an answer of Evaluate."""
    return service_pb2.EvaluateResponse(values=map(row_value, values))


def validate_request(question: ValidateQuestion) -> service_pb2.ValidateRequest:
    """Encode a question for Validate."""
    ruleset: Any = question.ruleset
    cut_card: Any = question.cut_card
    hand: Any = question.hand
    rows = question.arrangement
    return service_pb2.ValidateRequest(
        ruleset=ruleset,
        cut_card=cut_card,
        arrangement=None if rows is None else arrangement(rows),
        hand=hand,
    )


def validate_response(judgement: Judgement) -> service_pb2.ValidateResponse:
    """Encode an answer of Validate."""
    discards: Any = judgement.discards
    return service_pb2.ValidateResponse(
        legal=judgement.legal,
        violations=map(violation, judgement.violations),
        front=_optional(judgement.front),
        middle=_optional(judgement.middle),
        back=_optional(judgement.back),
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
        arrangements=map(arrangement, question.arrangements),
        dealer=question.dealer,
        hands=map(card_list, question.hands),
    )


def score_response(result: RoundResult) -> service_pb2.ScoreResponse:
    """Encode an answer of Score."""
    response = service_pb2.ScoreResponse()
    _write_round(response.result, result)
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
        hands=map(card_list, deal.hands),
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
        suggestions=map(_suggestion, arranged.suggestions), dragon=arranged.dragon
    )


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
        match=match(start.match),
        draws=map(_seat_draw, start.draws),
        seed=start.seed,
        commitment=start.commitment,
    )


def advance_match_request(question: AdvanceMatchQuestion) -> service_pb2.AdvanceMatchRequest:
    """Encode a question for AdvanceMatch."""
    return service_pb2.AdvanceMatchRequest(
        match=None if question.match is None else match(question.match), units=question.units
    )


def advance_match_response(advanced: Match) -> service_pb2.AdvanceMatchResponse:
    """Encode an answer of AdvanceMatch."""
    return service_pb2.AdvanceMatchResponse(match=match(advanced))


def get_ruleset_request(number: int) -> service_pb2.GetRulesetRequest:
    """Encode a question for GetRuleset."""
    ruleset: Any = number
    return service_pb2.GetRulesetRequest(ruleset=ruleset)


def get_ruleset_response(info: RulesetInfo) -> service_pb2.GetRulesetResponse:
    """Encode an answer of GetRuleset."""
    return service_pb2.GetRulesetResponse(ruleset=ruleset_info(info))


def list_rulesets_response(infos: Iterable[RulesetInfo]) -> service_pb2.ListRulesetsResponse:
    """Encode an answer of ListRulesets."""
    return service_pb2.ListRulesetsResponse(rulesets=map(ruleset_info, infos))


def get_texts_response(texts: Texts) -> service_pb2.GetTextsResponse:
    """Encode an answer of GetTexts."""
    return service_pb2.GetTextsResponse(
        violation_reasons=_said(service_pb2.ViolationReasonText, texts.violation_reasons),
        error_reasons=_said(service_pb2.ErrorReasonText, texts.error_reasons),
        finish_reasons=_said(service_pb2.FinishReasonText, texts.finish_reasons),
        row_outcomes=_said(service_pb2.RowOutcomeText, texts.row_outcomes),
    )


def card_list(cards: Sequence[int]) -> card_pb2.CardList:
    """Encode cards, in their order."""
    numbers: Any = cards
    return card_pb2.CardList(cards=numbers)


def arrangement(rows: RawArrangement | Arrangement) -> arrangement_pb2.Arrangement:
    """Encode the three rows of a seat."""
    front: Any = rows.front
    middle: Any = rows.middle
    back: Any = rows.back
    return arrangement_pb2.Arrangement(front=front, middle=middle, back=back)


def _suggestion(suggestion: Suggestion) -> arrangement_pb2.Suggestion:
    discards: Any = suggestion.discards
    return arrangement_pb2.Suggestion(
        arrangement=arrangement(suggestion.arrangement),
        discards=discards,
        front=row_value(suggestion.front),
        middle=row_value(suggestion.middle),
        back=row_value(suggestion.back),
        expected_units=suggestion.expected_units,
    )


def _optional(value: RowValue | None) -> arrangement_pb2.RowValue | None:
    return None if value is None else row_value(value)


@cache
def row_value(value: RowValue) -> arrangement_pb2.RowValue:
    """Encode what a row is worth; there are some 20,000 values, each encoded once."""
    category: Any = value.category
    ranks: Any = value.ranks
    return arrangement_pb2.RowValue(category=category, ranks=ranks, strength=value.strength)


@cache
def _row_part(field: str, value: RowValue) -> bytes:
    """Encode one row of a seat's result, to be merged into it."""
    fields: dict[str, Any] = {field: row_value(value)}
    return round_pb2.SeatResult(**fields).SerializeToString()


def violation(broken: Violation) -> arrangement_pb2.Violation:
    """Encode a rule broken."""
    reason: Any = broken.reason
    row: Any = broken.row
    card: Any = broken.card
    return arrangement_pb2.Violation(
        reason=reason, row=row, card=card, description=broken.description
    )


def _write_round(message: round_pb2.RoundResult, result: RoundResult) -> None:
    """Write into the response itself, field by field: messages made apart would be copied.

    Most units are zero, as unset fields are, so zeros are not written.
    """
    for seat in result.seats:
        _write_seat(message.seats.add(), seat)
    for pair in result.pairs:
        _write_pair(message.pairs.add(), pair)
    message.showing_order.extend(result.showing_order)


def _write_seat(message: round_pb2.SeatResult, result: SeatResult) -> None:
    # Messages joined as bytes are merged, in less time than copying three values takes.
    message.MergeFromString(
        _row_part("front", result.front)
        + _row_part("middle", result.middle)
        + _row_part("back", result.back)
    )
    message.seat = result.seat
    message.place = result.place
    if result.dragon:
        message.dragon = True
    _write_units(message, result)
    if result.royalty_units:
        message.royalty_units = result.royalty_units
    if result.points:
        message.points = result.points


def _write_pair(message: round_pb2.PairResult, result: PairResult) -> None:
    outcomes: Any = result  # all three, or none
    message.seat = result.seat
    message.opponent = result.opponent
    if result.front is not None:
        message.front = outcomes.front
        message.middle = outcomes.middle
        message.back = outcomes.back
    if result.guns:
        message.guns = True
    if result.gunned:
        message.gunned = True
    _write_units(message, result)
    for royalty in result.royalties:
        _add_royalty(message, royalty)


def _write_units(
    message: round_pb2.SeatResult | round_pb2.PairResult, result: SeatResult | PairResult
) -> None:
    if result.pair_units:
        message.pair_units = result.pair_units
    if result.gunshot_units:
        message.gunshot_units = result.gunshot_units
    if result.home_run_units:
        message.home_run_units = result.home_run_units
    if total := result.total_units:
        message.total_units = total


def _add_royalty(message: round_pb2.PairResult, royalty: Royalty) -> None:
    row: Any = royalty.row
    category: Any = royalty.category
    message.royalties.add(
        payee=royalty.payee,
        payer=royalty.payer,
        row=row,
        category=category,
        units=royalty.units,
    )


def match(books: Match | RawMatch) -> match_pb2.Match:
    """Encode a match."""
    ruleset: Any = books.ruleset
    finish_reason: Any = books.finish_reason
    return match_pb2.Match(
        ruleset=ruleset,
        player_ids=books.player_ids,
        next_round=books.next_round,
        dealer=books.dealer,
        units=books.units,
        points=books.points,
        finished=books.finished,
        finish_reason=finish_reason,
        standings=[match_pb2.Standing(**standing._asdict()) for standing in books.standings],
    )


def _seat_draw(draw: SeatDraw) -> match_pb2.SeatDraw:
    cards: Any = draw.cards
    return match_pb2.SeatDraw(player=draw.player, cards=cards, seat=draw.seat)


def ruleset_info(info: RulesetInfo) -> ruleset_pb2.RulesetInfo:
    """Encode the description of a ruleset: fields have the same names in both."""
    fields: dict[str, Any] = info._asdict()
    parts = {
        "rows": [_named(ruleset_pb2.RowInfo, row) for row in info.rows],
        "ladder": [_named(ruleset_pb2.CategoryInfo, rung) for rung in info.ladder],
        "royalties": [_named(ruleset_pb2.RoyaltyInfo, royalty) for royalty in info.royalties],
    }
    return ruleset_pb2.RulesetInfo(**(_texts(fields) | parts))


def _said(message: type[_Said], table: Mapping[Any, Text]) -> list[_Said]:
    """Encode a text for each value of an enum; the unspecified one is None."""
    numbers: Iterable[Any] = (0 if key is None else key.value for key in table)
    return [
        message(value=number, text=_text(text))
        for number, text in zip(numbers, table.values(), strict=True)
    ]


def _named(message: type[_Info], part: NamedTuple) -> _Info:
    return message(**_texts(part._asdict()))


def _texts(fields: dict[str, Any]) -> dict[str, Any]:
    """Encode the names among some fields."""
    return {
        key: _text(value) if isinstance(value, Text) else value for key, value in fields.items()
    }


def _text(text: Text) -> ruleset_pb2.LocalizedText:
    return ruleset_pb2.LocalizedText(zh_hant=text.zh_hant, en=text.en)
