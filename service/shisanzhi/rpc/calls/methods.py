"""The methods of the game, each with all that is to be said of it: a new RPC is an entry here.

Decode, ask, encode: a message comes in, the engine answers, a message goes out. Answers raise
:class:`~shisanzhi.engine.errors.InvalidRequestError` for a request that cannot be answered.
"""

import enum
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from google.protobuf.message import Message

from shisanzhi.engine import game_logic
from shisanzhi.engine.questions import ArrangeQuestion, DealRoundQuestion, StartMatchQuestion
from shisanzhi.engine.solver import arranger
from shisanzhi.engine.solver.arranger import Arranged
from shisanzhi.rpc.messages import decode, encode
from shisanzhi.rpc.observability import game_metrics
from shisanzhi.rpc.observability.game_metrics import Count
from shisanzhi.seeds import draw_seed
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2

SERVICE: Final = service_pb2.DESCRIPTOR.services_by_name["GameLogicService"]

_QUICK_STEPS: Final = 128_000
"""Less than a millisecond, within which all but one hand in some hundreds is arranged."""

Answer = Callable[[Any], Message]
"""Request -> response."""
Request = TypeVar("Request")
Question = TypeVar("Question")
Found = TypeVar("Found")
Seeded = TypeVar("Seeded", DealRoundQuestion, StartMatchQuestion)


class TakesLongerError(Exception):
    """What was asked for at once is not done at once."""


class Weight(enum.Enum):
    """How a method is worked on."""

    LIGHT = enum.auto()
    """In the event loop, unless the request is large."""
    COMPILED = enum.auto()
    """In the event loop if ``quick`` does it, else in a thread, outside of the interpreter."""
    BATCH = enum.auto()
    """In a thread, in pieces, each request as the method that ``each`` names answers it."""


class Rpc(NamedTuple):
    """One method. ``quick`` raises :class:`TakesLongerError`; without it all takes longer."""

    name: str
    request_type: type[Message]
    answer: Answer
    weight: Weight = Weight.LIGHT
    quick: Answer | None = None
    each: str | None = None
    counts: tuple[Count, ...] = ()


def _answering(
    decoded: Callable[[Request], Question],
    ask: Callable[[Question], Found],
    encoded: Callable[[Found], Message],
) -> Callable[[Request], Message]:
    return lambda request: encoded(ask(decoded(request)))


def _nothing(_request: Message) -> None:
    """Decode a request that asks for all there is."""


def _seeded(question: Seeded) -> Seeded:
    """Draw a seed where the request names none: the one thing that a request does not fix."""
    return question if question.seed else question._replace(seed=draw_seed())


def _arranged_at_once(question: ArrangeQuestion) -> Arranged:
    arranged = game_logic.arrange_at_once(question, _QUICK_STEPS)
    if arranged is None:
        raise TakesLongerError
    return arranged


def _table(*rpcs: Rpc) -> dict[str, Rpc]:
    """Key by name; raises ValueError unless they are the contract's, requests included."""
    listed = {rpc.name: rpc.request_type.DESCRIPTOR.full_name for rpc in rpcs}
    contract = {method.name: method.input_type.full_name for method in SERVICE.methods}
    if listed != contract:
        wrong = sorted(dict(listed.items() ^ contract.items()))
        raise ValueError(f"expected the methods of the contract, got others or none for {wrong}")
    return {rpc.name: rpc for rpc in rpcs}


METHODS: Final = _table(
    Rpc(
        "Evaluate",
        service_pb2.EvaluateRequest,
        _answering(decode.evaluate_request, game_logic.evaluate, encode.evaluate_response),
    ),
    Rpc(
        "Validate",
        service_pb2.ValidateRequest,
        _answering(decode.validate_request, game_logic.validate, encode.validate_response),
        counts=(game_metrics.ILLEGAL,),
    ),
    Rpc(
        "Score",
        service_pb2.ScoreRequest,
        _answering(decode.score_request, game_logic.score, encode.score_response),
        counts=(game_metrics.SCORED, game_metrics.FOULS),
    ),
    Rpc(
        "DealRound",
        service_pb2.DealRoundRequest,
        _answering(
            decode.deal_round_request,
            lambda question: game_logic.deal_round(_seeded(question)),
            encode.deal_round_response,
        ),
        counts=(game_metrics.DEALT,),
    ),
    Rpc(
        "Arrange",
        service_pb2.ArrangeRequest,
        _answering(decode.arrange_request, game_logic.arrange, encode.arrange_response),
        Weight.COMPILED,
        quick=_answering(decode.arrange_request, _arranged_at_once, encode.arrange_response)
        if arranger.COMPILED
        else None,
        counts=(game_metrics.SUGGESTED,),
    ),
    Rpc(
        "BatchArrange",
        service_pb2.BatchArrangeRequest,
        _answering(
            decode.batch_arrange_request, game_logic.batch_arrange, encode.batch_arrange_response
        ),
        Weight.BATCH,
        each="Arrange",
    ),
    Rpc(
        "BatchScore",
        service_pb2.BatchScoreRequest,
        _answering(decode.batch_score_request, game_logic.batch_score, encode.batch_score_response),
        Weight.BATCH,
        each="Score",
    ),
    Rpc(
        "GetRuleset",
        service_pb2.GetRulesetRequest,
        _answering(decode.get_ruleset_request, game_logic.get_ruleset, encode.get_ruleset_response),
    ),
    Rpc(
        "ListRulesets",
        service_pb2.ListRulesetsRequest,
        _answering(_nothing, lambda _: game_logic.list_rulesets(), encode.list_rulesets_response),
    ),
    Rpc(
        "GetTexts",
        service_pb2.GetTextsRequest,
        _answering(_nothing, lambda _: game_logic.get_texts(), encode.get_texts_response),
    ),
    Rpc(
        "StartMatch",
        service_pb2.StartMatchRequest,
        _answering(
            decode.start_match_request,
            lambda question: game_logic.start_match(_seeded(question)),
            encode.start_match_response,
        ),
        counts=(game_metrics.STARTED,),
    ),
    Rpc(
        "AdvanceMatch",
        service_pb2.AdvanceMatchRequest,
        _answering(
            decode.advance_match_request, game_logic.advance_match, encode.advance_match_response
        ),
    ),
)
