"""The client for programs that wait for each answer, from as many threads as they like."""

from types import TracebackType
from typing import Any, Self, TypeVar

import grpc

from shisanzhi.client.channel import Options, channel_options
from shisanzhi.client.errors import call_error
from shisanzhi.v1.game_logic_service_pb2 import (
    AdvanceMatchRequest,
    AdvanceMatchResponse,
    ArrangeRequest,
    ArrangeResponse,
    BatchArrangeRequest,
    BatchArrangeResponse,
    BatchScoreRequest,
    BatchScoreResponse,
    DealRoundRequest,
    DealRoundResponse,
    EvaluateRequest,
    EvaluateResponse,
    GetRulesetRequest,
    GetRulesetResponse,
    GetTextsRequest,
    GetTextsResponse,
    ListRulesetsRequest,
    ListRulesetsResponse,
    ScoreRequest,
    ScoreResponse,
    StartMatchRequest,
    StartMatchResponse,
    ValidateRequest,
    ValidateResponse,
)
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")


class Client:
    """A connection to the service, for use in a ``with`` block.

    Every method raises :class:`~shisanzhi.client.CallError` if it is not answered. A timeout is in
    seconds; without one the service config's ten hold.
    """

    def __init__(
        self,
        address: str,
        credentials: grpc.ChannelCredentials | None = None,
        options: Options = (),
    ) -> None:
        """Take ``host:port`` or another target of grpc's, and credentials where it speaks TLS."""
        every = channel_options(options)
        self._channel = (
            grpc.secure_channel(address, credentials, every)
            if credentials
            else grpc.insecure_channel(address, every)
        )
        self._stub = GameLogicServiceStub(self._channel)

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
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def evaluate(self, request: EvaluateRequest, timeout: float | None = None) -> EvaluateResponse:
        """Say what rows are worth."""
        return self._call("Evaluate", self._stub.Evaluate, request, timeout)

    def validate(self, request: ValidateRequest, timeout: float | None = None) -> ValidateResponse:
        """Say whether an arrangement is legal, and everything that it breaks."""
        return self._call("Validate", self._stub.Validate, request, timeout)

    def score(self, request: ScoreRequest, timeout: float | None = None) -> ScoreResponse:
        """Settle a round."""
        return self._call("Score", self._stub.Score, request, timeout)

    def deal_round(
        self, request: DealRoundRequest, timeout: float | None = None
    ) -> DealRoundResponse:
        """Deal a round from a seed."""
        return self._call("DealRound", self._stub.DealRound, request, timeout)

    def arrange(self, request: ArrangeRequest, timeout: float | None = None) -> ArrangeResponse:
        """Find the best arrangements of a hand."""
        return self._call("Arrange", self._stub.Arrange, request, timeout)

    def batch_arrange(
        self, request: BatchArrangeRequest, timeout: float | None = None
    ) -> BatchArrangeResponse:
        """Arrange many hands."""
        return self._call("BatchArrange", self._stub.BatchArrange, request, timeout)

    def batch_score(
        self, request: BatchScoreRequest, timeout: float | None = None
    ) -> BatchScoreResponse:
        """Settle many rounds."""
        return self._call("BatchScore", self._stub.BatchScore, request, timeout)

    def get_ruleset(
        self, request: GetRulesetRequest, timeout: float | None = None
    ) -> GetRulesetResponse:
        """Describe one ruleset."""
        return self._call("GetRuleset", self._stub.GetRuleset, request, timeout)

    def list_rulesets(
        self, request: ListRulesetsRequest, timeout: float | None = None
    ) -> ListRulesetsResponse:
        """Describe every ruleset."""
        return self._call("ListRulesets", self._stub.ListRulesets, request, timeout)

    def get_texts(self, request: GetTextsRequest, timeout: float | None = None) -> GetTextsResponse:
        """Say in both languages what reasons and outcomes mean."""
        return self._call("GetTexts", self._stub.GetTexts, request, timeout)

    def start_match(
        self, request: StartMatchRequest, timeout: float | None = None
    ) -> StartMatchResponse:
        """Open a match."""
        return self._call("StartMatch", self._stub.StartMatch, request, timeout)

    def advance_match(
        self, request: AdvanceMatchRequest, timeout: float | None = None
    ) -> AdvanceMatchResponse:
        """Add a settled round to a match."""
        return self._call("AdvanceMatch", self._stub.AdvanceMatch, request, timeout)

    @staticmethod
    def _call(
        name: str,
        method: "grpc.UnaryUnaryMultiCallable[Request, Response]",
        request: Request,
        timeout: float | None,
    ) -> Response:
        try:
            return method(request, timeout=timeout)
        except grpc.RpcError as error:
            call: Any = error  # the error that a stub raises is also its grpc.Call
            trailers = call.trailing_metadata() or ()
            raise call_error(name, call.code(), call.details() or "", trailers) from error
