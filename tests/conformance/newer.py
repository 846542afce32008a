"""A server that is newer than every client: it answers with what none of them knows."""

from typing import Any, Final

import grpc
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet
from google.rpc import code_pb2, error_details_pb2, status_pb2

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.arrangement_pb2 import CATEGORY_PAIR
from shisanzhi.v1.match_pb2 import Match
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC, CategoryInfo, LocalizedText, RulesetInfo
from tests.rpc.wire import SERVICE, STATUS_KEY

CHECKS: Final = 5
NEW: Final[Any] = 99
LATER_FIELD: Final = 100
_LATER: Final = bytes([0xA2, 0x06, 5]) + b"later"
"""The field 100 with the text `later`, as it is on the wire."""
_PLAYERS: Final = ("ann", "bob", "cho", "dee")


class Newer(grpc.GenericRpcHandler):
    """Answers each method in one way; remembers whether a later field came back to it."""

    def __init__(self) -> None:
        self.came_back: list[bool] = []
        """For each match that was handed back, whether the later field was in it."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        method = handler_call_details.method.removeprefix(f"/{SERVICE.full_name}/")
        answer = {
            "Evaluate": self.evaluate,
            "GetRuleset": self.get_ruleset,
            "Validate": self.validate,
            "Score": self.score,
            "StartMatch": self.start_match,
            "AdvanceMatch": self.advance_match,
        }.get(method)
        return grpc.unary_unary_rpc_method_handler(answer) if answer else None

    def evaluate(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        del request, context
        response = service_pb2.EvaluateResponse()
        strange = response.values.add(category=NEW, ranks=[14, NEW, 2], strength=5)
        strange.MergeFromString(_LATER)
        response.values.add(category=CATEGORY_PAIR, ranks=[14, 13], strength=4)
        return response.SerializeToString()

    def get_ruleset(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        del request, context
        name = LocalizedText(zh_hant="新牌型", en="new category")
        pair = LocalizedText(zh_hant="一對", en="pair")
        ladder = [
            CategoryInfo(category=NEW, name=name),
            CategoryInfo(category=CATEGORY_PAIR, name=pair),
        ]
        info = RulesetInfo(ruleset=RULESET_CLASSIC, ladder=ladder)
        return service_pb2.GetRulesetResponse(ruleset=info).SerializeToString()

    def validate(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        del request, context
        response = service_pb2.ValidateResponse()
        response.violations.add(reason=NEW, row=NEW, card=NEW, description="what comes later")
        return response.SerializeToString()

    def score(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        del request
        refusal = later_refusal()
        context.set_trailing_metadata(((STATUS_KEY, refusal.SerializeToString()),))
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, refusal.message)

    def start_match(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        del request, context
        return service_pb2.StartMatchResponse(match=later_match(1)).SerializeToString()

    def advance_match(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        del context
        match = service_pb2.AdvanceMatchRequest.FromString(request).match
        unknown: Any = UnknownFieldSet(match)
        fields = [field.field_number for field in unknown]
        self.came_back.append(LATER_FIELD in fields)
        return service_pb2.AdvanceMatchResponse(match=later_match(2)).SerializeToString()


def later_match(next_round: int) -> Match:
    """A match of a version that keeps one thing more."""
    match = Match(
        ruleset=RULESET_CLASSIC,
        player_ids=_PLAYERS,
        next_round=next_round,
        units=[0] * 4,
        points=[3100] * 4,
    )
    match.MergeFromString(_LATER)
    return match


def later_refusal() -> status_pb2.Status:
    """A refusal for a reason of a later version, with a detail of a type of it."""
    status = status_pb2.Status(code=code_pb2.INVALID_ARGUMENT, message="what comes later")
    reason = "LATER_REASON"
    details: list[Message] = [
        error_details_pb2.ErrorInfo(
            reason=reason,
            domain="shisanzhi",
            metadata={"faults_left_out": "3", "later": "yes"},
        ),
        error_details_pb2.BadRequest(
            field_violations=[
                error_details_pb2.BadRequest.FieldViolation(
                    field="later[0].field", reason=reason, description="what comes later"
                )
            ]
        ),
    ]
    status.details.add(type_url="type.googleapis.com/shisanzhi.v1.Later", value=_LATER)
    for detail in details:
        status.details.add().Pack(detail)
    return status
