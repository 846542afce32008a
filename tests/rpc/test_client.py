"""The client answers as the engine itself does, from a real server."""

import socket
from collections.abc import Iterator

import grpc
import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.cards import Card, parse_cards
from shisanzhi.engine.errors import InvalidRequestError, Reason
from shisanzhi.engine.match import Match
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.rpc.client.game_client import Client
from shisanzhi.rpc.client.unanswered import UnansweredError
from tests.generators import raw_match
from tests.servers import serving
from tests.vectors import Case, cases, rows_of, ruleset_of

SEED = bytes(range(48))
PLAYERS = ("ann", "bob", "cho", "dee")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as process, Client(process.address, timeout=30) as connected:
        yield connected


def score_question(case: Case) -> ScoreQuestion:
    return ScoreQuestion(
        ruleset_of(case).number,
        Card.parse(case["cut"]) if case["cut"] else 0,
        [RawArrangement(*rows_of(arrangement)) for arrangement in case["arrangements"]],
        case["dealer"],
    )


def test_rows_are_evaluated(client: Client) -> None:
    rows = [parse_cards("As As Kd"), parse_cards("7s 7s 7h Ks Kd")]
    question = EvaluateQuestion(1, Card.parse("7c"), rows)
    values = client.evaluate(question)
    assert [str(value) for value in values] == ["PAIR A K", "BONUS_FULL_HOUSE 7 K"]
    assert game_logic.evaluate(question) == values


def test_an_arrangement_is_validated(client: Client) -> None:
    rows = RawArrangement(*map(parse_cards, ("9c 9d Kh", "9s 9h 5d 4h 3s", "As Ah 3c 4c 6c")))
    judged = client.validate(ValidateQuestion(2, 0, rows))
    assert not judged.legal
    assert game_logic.validate(ValidateQuestion(2, 0, rows)) == judged


def test_rounds_are_scored(client: Client) -> None:
    for case in cases("score"):
        question = score_question(case)
        result = client.score(question)
        assert case["total"] == [seat.total_units for seat in result.seats]
        assert game_logic.score(question) == result


def test_a_round_is_dealt(client: Client) -> None:
    for question in (
        DealRoundQuestion(1, SEED),
        DealRoundQuestion(2, SEED, (b"x",), 7, 3, (5, 51)),
    ):
        assert game_logic.deal_round(question) == client.deal_round(question)
    assert len(client.deal_round(DealRoundQuestion(1, b"")).seed) == 48


def test_a_hand_is_arranged(client: Client) -> None:
    for number in (1, 2):
        dealt = game_logic.deal_round(DealRoundQuestion(number, SEED))
        question = ArrangeQuestion(number, dealt.cut_card or 0, dealt.hands[0], 5)
        assert game_logic.arrange(question) == client.arrange(question)


def test_hands_are_arranged_together(client: Client) -> None:
    hands = game_logic.deal_round(DealRoundQuestion(2, SEED)).hands
    questions = [ArrangeQuestion(2, 0, hand, 2) for hand in hands]
    arranged = tuple(map(game_logic.arrange, questions))
    assert arranged == game_logic.batch_arrange(questions) == client.batch_arrange(questions)


def test_rounds_are_scored_together(client: Client) -> None:
    questions = [score_question(case) for case in cases("score")]
    results = tuple(map(game_logic.score, questions))
    assert results == game_logic.batch_score(questions) == client.batch_score(questions)


def test_a_dragon_is_arranged(client: Client) -> None:
    hand = parse_cards("2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac")
    arranged = client.arrange(ArrangeQuestion(2, 0, hand))
    assert arranged.dragon
    assert game_logic.arrange(ArrangeQuestion(2, 0, hand)) == arranged


def test_rulesets_are_described(client: Client) -> None:
    assert game_logic.list_rulesets() == client.list_rulesets()
    assert game_logic.list_rulesets() == (client.get_ruleset(1), client.get_ruleset(2))


def test_texts_are_told(client: Client) -> None:
    assert game_logic.get_texts() == client.get_texts()


def test_a_match_is_opened_and_goes_on_to_its_end(client: Client) -> None:
    question = StartMatchQuestion(2, SEED, (b"x",), PLAYERS)
    start = client.start_match(question)
    assert game_logic.start_match(question) == start
    match: Match = start.match
    for number in range(1, 17):
        assert (number, False) == (match.next_round, match.finished)
        match = client.advance_match(AdvanceMatchQuestion(raw_match(match), (3, -1, -1, -1)))
    assert match.finished
    assert match.units == (48, -16, -16, -16)


def test_all_faults_come_back_as_the_engine_says_them(client: Client) -> None:
    question = ScoreQuestion(1, 0, (), 9, ((), ()))
    with pytest.raises(InvalidRequestError) as expected:
        game_logic.score(question)
    with pytest.raises(InvalidRequestError) as caught:
        client.score(question)
    assert expected.value.faults == caught.value.faults
    reasons = {fault.reason for fault in caught.value.faults}
    assert {Reason.CUT_CARD_REQUIRED, Reason.SEAT_UNKNOWN} <= reasons
    assert isinstance(caught.value.__cause__, grpc.RpcError)


def test_a_server_that_is_not_there_is_said_so() -> None:
    """The port was free a moment ago, and nobody listens on it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
    with Client(address, timeout=5) as client, pytest.raises(UnansweredError) as caught:
        client.get_ruleset(1)
    assert str(caught.value).startswith(f"expected an answer from {address}, got UNAVAILABLE: ")


def test_a_server_that_does_not_answer_in_time_is_said_so() -> None:
    """Somebody listens and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with Client(address, timeout=0.2) as client, pytest.raises(UnansweredError) as caught:
            client.get_ruleset(1)
    assert "DEADLINE_EXCEEDED" in str(caught.value)
