"""Whatever the contract can say has a text, and in each language one of its own."""

import re

import pytest
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from shisanzhi.engine import game_logic
from shisanzhi.engine.batch import MAX_REQUESTS
from shisanzhi.engine.checks import MAX_PLAYER_SEEDS, MAX_ROWS, PLAYER_SEED_SIZES, SEED_SIZES
from shisanzhi.engine.errors import Reason
from shisanzhi.engine.match_checks import PLAYER_ID_SIZES
from shisanzhi.engine.names import Language
from shisanzhi.engine.rulesets import CLASSIC
from shisanzhi.engine.solver.search import MOST_KEPT
from shisanzhi.engine.texts import TEXTS
from shisanzhi.v1.arrangement_pb2 import ViolationReason
from shisanzhi.v1.error_pb2 import ErrorReason
from shisanzhi.v1.match_pb2 import FinishReason
from shisanzhi.v1.round_pb2 import RowOutcome
from tests.vectors import Case, every_case

ENUMS = {
    "violation_reasons": ViolationReason,
    "error_reasons": ErrorReason,
    "finish_reasons": FinishReason,
    "row_outcomes": RowOutcome,
}
FIELDS = {enum.DESCRIPTOR.name: field for field, enum in ENUMS.items()}
TABLES = pytest.mark.parametrize(("field", "enum"), ENUMS.items())


@TABLES
def test_every_value_has_a_text_in_the_order_of_the_enum(enum: EnumTypeWrapper, field: str) -> None:
    prefix = _prefix(enum)
    names = [value.name.removeprefix(prefix) for value in enum.DESCRIPTOR.values]
    assert names == ["UNSPECIFIED" if key is None else key.name for key in getattr(TEXTS, field)]


@TABLES
def test_texts_have_the_numbers_of_the_enum(enum: EnumTypeWrapper, field: str) -> None:
    assert enum.values() == [0 if key is None else key.value for key in getattr(TEXTS, field)]


@TABLES
def test_texts_are_distinct(enum: EnumTypeWrapper, field: str) -> None:
    texts = getattr(TEXTS, field).values()
    assert len({text.zh_hant for text in texts}) == len(enum.keys())
    assert len({text.en for text in texts}) == len(enum.keys())


@TABLES
def test_texts_are_written_in_their_languages(enum: EnumTypeWrapper, field: str) -> None:
    assert enum.keys()
    for text in getattr(TEXTS, field).values():
        assert text.en.isascii()
        assert any("\u4e00" <= letter <= "\u9fff" for letter in text.zh_hant)


@every_case("texts")
def test_every_text_is_the_golden_one(case: Case) -> None:
    table = getattr(game_logic.get_texts(), FIELDS[case["enum"]])
    assert case["texts"] == [
        {"value": "UNSPECIFIED" if key is None else key.name, "text": text._asdict()}
        for key, text in table.items()
    ]


def _prefix(enum: EnumTypeWrapper) -> str:
    return enum.keys()[0].removesuffix("UNSPECIFIED")


NUMBERS = {
    Reason.ROW_COUNT: (1, MAX_ROWS),
    Reason.REQUEST_COUNT: (1, MAX_REQUESTS),
    Reason.SEAT_UNKNOWN: (0, CLASSIC.seats - 1),
    Reason.SEED_SIZE: (SEED_SIZES[0], SEED_SIZES[-1]),
    Reason.PLAYER_SEED_COUNT: (MAX_PLAYER_SEEDS,),
    Reason.PLAYER_SEED_SIZE: (PLAYER_SEED_SIZES[0], PLAYER_SEED_SIZES[-1]),
    Reason.CUT_OUT_OF_RANGE: (1, len(CLASSIC.deck) - 1),
    Reason.SUGGESTION_COUNT: (MOST_KEPT,),
    Reason.PLAYER_ID_SIZE: (PLAYER_ID_SIZES[0], PLAYER_ID_SIZES[-1]),
}


def test_the_numbers_in_texts_are_those_that_are_checked() -> None:
    for language in Language:
        said = {
            reason: tuple(map(int, re.findall(r"\d+", text.say(language))))
            for reason, text in TEXTS.error_reasons.items()
        }
        assert {reason: numbers for reason, numbers in said.items() if numbers} == NUMBERS
