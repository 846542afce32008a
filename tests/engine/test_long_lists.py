"""Lists far longer than they may be are refused, and quickly."""

import time
import tracemalloc

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.errors import MAX_FAULTS, InvalidRequestError, Reason
from shisanzhi.engine.questions import (
    EvaluateQuestion,
    RawArrangement,
    ScoreQuestion,
    ValidateQuestion,
)

LONG = 60_000
"""About as many cards as a request of the shipped size limit holds."""

SECONDS = 1
"""Ten times what it takes; were it to grow with the square of the length it would be minutes."""

MEMORY = 2_000_000
"""Bytes; the question itself is about as large."""

NO_CARD, ACE_OF_SPADES = 0, 78


@pytest.mark.parametrize("number", [NO_CARD, ACE_OF_SPADES])
def test_an_endless_row_of_a_seat_is_refused_quickly(number: int) -> None:
    rows = RawArrangement((number,) * LONG, (), ())
    started = time.perf_counter()
    with pytest.raises(InvalidRequestError) as refused:
        game_logic.score(ScoreQuestion(2, 0, [rows] * 4, 0, [[number] * LONG] * 4))
    assert time.perf_counter() - started < SECONDS
    assert len(refused.value.faults) == MAX_FAULTS


@pytest.mark.parametrize("number", [NO_CARD, ACE_OF_SPADES])
def test_an_endless_row_fills_no_memory(number: int) -> None:
    rows = RawArrangement((number,) * LONG, (), ())
    tracemalloc.start()
    try:
        with pytest.raises(InvalidRequestError):
            game_logic.score(ScoreQuestion(2, 0, [rows] * 4, 0))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY


def test_an_endless_row_that_is_validated_is_refused_quickly() -> None:
    started = time.perf_counter()
    with pytest.raises(InvalidRequestError):
        game_logic.validate(ValidateQuestion(2, 0, RawArrangement((NO_CARD,) * LONG, (), ())))
    assert time.perf_counter() - started < SECONDS


def test_a_card_repeated_endlessly_in_a_row_is_one_violation() -> None:
    rows = RawArrangement((ACE_OF_SPADES,) * LONG, (), ())
    judged = game_logic.validate(ValidateQuestion(2, 0, rows))
    reasons = [violation.reason.name for violation in judged.violations]
    assert reasons == ["ROW_SIZE", "ROW_SIZE", "ROW_SIZE", "CARD_REPEATED"]


def test_what_is_past_the_end_of_a_list_that_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(InvalidRequestError) as refused:
        game_logic.evaluate(EvaluateQuestion(2, 0, [[78, 77, 76]] * 1000 + [[NO_CARD]] * LONG))
    assert [fault.reason for fault in refused.value.faults] == [Reason.ROW_COUNT]
