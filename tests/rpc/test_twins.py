"""What is encoded decodes to the same value, questions and answers alike, by way of the bytes."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Arrangement, bonus_rank_of, judge
from shisanzhi.engine.match import FinishReason, Match, advance_match
from shisanzhi.engine.questions import (
    DealRoundQuestion,
    RawArrangement,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.rows import ViolationReason
from shisanzhi.engine.rulesets import BONUS, CLASSIC, RULESETS
from shisanzhi.engine.scoring.results import RoundResult
from shisanzhi.engine.scoring.round import score
from shisanzhi.rpc.calls.methods import METHODS
from shisanzhi.rpc.messages import decode, decode_parts, encode, encode_parts
from shisanzhi.v1.ruleset_pb2 import LocalizedText
from tests import generators
from tests.generators import PlayedRound, played
from tests.random_rounds import random_round

T = TypeVar("T")
M = TypeVar("M", bound=Message)


def round_trip(value: T, encoded: Callable[[T], M], decoded: Callable[[M], T]) -> T:
    """Encode, send and decode a value."""
    message = encoded(value)
    received = type(message).FromString(message.SerializeToString())
    assert message == received
    returned = decoded(received)
    assert message == encoded(returned)
    return returned


QUESTIONS: dict[str, tuple[st.SearchStrategy[Any], Callable[..., Any], Callable[..., Any]]] = {
    "Evaluate": (
        generators.evaluate_questions,
        encode.evaluate_request,
        decode.evaluate_request,
    ),
    "Validate": (
        generators.validate_questions,
        encode.validate_request,
        decode.validate_request,
    ),
    "Score": (generators.score_questions, encode.score_request, decode.score_request),
    "DealRound": (generators.deal_questions, encode.deal_round_request, decode.deal_round_request),
    "Arrange": (generators.arrange_questions, encode.arrange_request, decode.arrange_request),
    "BatchArrange": (
        st.lists(generators.arrange_questions, max_size=3).map(tuple),
        encode.batch_arrange_request,
        decode.batch_arrange_request,
    ),
    "BatchScore": (
        st.lists(generators.score_questions, max_size=3).map(tuple),
        encode.batch_score_request,
        decode.batch_score_request,
    ),
    "GetRuleset": (
        st.integers(-(2**31), 2**31 - 1),
        encode.get_ruleset_request,
        decode.get_ruleset_request,
    ),
    "StartMatch": (
        generators.start_questions,
        encode.start_match_request,
        decode.start_match_request,
    ),
    "AdvanceMatch": (
        generators.advance_questions,
        encode.advance_match_request,
        decode.advance_match_request,
    ),
}


@pytest.mark.parametrize("method", QUESTIONS)
@given(data=st.data())
def test_a_question_comes_back_whatever_it_asks(method: str, data: st.DataObject) -> None:
    questions, encoded, decoded = QUESTIONS[method]
    question = data.draw(questions)
    assert question == round_trip(question, encoded, decoded)


def test_an_unset_part_is_not_an_empty_one() -> None:
    """No arrangement and no match are kept apart from empty ones, no dealer from seat 0."""
    empty = ValidateQuestion(1, 78, RawArrangement((), (), ()))
    none = empty._replace(arrangement=None)
    assert encode.validate_request(empty) != encode.validate_request(none)
    seat_0 = DealRoundQuestion(1, b"", dealer=0)
    drawn = seat_0._replace(dealer=None)
    assert encode.deal_round_request(seat_0) != encode.deal_round_request(drawn)
    for question in (empty, none):
        assert question == round_trip(question, encode.validate_request, decode.validate_request)
    for deal in (seat_0, drawn):
        assert deal == round_trip(deal, encode.deal_round_request, decode.deal_round_request)
    by_seat_0 = ScoreQuestion(1, 78, (), dealer=0)
    by_nobody = by_seat_0._replace(dealer=None)
    assert encode.score_request(by_seat_0) != encode.score_request(by_nobody)
    for scored in (by_seat_0, by_nobody):
        assert scored == round_trip(scored, encode.score_request, decode.score_request)


ANSWERS: dict[str, tuple[st.SearchStrategy[Any], Callable[..., Any], Callable[..., Any]]] = {
    "Evaluate": (
        generators.rows(4).map(
            lambda case: tuple(
                map(case.ruleset.evaluator(bonus_rank_of(case.cut_card)).value, case.rows)
            )
        ),
        encode.evaluate_response,
        decode.evaluate_response,
    ),
    "Validate": (generators.judgements(), encode.validate_response, decode.validate_response),
    "Score": (generators.round_results(), encode.score_response, decode.score_response),
    "DealRound": (
        generators.deals().map(game_logic.deal_round),
        encode.deal_round_response,
        decode.deal_round_response,
    ),
    "Arrange": (generators.suggestions(), encode.arrange_response, decode.arrange_response),
    "BatchArrange": (
        st.lists(generators.suggestions(), max_size=3).map(tuple),
        encode.batch_arrange_response,
        decode.batch_arrange_response,
    ),
    "BatchScore": (
        st.lists(generators.round_results(), max_size=3).map(tuple),
        encode.batch_score_response,
        decode.batch_score_response,
    ),
    "GetRuleset": (
        st.sampled_from(list(RULESETS)).map(game_logic.get_ruleset),
        encode.get_ruleset_response,
        decode.get_ruleset_response,
    ),
    "ListRulesets": (
        st.builds(game_logic.list_rulesets),
        encode.list_rulesets_response,
        decode.list_rulesets_response,
    ),
    "GetTexts": (
        st.builds(game_logic.get_texts),
        encode.get_texts_response,
        decode.get_texts_response,
    ),
    "StartMatch": (
        generators.match_questions.map(game_logic.start_match),
        encode.start_match_response,
        decode.start_match_response,
    ),
    "AdvanceMatch": (
        generators.matches(),
        encode.advance_match_response,
        decode.advance_match_response,
    ),
}


def test_every_answer_has_its_twin() -> None:
    assert set(ANSWERS) == set(METHODS)


@pytest.mark.parametrize("method", ANSWERS)
@given(data=st.data())
def test_an_answer_comes_back_whatever_it_says(method: str, data: st.DataObject) -> None:
    answers, encoded, decoded = ANSWERS[method]
    answer = data.draw(answers)
    assert answer == round_trip(answer, encoded, decoded)


@given(generators.matches())
def test_a_match_that_is_handed_back_says_what_was_handed_out(match: Match) -> None:
    """The answer's message is the next question's."""
    assert generators.raw_match(match) == decode_parts.raw_match(encode_parts.match(match))


@pytest.mark.parametrize("key", ["bonus", "classic"])
def test_rounds_of_every_kind_come_back(key: str) -> None:
    """Fouls, dragons, home runs, and royalties of every line of the table are among them."""
    rng = Random(13)
    met: Counter[object] = Counter()
    for _ in range(1500):
        laid = played(random_round(rng, key))
        legal = True
        for hand, arrangement in zip(laid.hands, laid.arrangements, strict=True):
            judged = judge(laid.ruleset, arrangement, laid.cut_card, hand)
            assert judged == round_trip(judged, encode.validate_response, decode.validate_response)
            met.update(violation.reason for violation in judged.violations)
            legal = legal and judged.legal
        if legal:
            met.update(kinds(come_back(laid)))
    wanted: set[object] = {ViolationReason.FRONT_NOT_BELOW_MIDDLE, "home run"}
    wanted |= {ViolationReason.MIDDLE_NOT_BELOW_BACK, *RULESETS_BY_KEY[key].royalties}
    wanted |= {"dragon", (None, None)} if key == "classic" else set()
    assert wanted <= set(met)


RULESETS_BY_KEY = {"bonus": BONUS, "classic": CLASSIC}


def come_back(laid: PlayedRound) -> RoundResult:
    """Score a round and send the answer to and fro."""
    result = score(laid.ruleset, laid.arrangements, laid.cut_card, dealer=laid.dealer)
    assert result == round_trip(result, encode.score_response, decode.score_response)
    return result


def kinds(result: RoundResult) -> set[object]:
    """Name what a round holds of what is seldom."""
    found: set[object] = {
        (royalty.row, royalty.category) for pair in result.pairs for royalty in pair.royalties
    }
    if any(pair.home_run_units for pair in result.pairs):
        found.add("home run")
    if any(seat.dragon for seat in result.seats):
        found.add("dragon")
    return found


def test_texts_of_values_that_are_newer_than_this_version_are_left_out() -> None:
    response = encode.get_texts_response(game_logic.get_texts())
    for field in response.DESCRIPTOR.fields:
        getattr(response, field.name).add(value=99, text=LocalizedText(zh_hant="新", en="new"))
    assert game_logic.get_texts() == decode.get_texts_response(response)


def test_seats_drawn_again_come_back() -> None:
    question = StartMatchQuestion(2, (2).to_bytes(16, "big"), (), ("ann", "bob", "cho", "dee"))
    start = game_logic.start_match(question)
    assert [len(draw.cards) for draw in start.draws] == [3, 3, 3, 3]
    assert start == round_trip(start, encode.start_match_response, decode.start_match_response)


@pytest.mark.parametrize(
    ("units", "rounds", "reason"),
    [
        ((0, -155, 155, 0), 1, FinishReason.POINTS_LOST),
        ((0, 0, 0, 0), 16, FinishReason.ROUNDS_PLAYED),
        ((0, 0, 0, 0), 15, None),
    ],
)
def test_how_a_match_ended_comes_back(
    units: tuple[int, ...], rounds: int, reason: FinishReason | None
) -> None:
    question = StartMatchQuestion(2, bytes(16), (), ("ann", "bob", "cho", "dee"))
    match = game_logic.start_match(question).match
    for _ in range(rounds):
        match = advance_match(CLASSIC, match, units)
    returned = round_trip(match, encode.advance_match_response, decode.advance_match_response)
    assert (reason, match) == (returned.finish_reason, returned)


def test_a_row_of_the_wrong_size_has_no_value_on_the_way_back_either() -> None:
    judged = judge(CLASSIC, Arrangement((), (), ()))
    assert (judged.front, judged.middle, judged.back) == (None, None, None)
    assert judged == round_trip(judged, encode.validate_response, decode.validate_response)
