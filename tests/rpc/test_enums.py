"""What the engine counts and what the contract counts are the same, name by name."""

import enum

import pytest
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from shisanzhi.engine.cards import CARDS, Rank, Suit
from shisanzhi.engine.categories import Category
from shisanzhi.engine.errors import Reason
from shisanzhi.engine.match import FinishReason
from shisanzhi.engine.rows import Row, ViolationReason
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.scoring.results import RowOutcome
from shisanzhi.v1 import (
    arrangement_pb2,
    card_pb2,
    error_pb2,
    match_pb2,
    round_pb2,
    ruleset_pb2,
)


@pytest.mark.parametrize(
    ("ours", "contract"),
    [
        (Category, arrangement_pb2.Category),
        (FinishReason, match_pb2.FinishReason),
        (Rank, card_pb2.Rank),
        (Reason, error_pb2.ErrorReason),
        (Row, arrangement_pb2.Row),
        (RowOutcome, round_pb2.RowOutcome),
        (Suit, card_pb2.Suit),
        (ViolationReason, arrangement_pb2.ViolationReason),
    ],
)
def test_names_and_numbers_are_those_of_the_contract(
    ours: type[enum.Enum], contract: EnumTypeWrapper
) -> None:
    prefix = contract.Name(0).removesuffix("UNSPECIFIED")
    theirs = {name.removeprefix(prefix): number for name, number in contract.items() if number}
    assert {each.name: each.value for each in ours if each.value} == theirs


def test_cards_and_rulesets_are_those_of_the_contract() -> None:
    cards = {f"CARD_{card.suit.name}_{card.rank.name}": number for number, card in CARDS.items()}
    assert {**cards, "CARD_UNSPECIFIED": 0} == dict(card_pb2.Card.items())
    rulesets = {f"RULESET_{rules.key.upper()}": number for number, rules in RULESETS.items()}
    assert {**rulesets, "RULESET_UNSPECIFIED": 0} == dict(ruleset_pb2.Ruleset.items())


def test_categories_count_from_one_without_a_gap() -> None:
    """The royalty table is a list by their number."""
    assert [category.value for category in Category] == list(range(1, len(Category) + 1))
