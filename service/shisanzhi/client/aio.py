"""The client of a program that does much at once, in asyncio."""

from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

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

if TYPE_CHECKING:  # it is a name of the types alone
    from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceAsyncStub

Request = TypeVar("Request")
Response = TypeVar("Response")


class AsyncClient:
    """A connection to the service, for use in an ``async with`` block.

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
            grpc.aio.secure_channel(address, credentials, every)
            if credentials
            else grpc.aio.insecure_channel(address, every)
        )
        self._stub: GameLogicServiceAsyncStub = GameLogicServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        """Give the client itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection."""
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def evaluate(
        self, request: EvaluateRequest, timeout: float | None = None
    ) -> EvaluateResponse:
        """Say what rows are worth."""
        return await self._call("Evaluate", self._stub.Evaluate, request, timeout)

    async def validate(
        self, request: ValidateRequest, timeout: float | None = None
    ) -> ValidateResponse:
        """Say whether an arrangement is legal, and everything that it breaks."""
        return await self._call("Validate", self._stub.Validate, request, timeout)

    async def score(self, request: ScoreRequest, timeout: float | None = None) -> ScoreResponse:
        """Settle a round."""
        return await self._call("Score", self._stub.Score, request, timeout)

    async def deal_round(
        self, request: DealRoundRequest, timeout: float | None = None
    ) -> DealRoundResponse:
        """Deal a round from a seed."""
        return await self._call("DealRound", self._stub.DealRound, request, timeout)

    async def arrange(
        self, request: ArrangeRequest, timeout: float | None = None
    ) -> ArrangeResponse:
        """Find the best arrangements of a hand."""
        return await self._call("Arrange", self._stub.Arrange, request, timeout)

    async def batch_arrange(
        self, request: BatchArrangeRequest, timeout: float | None = None
    ) -> BatchArrangeResponse:
        """Arrange many hands."""
        return await self._call("BatchArrange", self._stub.BatchArrange, request, timeout)

    async def batch_score(
        self, request: BatchScoreRequest, timeout: float | None = None
    ) -> BatchScoreResponse:
        """Settle many rounds."""
        return await self._call("BatchScore", self._stub.BatchScore, request, timeout)

    async def get_ruleset(
        self, request: GetRulesetRequest, timeout: float | None = None
    ) -> GetRulesetResponse:
        """Describe one ruleset."""
        return await self._call("GetRuleset", self._stub.GetRuleset, request, timeout)

    async def list_rulesets(
        self, request: ListRulesetsRequest, timeout: float | None = None
    ) -> ListRulesetsResponse:
        """Describe every ruleset."""
        return await self._call("ListRulesets", self._stub.ListRulesets, request, timeout)

    async def get_texts(
        self, request: GetTextsRequest, timeout: float | None = None
    ) -> GetTextsResponse:
        """Say in both languages what reasons and outcomes mean."""
        return await self._call("GetTexts", self._stub.GetTexts, request, timeout)

    async def start_match(
        self, request: StartMatchRequest, timeout: float | None = None
    ) -> StartMatchResponse:
        """Open a match."""
        return await self._call("StartMatch", self._stub.StartMatch, request, timeout)

    async def advance_match(
        self, request: AdvanceMatchRequest, timeout: float | None = None
    ) -> AdvanceMatchResponse:
        """Add a settled round to a match."""
        return await self._call("AdvanceMatch", self._stub.AdvanceMatch, request, timeout)

    @staticmethod
    async def _call(
        name: str,
        method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]",
        request: Request,
        timeout: float | None,
    ) -> Response:
        try:
            return await method(request, timeout=timeout)
        except grpc.aio.AioRpcError as error:
            trailers = error.trailing_metadata() or ()
            raise call_error(name, error.code(), error.details() or "", trailers) from error
