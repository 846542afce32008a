"""Answers in JSON: the contract's response messages, with their names, in a plain notation.

Cards are ``"As"``, several of them one text; ranks are numbers, 2 to 14; enum values are their
names without the prefix; bytes are hexadecimal; what is unset is null.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from shisanzhi.engine.arrangement import Judgement, Violation
from shisanzhi.engine.cards import Card, format_cards
from shisanzhi.engine.deal import Deal
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.scoring import PairResult, RoundResult, Royalty

Document = dict[str, Any]


def evaluation(values: Iterable[RowValue]) -> Document:
    """EvaluateResponse."""
    return {"values": [_value(value) for value in values]}


def judgement(judged: Judgement) -> Document:
    """ValidateResponse."""
    return {
        "legal": judged.legal,
        "violations": [_violation(each) for each in judged.violations],
        "front": _value(judged.front),
        "middle": _value(judged.middle),
        "back": _value(judged.back),
        "discards": format_cards(judged.discards),
        "dragon": judged.dragon,
    }


def deal(dealt: Deal) -> Document:
    """DealRoundResponse."""
    return {
        "seed": dealt.seed.hex(),
        "commitment": dealt.commitment.hex(),
        "dealer": dealt.dealer,
        "cut_card": _card(dealt.cut_card),
        "turned_up_card": _card(dealt.turned_up_card),
        "first_receiver": dealt.first_receiver,
        "hands": [format_cards(hand) for hand in dealt.hands],
        "algorithm": dealt.algorithm,
    }


def settlement(result: RoundResult) -> Document:
    """ScoreResponse."""
    seats = [
        seat._asdict()
        | {"front": _value(seat.front), "middle": _value(seat.middle), "back": _value(seat.back)}
        for seat in result.seats
    ]
    pairs = [_pair(pair) for pair in result.pairs]
    return {"result": {"seats": seats, "pairs": pairs, "showing_order": result.showing_order}}


def _value(value: RowValue | None) -> Document | None:
    if value is None:
        return None
    ranks = [int(rank) for rank in value.ranks]
    return {"category": value.category.name, "ranks": ranks, "strength": value.strength}


def _violation(violation: Violation) -> Document:
    return {
        "reason": violation.reason.name,
        "row": violation.row.name,
        "card": _card(violation.card),
        "description": violation.description,
    }


def _pair(pair: PairResult) -> Document:
    return pair._asdict() | {
        "front": _name(pair.front),
        "middle": _name(pair.middle),
        "back": _name(pair.back),
        "royalties": [_royalty(royalty) for royalty in pair.royalties],
        "total_units": pair.total_units,
    }


def _royalty(royalty: Royalty) -> Document:
    return royalty._asdict() | {"row": _name(royalty.row), "category": _name(royalty.category)}


def _card(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _name(value: Enum | None) -> str | None:
    return None if value is None else value.name
