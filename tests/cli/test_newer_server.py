"""A server that is newer than the command: what it alone knows is shown as its number."""

import json
from collections.abc import Iterator
from concurrent import futures
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from shisanzhi.engine import game_logic
from shisanzhi.rpc.messages import decode, encode
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1 import game_logic_service_pb2_grpc as service_grpc
from tests.cli.running import CLASSIC, FOUL, ROUND_FILE, run

NEW: Any = 99
"""A value that no enum has."""


class Newer(service_grpc.GameLogicServiceServicer):
    """Answers as the engine does, and then says something new."""

    def Evaluate(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        response = service_pb2.EvaluateResponse()
        for number in range(len(request.rows)):
            response.values.add(category=(NEW, 2)[number % 2], ranks=[14, NEW, 1], strength=1)
        return response

    def Validate(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        response = encode.validate_response(game_logic.validate(decode.validate_request(request)))
        response.violations[0].reason = NEW
        response.violations.add(reason=1, row=NEW)
        return response

    def Score(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        response = encode.score_response(game_logic.score(decode.score_request(request)))
        pair = response.result.pairs[0]
        pair.front = NEW
        for royalty in pair.royalties[:1]:
            royalty.category = NEW
        for royalty in pair.royalties[1:]:
            royalty.row = NEW
        response.result.seats[0].front.category = NEW
        return response

    def StartMatch(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        question = decode.start_match_request(request)
        return encode.start_match_response(game_logic.start_match(question))

    def DealRound(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        question = decode.deal_round_request(request)
        return encode.deal_round_response(game_logic.deal_round(question))

    def Arrange(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        response = encode.arrange_response(game_logic.arrange(decode.arrange_request(request)))
        if request.max_suggestions > 1:
            response.suggestions[0].arrangement.front[0] = NEW
        return response

    def AdvanceMatch(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        question = decode.advance_match_request(request)
        response = encode.advance_match_response(game_logic.advance_match(question))
        response.match.finished = True
        response.match.finish_reason = NEW
        return response

    def BatchArrange(self, request: Any, context: Any) -> Any:  # noqa: N802
        raise NotImplementedError

    def BatchScore(self, request: Any, context: Any) -> Any:  # noqa: N802
        raise NotImplementedError

    def GetTexts(self, request: Any, context: Any) -> Any:  # noqa: N802
        raise NotImplementedError

    def ListRulesets(self, request: Any, context: Any) -> Any:  # noqa: N802
        raise NotImplementedError

    def GetRuleset(self, request: Any, context: Any) -> Any:  # noqa: N802
        del context
        info = game_logic.get_ruleset(decode.get_ruleset_request(request))
        response = encode.get_ruleset_response(info)
        response.ruleset.ladder[0].category = NEW
        response.ruleset.rows[0].row = NEW
        response.ruleset.royalties[0].category = NEW
        return response


class NewHealth(health_pb2_grpc.HealthServicer):
    def Check(self, request: Any, context: Any) -> Any:  # noqa: N802
        del request, context
        return health_pb2.HealthCheckResponse(status=NEW)


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    server = grpc.server(futures.ThreadPoolExecutor(2))
    service_grpc.add_GameLogicServiceServicer_to_server(Newer(), server)
    health_pb2_grpc.add_HealthServicer_to_server(NewHealth(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None)


def document(target: str, *words: str) -> Any:
    return json.loads(run(*words, "--json", "--target", target).stdout)


def lines(target: str, *words: str) -> str:
    """What is drawn, with single blanks."""
    result = run(*words, "--target", target)
    assert result.stderr == ""
    return " ".join(result.stdout.split())


def test_a_category_and_ranks_are_shown(target: str) -> None:
    words = ("evaluate", *CLASSIC, "As Kd Qc", "2s 2d 3c")
    assert "99 A 99 1" in lines(target, *words)
    assert "pair A 99 1" in lines(target, *words)
    assert document(target, *words)["values"][0] == {
        "category": "99",
        "ranks": [14, 99, 1],
        "strength": 1,
    }


def test_a_reason_and_a_row_are_shown(target: str) -> None:
    assert lines(target, "validate", *CLASSIC, *FOUL).endswith("front 99 99 wrong number of cards")
    assert document(target, "validate", *CLASSIC, *FOUL)["violations"][0]["reason"] == "99"


def test_outcomes_and_royalties_are_shown(target: str) -> None:
    drawn = lines(target, "score", str(ROUND_FILE))
    assert "0–1 99 lost lost" in drawn
    assert "1 0 middle 99 2" in drawn
    assert "1 0 99 straight flush 1" in drawn
    pair = document(target, "score", str(ROUND_FILE))["result"]["pairs"][0]
    assert pair["front"] == "99"
    assert pair["royalties"][0]["category"] == "99"


def test_why_a_match_is_over_is_shown(target: str) -> None:
    assert lines(target, "match").endswith(" 99")
    assert document(target, "match")["rounds"][0]["match"]["finish_reason"] == "99"


def test_a_ladder_is_shown(target: str) -> None:
    assert "five of a kind" in lines(target, "rules")
    assert document(target, "rules")["ruleset"]["ladder"][0]["category"] == "99"


def test_a_health_status_is_shown_and_is_a_no(target: str) -> None:
    result = run("health", "--target", target)
    assert (result.exit_code, result.stdout) == (1, "99\n")


def test_a_card_that_is_none_here_is_no_answer(target: str) -> None:
    hand = "2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac"
    result = run("arrange", *CLASSIC, "--top", "2", hand, "--target", target)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == (
        f"error: expected an answer from {target}, got one with an unknown value: 99; "
        "it may be newer than this command\n"
    )
