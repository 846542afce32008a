"""One request for each method, and what the game logic answers to it: a round of CLASSIC."""

from functools import cache
from typing import Any

from google.protobuf.json_format import MessageToDict

from shisanzhi.rpc.calls.methods import METHODS
from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.card_pb2 import CardList
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC

_SEED = bytes(range(16))
_RULES: Any = {"ruleset": RULESET_CLASSIC}


@cache
def examples() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Give request and response as JSON, by method."""
    return {
        name: (_json(request), _json(_answer(name, request)))
        for name, request in _requests().items()
    }


def _json(message: Any) -> dict[str, Any]:
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def _answer(method: str, request: Any) -> Any:
    return METHODS[method].answer(request)


def _requests() -> dict[str, Any]:
    deal = messages.DealRoundRequest(**_RULES, seed=_SEED)
    dealt = _answer("DealRound", deal)
    arrange = [messages.ArrangeRequest(**_RULES, hand=hand.cards) for hand in dealt.hands]
    arrangements = [_answer("Arrange", each).suggestions[0].arrangement for each in arrange]
    score = messages.ScoreRequest(**_RULES, arrangements=arrangements, dealer=dealt.dealer)
    start = messages.StartMatchRequest(
        **_RULES, seed=_SEED, player_ids=["ann", "bao", "chen", "ding"]
    )
    units = [seat.total_units for seat in _answer("Score", score).result.seats]
    return {
        "Evaluate": messages.EvaluateRequest(**_RULES, rows=[CardList(cards=arrangements[0].back)]),
        "Validate": messages.ValidateRequest(**_RULES, arrangement=arrangements[0]),
        "Score": score,
        "DealRound": deal,
        "Arrange": arrange[0],
        "BatchArrange": messages.BatchArrangeRequest(requests=arrange[:2]),
        "BatchScore": messages.BatchScoreRequest(requests=[score]),
        "GetRuleset": messages.GetRulesetRequest(**_RULES),
        "ListRulesets": messages.ListRulesetsRequest(),
        "GetTexts": messages.GetTextsRequest(),
        "StartMatch": start,
        "AdvanceMatch": messages.AdvanceMatchRequest(
            match=_answer("StartMatch", start).match, units=units
        ),
    }
