"""A client that asks a server what ``engine/game_logic.py`` answers."""

from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from google.rpc import status_pb2

from shisanzhi.engine.arrangement import Judgement
from shisanzhi.engine.arranger import Arranged
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
from shisanzhi.engine.scoring import RoundResult
from shisanzhi.engine.texts import Texts
from shisanzhi.rpc import decode, encode, status
from shisanzhi.rpc.unanswered import UnansweredError
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub

_DETAILS_KEY = "grpc-status-details-bin"

Request = TypeVar("Request")
Response = TypeVar("Response")


class Client:
    """A connection to one server, for use in a ``with`` block.

    Methods raise :class:`~shisanzhi.engine.errors.InvalidRequestError` with the faults that the
    server found, and :class:`UnansweredError` for all else that goes wrong.
    """

    def __init__(self, target: str, timeout: float = 5.0) -> None:
        """Take ``host:port`` and the seconds that a call may take."""
        self._target = target
        self._channel = grpc.insecure_channel(target)
        self._stub = GameLogicServiceStub(self._channel)
        self._timeout = timeout

    def __enter__(self) -> Self:
        """Give the client itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection."""
        self._channel.close()

    def evaluate(self, question: EvaluateQuestion) -> tuple[RowValue, ...]:
        """Judge rows one by one."""
        request = encode.evaluate_request(question)
        return decode.evaluate_response(self._call(self._stub.Evaluate, request))

    def validate(self, question: ValidateQuestion) -> Judgement:
        """Judge one arrangement."""
        request = encode.validate_request(question)
        return decode.validate_response(self._call(self._stub.Validate, request))

    def score(self, question: ScoreQuestion) -> RoundResult:
        """Settle a round."""
        request = encode.score_request(question)
        return decode.score_response(self._call(self._stub.Score, request))

    def deal_round(self, question: DealRoundQuestion) -> Deal:
        """Deal a round; without a seed the server draws one."""
        request = encode.deal_round_request(question)
        return decode.deal_round_response(self._call(self._stub.DealRound, request))

    def arrange(self, question: ArrangeQuestion) -> Arranged:
        """Find the best arrangements of a hand."""
        request = encode.arrange_request(question)
        return decode.arrange_response(self._call(self._stub.Arrange, request))

    def get_ruleset(self, number: int) -> RulesetInfo:
        """Describe one ruleset."""
        request = encode.get_ruleset_request(number)
        return decode.get_ruleset_response(self._call(self._stub.GetRuleset, request))

    def list_rulesets(self) -> tuple[RulesetInfo, ...]:
        """Describe every ruleset."""
        request = service_pb2.ListRulesetsRequest()
        return decode.list_rulesets_response(self._call(self._stub.ListRulesets, request))

    def get_texts(self) -> Texts:
        """Ask what reasons and outcomes mean."""
        request = service_pb2.GetTextsRequest()
        return decode.get_texts_response(self._call(self._stub.GetTexts, request))

    def start_match(self, question: StartMatchQuestion) -> MatchStart:
        """Open a match; without a seed the server draws one."""
        request = encode.start_match_request(question)
        return decode.start_match_response(self._call(self._stub.StartMatch, request))

    def advance_match(self, question: AdvanceMatchQuestion) -> Match:
        """Add a round to a match."""
        request = encode.advance_match_request(question)
        return decode.advance_match_response(self._call(self._stub.AdvanceMatch, request))

    def _call(
        self, method: "grpc.UnaryUnaryMultiCallable[Request, Response]", request: Request
    ) -> Response:
        try:
            return method(request, timeout=self._timeout)
        except grpc.RpcError as error:
            call: Any = error  # the error that a stub raises is also its grpc.Call
            if refusal := status.refusal(_details(call)):
                raise refusal from error
            text = f"expected an answer from {self._target}, got {call.code().name}: "
            raise UnansweredError(text + str(call.details())) from error


def _details(call: Any) -> status_pb2.Status:  # noqa: ANN401 - the stubs' own types contradict
    """Read the rich status out of the trailers; empty where there is none."""
    trailers = dict(call.trailing_metadata() or ())
    return status_pb2.Status.FromString(trailers.get(_DETAILS_KEY, b""))
