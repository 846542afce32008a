"""A client that asks a server what ``engine/game_logic.py`` answers."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from google.rpc import status_pb2

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
from shisanzhi.rpc.client.channel import connect, unanswered
from shisanzhi.rpc.client.target import Target, Tls
from shisanzhi.rpc.client.unanswered import Hint, UnansweredError
from shisanzhi.rpc.messages import decode, encode, status
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub

_DETAILS_KEY = "grpc-status-details-bin"

Request = TypeVar("Request")
Response = TypeVar("Response")
Answer = TypeVar("Answer")


class Client:
    """A connection to one server, for use in a ``with`` block.

    Methods raise :class:`~shisanzhi.engine.errors.InvalidRequestError` with the faults that the
    server found, and :class:`UnansweredError` for all else that goes wrong.
    """

    def __init__(self, address: str, timeout: float = 5.0, tls: Tls | None = None) -> None:
        """Take ``host:port`` and the seconds that a call may take."""
        self._target = Target(address, tls)
        self._channel = connect(self._target)
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
        return self._ask(self._stub.Evaluate, request, decode.evaluate_response)

    def validate(self, question: ValidateQuestion) -> Judgement:
        """Judge one arrangement."""
        request = encode.validate_request(question)
        return self._ask(self._stub.Validate, request, decode.validate_response)

    def score(self, question: ScoreQuestion) -> RoundResult:
        """Settle a round."""
        request = encode.score_request(question)
        return self._ask(self._stub.Score, request, decode.score_response)

    def deal_round(self, question: DealRoundQuestion) -> Deal:
        """Deal a round; without a seed the server draws one."""
        request = encode.deal_round_request(question)
        return self._ask(self._stub.DealRound, request, decode.deal_round_response)

    def arrange(self, question: ArrangeQuestion) -> Arranged:
        """Find the best arrangements of a hand."""
        request = encode.arrange_request(question)
        return self._ask(self._stub.Arrange, request, decode.arrange_response)

    def batch_arrange(self, questions: Sequence[ArrangeQuestion]) -> tuple[Arranged, ...]:
        """Find the best arrangements of hands, in the order asked."""
        request = encode.batch_arrange_request(questions)
        return self._ask(self._stub.BatchArrange, request, decode.batch_arrange_response)

    def batch_score(self, questions: Sequence[ScoreQuestion]) -> tuple[RoundResult, ...]:
        """Settle rounds, in the order asked."""
        request = encode.batch_score_request(questions)
        return self._ask(self._stub.BatchScore, request, decode.batch_score_response)

    def get_ruleset(self, number: int) -> RulesetInfo:
        """Describe one ruleset."""
        request = encode.get_ruleset_request(number)
        return self._ask(self._stub.GetRuleset, request, decode.get_ruleset_response)

    def list_rulesets(self) -> tuple[RulesetInfo, ...]:
        """Describe every ruleset."""
        request = service_pb2.ListRulesetsRequest()
        return self._ask(self._stub.ListRulesets, request, decode.list_rulesets_response)

    def get_texts(self) -> Texts:
        """Ask what reasons and outcomes mean."""
        request = service_pb2.GetTextsRequest()
        return self._ask(self._stub.GetTexts, request, decode.get_texts_response)

    def start_match(self, question: StartMatchQuestion) -> MatchStart:
        """Open a match; without a seed the server draws one."""
        request = encode.start_match_request(question)
        return self._ask(self._stub.StartMatch, request, decode.start_match_response)

    def advance_match(self, question: AdvanceMatchQuestion) -> Match:
        """Add a round to a match."""
        request = encode.advance_match_request(question)
        return self._ask(self._stub.AdvanceMatch, request, decode.advance_match_response)

    def _ask(
        self,
        method: "grpc.UnaryUnaryMultiCallable[Request, Response]",
        request: Request,
        read: Callable[[Response], Answer],
    ) -> Answer:
        try:
            return read(method(request, timeout=self._timeout))
        except grpc.RpcError as error:
            if refusal := status.refusal(_details(error)):
                raise refusal from error
            raise unanswered(self._target, error) from error
        except LookupError as error:  # such as a card that is none here
            got = f"one with an unknown value: {error.args[0]}"
            raise UnansweredError(self._target.address, got, Hint.NEWER) from error


def _details(call: Any) -> status_pb2.Status:  # noqa: ANN401 - the stubs' own types contradict
    """Read the rich status out of the trailers; empty where there is none."""
    trailers = dict(call.trailing_metadata() or ())
    return status_pb2.Status.FromString(trailers.get(_DETAILS_KEY, b""))
