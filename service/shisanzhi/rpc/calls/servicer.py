"""One method per RPC: decode, ask, encode."""

from typing import Final, TypeVar

from shisanzhi.engine import game_logic
from shisanzhi.engine.questions import DealRoundQuestion, StartMatchQuestion
from shisanzhi.rpc.messages import decode, encode
from shisanzhi.seeds import draw_seed
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2

_QUICK_STEPS: Final = 128_000
"""Less than a millisecond, within which all but one hand in some hundreds is arranged."""


class TakesLongerError(Exception):
    """What was asked for at once is not done at once."""


class GameLogic:
    """The service ``shisanzhi.v1.GameLogicService``, without its transport.

    Every method raises :class:`~shisanzhi.engine.errors.InvalidRequestError` for a request that
    cannot be answered.
    """

    def Evaluate(self, request: service_pb2.EvaluateRequest) -> service_pb2.EvaluateResponse:
        """Judge rows one by one."""
        return encode.evaluate_response(game_logic.evaluate(decode.evaluate_request(request)))

    def Validate(self, request: service_pb2.ValidateRequest) -> service_pb2.ValidateResponse:
        """Judge one arrangement."""
        return encode.validate_response(game_logic.validate(decode.validate_request(request)))

    def Score(self, request: service_pb2.ScoreRequest) -> service_pb2.ScoreResponse:
        """Settle a round."""
        return encode.score_response(game_logic.score(decode.score_request(request)))

    def DealRound(self, request: service_pb2.DealRoundRequest) -> service_pb2.DealRoundResponse:
        """Deal a round."""
        question = seeded(decode.deal_round_request(request))
        return encode.deal_round_response(game_logic.deal_round(question))

    def Arrange(self, request: service_pb2.ArrangeRequest) -> service_pb2.ArrangeResponse:
        """Arrange a hand."""
        return encode.arrange_response(game_logic.arrange(decode.arrange_request(request)))

    def arrange_at_once(self, request: service_pb2.ArrangeRequest) -> service_pb2.ArrangeResponse:
        """Arrange a hand if that is quickly done; raises :class:`TakesLongerError` if not."""
        question = decode.arrange_request(request)
        arranged = game_logic.arrange_at_once(question, _QUICK_STEPS)
        if arranged is None:
            raise TakesLongerError
        return encode.arrange_response(arranged)

    def BatchArrange(
        self, request: service_pb2.BatchArrangeRequest
    ) -> service_pb2.BatchArrangeResponse:
        """Arrange hands; the server does it in pieces (``batch.py``)."""
        questions = decode.batch_arrange_request(request)
        return encode.batch_arrange_response(game_logic.batch_arrange(questions))

    def BatchScore(self, request: service_pb2.BatchScoreRequest) -> service_pb2.BatchScoreResponse:
        """Settle rounds; the server does it in pieces (``batch.py``)."""
        questions = decode.batch_score_request(request)
        return encode.batch_score_response(game_logic.batch_score(questions))

    def GetRuleset(self, request: service_pb2.GetRulesetRequest) -> service_pb2.GetRulesetResponse:
        """Describe one ruleset."""
        info = game_logic.get_ruleset(decode.get_ruleset_request(request))
        return encode.get_ruleset_response(info)

    def ListRulesets(self, _: service_pb2.ListRulesetsRequest) -> service_pb2.ListRulesetsResponse:
        """Describe every ruleset."""
        return encode.list_rulesets_response(game_logic.list_rulesets())

    def GetTexts(self, _: service_pb2.GetTextsRequest) -> service_pb2.GetTextsResponse:
        """Say what reasons and outcomes mean."""
        return encode.get_texts_response(game_logic.get_texts())

    def StartMatch(self, request: service_pb2.StartMatchRequest) -> service_pb2.StartMatchResponse:
        """Open a match."""
        question = seeded(decode.start_match_request(request))
        return encode.start_match_response(game_logic.start_match(question))

    def AdvanceMatch(
        self, request: service_pb2.AdvanceMatchRequest
    ) -> service_pb2.AdvanceMatchResponse:
        """Add a round to a match."""
        question = decode.advance_match_request(request)
        return encode.advance_match_response(game_logic.advance_match(question))


Seeded = TypeVar("Seeded", DealRoundQuestion, StartMatchQuestion)


def seeded(question: Seeded) -> Seeded:
    """Draw a seed where the request names none: the one thing that a request does not fix."""
    return question if question.seed else question._replace(seed=draw_seed())
