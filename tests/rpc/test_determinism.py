"""The same request gets the same bytes, from any process; errors included."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.message import Message

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.match_pb2 import Match
from shisanzhi.v1.ruleset_pb2 import RULESET_BONUS, RULESET_CLASSIC
from tests.rpc import messages
from tests.rpc.test_bad_input import CASES, EMPTY, FLOODS
from tests.rpc.wire import METHODS, Refusal, Wire
from tests.servers import serving
from tests.vectors import Case, cases


class Servers(NamedTuple):
    """Two servers, in processes that hash strings differently."""

    one: Wire
    other: Wire


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with (
        serving(environment={"PYTHONHASHSEED": "1"}) as one,
        serving(environment={"PYTHONHASHSEED": "4242"}) as other,
        Wire(one.address) as wire_one,
        Wire(other.address) as wire_other,
    ):
        yield Servers(wire_one, wire_other)


def arrange(case: Case) -> Iterator[service_pb2.ArrangeRequest]:
    """Ask for the best arrangements of the four hands of a golden deal."""
    for hand in case["hands"]:
        yield service_pb2.ArrangeRequest(
            ruleset=messages.ruleset(case["ruleset"]),
            cut_card=messages.card(case["cut_card"]),
            hand=messages.cards(hand),
            max_suggestions=20,
        )


def good_requests() -> Iterator[tuple[str, Message]]:
    """Give a request for each golden case; every method has some."""
    for case in cases("evaluate"):
        yield "Evaluate", messages.evaluate(case, case["row"])
    for case in cases("validate"):
        yield "Validate", messages.validate(case)
    for case in cases("score"):
        yield "Score", messages.score(case)
    for case in cases("deal"):
        yield "DealRound", messages.deal(case)
        yield from (("Arrange", request) for request in arrange(case))
    yield "BatchScore", service_pb2.BatchScoreRequest(requests=map(messages.score, cases("score")))
    for case in cases("deal")[:2]:
        yield "BatchArrange", service_pb2.BatchArrangeRequest(requests=arrange(case))
    for ruleset in (RULESET_BONUS, RULESET_CLASSIC):
        yield "GetRuleset", service_pb2.GetRulesetRequest(ruleset=ruleset)
    yield "ListRulesets", service_pb2.ListRulesetsRequest()
    yield "GetTexts", service_pb2.GetTextsRequest()
    for case in cases("match"):
        yield "StartMatch", messages.start_match(case)
        for match, units in zip(case["matches"], case["rounds"], strict=False):
            books = dict(match)
            lines: Any = [
                {
                    **line,
                    "player_id": match["player_ids"][line["seat"]],
                    "units": match["units"][line["seat"]],
                    "points": match["points"][line["seat"]],
                }
                for line in books.pop("standings")
            ]
            del books["finish_reason"]
            message = Match(ruleset=messages.ruleset(case["ruleset"]), standings=lines, **books)
            yield "AdvanceMatch", service_pb2.AdvanceMatchRequest(match=message, units=units)


GOOD = list(good_requests())


@pytest.mark.parametrize("method", METHODS)
def test_the_same_request_gets_the_same_bytes_from_any_process(
    servers: Servers, method: str
) -> None:
    requests = [request.SerializeToString() for name, request in GOOD if name == method]
    assert requests
    answers = [servers.one.send(method, request) for request in requests]
    assert all(isinstance(answer, bytes) for answer in answers)
    assert answers == [servers.other.send(method, request) for request in requests]


@pytest.mark.parametrize("method", METHODS)
def test_the_same_request_gets_the_same_bytes_whatever_was_asked_before(
    servers: Servers, method: str
) -> None:
    requests = [request.SerializeToString() for name, request in GOOD if name == method]
    forwards = [servers.one.send(method, request) for request in requests]
    backwards = [servers.one.send(method, request) for request in reversed(requests)]
    assert forwards == backwards[::-1]


def test_the_same_bad_request_gets_the_same_refusal_from_any_process(servers: Servers) -> None:
    """Message and details, byte for byte; only the id of the call differs."""
    bad = [(case.method, case.request.SerializeToString()) for case in CASES.values()]
    bad += [("Evaluate", request.SerializeToString()) for request in FLOODS.values()]
    bad += [(method, b"") for method in EMPTY]
    bad += [(method, b"\xff") for method in METHODS]
    for method, request in bad:
        expected = told(servers.one.refusal(method, request))
        assert expected == told(servers.other.refusal(method, request))
        assert expected == told(servers.one.refusal(method, request))


def told(refusal: Refusal) -> tuple[grpc.StatusCode, str, bytes]:
    assert refusal.status
    return refusal.code, refusal.message, refusal.status


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("DealRound", service_pb2.DealRoundRequest(ruleset=RULESET_CLASSIC)),
        (
            "StartMatch",
            service_pb2.StartMatchRequest(ruleset=RULESET_BONUS, player_ids=["a", "b", "c", "d"]),
        ),
    ],
)
def test_a_seed_that_the_service_draws_is_new_each_time_and_repeats_its_answer(
    servers: Servers, method: str, request_: Message
) -> None:
    """The one thing that a request does not fix; the answer says it, and then all is fixed."""
    drawn = [wire.ask(method, request_) for wire in servers for _ in range(3)]
    assert len({answer.seed for answer in drawn}) == 6
    for answer in drawn:
        assert len(answer.seed) == 48
        again = type(request_)()
        again.CopyFrom(request_)
        again.MergeFrom(type(request_)(seed=answer.seed))
        assert answer == servers.other.ask(method, again)
