"""What the engine counts and what the contract counts are the same, name by name."""

import enum

import pytest
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from shisanzhi.engine.cards import CARDS, Rank, Suit
from shisanzhi.engine.categories import Category
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.v1 import arrangement_pb2, card_pb2, ruleset_pb2


@pytest.mark.parametrize(
    ("ours", "contract"),
    [
        (Category, arrangement_pb2.Category),
        (Rank, card_pb2.Rank),
        (Row, arrangement_pb2.Row),
        (Suit, card_pb2.Suit),
    ],
)
def test_names_and_numbers_are_those_of_the_contract(
    ours: type[enum.IntEnum], contract: EnumTypeWrapper
) -> None:
    prefix = contract.DESCRIPTOR.name.upper() + "_"
    theirs = {name.removeprefix(prefix): number for name, number in contract.items() if number}
    assert {each.name: each.value for each in ours} == theirs


def test_cards_and_rulesets_are_those_of_the_contract() -> None:
    cards = {f"CARD_{card.suit.name}_{card.rank.name}": number for number, card in CARDS.items()}
    assert {**cards, "CARD_UNSPECIFIED": 0} == dict(card_pb2.Card.items())
    rulesets = {f"RULESET_{rules.key.upper()}": number for number, rules in RULESETS.items()}
    assert {**rulesets, "RULESET_UNSPECIFIED": 0} == dict(ruleset_pb2.Ruleset.items())


def test_categories_count_from_one_without_a_gap() -> None:
    """The royalty table is a list by their number."""
    assert [category.value for category in Category] == list(range(1, len(Category) + 1))
