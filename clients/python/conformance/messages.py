"""Golden cases as the contract's messages, and messages as golden cases have them."""

from collections.abc import Iterable
from typing import Any

from shisanzhi.client import card_text, cards_text, parse_card, parse_cards
from shisanzhi.v1 import game_logic_service_pb2 as service
from shisanzhi.v1.arrangement_pb2 import Arrangement, Category, Row, RowValue
from shisanzhi.v1.match_pb2 import FinishReason, Match
from shisanzhi.v1.round_pb2 import PairResult, RoundResult, RowOutcome
from shisanzhi.v1.ruleset_pb2 import LocalizedText, Ruleset, RulesetInfo

from .cases import Case

PARTS = ("gunshot", "home_run", "royalty", "pair", "total")


def name(enum: Any, number: int) -> str | None:
    """Give a value's name without the prefix; None for the unspecified one."""
    prefix = enum.Name(0).removesuffix("UNSPECIFIED")
    return str(enum.Name(number)).removeprefix(prefix) if number else None


def ruleset(case: Case) -> Ruleset.ValueType:
    return Ruleset.Value(f"RULESET_{case['ruleset'].upper()}")


def judged_by(case: Case) -> dict[str, Any]:
    """Give the fields that every request has which judges cards."""
    return {"ruleset": ruleset(case), "cut_card": parse_card(case["cut"]) if case["cut"] else None}


def seeds(case: Case) -> dict[str, Any]:
    """Give the fields that every request has which draws from a seed."""
    return {
        "ruleset": ruleset(case),
        "seed": bytes.fromhex(case["seed"]),
        "player_seeds": [bytes.fromhex(each) for each in case["player_seeds"]],
    }


def arrangement(case: Case) -> Arrangement:
    return Arrangement(**{row: parse_cards(case[row]) for row in ("front", "middle", "back")})


def score_request(case: Case) -> service.ScoreRequest:
    return service.ScoreRequest(
        **judged_by(case),
        arrangements=map(arrangement, case["arrangements"]),
        dealer=case["dealer"],
    )


def arrange_request(case: Case) -> service.ArrangeRequest:
    return service.ArrangeRequest(
        **judged_by(case),
        hand=parse_cards(case["hand"]),
        max_suggestions=len(case["suggestions"]),
    )


def value(value: RowValue) -> dict[str, Any]:
    return {"category": name(Category, value.category), "ranks": list(value.ranks)}


def units(result: RoundResult) -> dict[str, Any]:
    """Write what a round brought each seat."""
    parts = {part: [getattr(seat, f"{part}_units") for seat in result.seats] for part in PARTS}
    return parts | {"place": [seat.place for seat in result.seats]}


def pair(pair: PairResult) -> dict[str, Any]:
    """Write what passed between two seats."""
    royalties = [each.units if each.payee == pair.seat else -each.units for each in pair.royalties]
    return {
        **{field: getattr(pair, field) for field in ("seat", "opponent", "guns", "gunned")},
        **{row: name(RowOutcome, getattr(pair, row)) for row in ("front", "middle", "back")},
        **{part: getattr(pair, f"{part}_units") for part in PARTS if part != "royalty"},
        "royalty": sum(royalties),
    }


def deal(dealt: service.DealRoundResponse) -> dict[str, Any]:
    """Write a deal."""
    return {
        "dealer": dealt.dealer,
        "first_receiver": dealt.first_receiver,
        "cut_card": card_or_none(dealt.cut_card),
        "turned_up_card": card_or_none(dealt.turned_up_card),
        "commitment": dealt.commitment.hex(),
        "hands": [cards_text(hand.cards) for hand in dealt.hands],
    }


def card_or_none(card: int) -> str | None:
    return card_text(card) if card else None


def suggestions(arranged: service.ArrangeResponse) -> dict[str, Any]:
    """Write how a hand is best arranged."""
    lines = [
        {
            **{
                row: cards_text(getattr(each.arrangement, row))
                for row in ("front", "middle", "back")
            },
            "discards": cards_text(each.discards),
            "expected_units": each.expected_units,
        }
        for each in arranged.suggestions
    ]
    return {"dragon": arranged.dragon, "suggestions": lines}


def match(match: Match) -> dict[str, Any]:
    """Write a match; raises ValueError where its standings contradict its seats."""
    for line in match.standings:
        of_its_seat = match.player_ids[line.seat], match.units[line.seat], match.points[line.seat]
        if of_its_seat != (line.player_id, line.units, line.points):
            raise ValueError(f"expected {of_its_seat} in the standings, got {line}")
    return {
        **{field: getattr(match, field) for field in ("next_round", "dealer", "finished")},
        **{field: list(getattr(match, field)) for field in ("player_ids", "units", "points")},
        "finish_reason": name(FinishReason, match.finish_reason),
        "standings": [{"place": line.place, "seat": line.seat} for line in match.standings],
    }


def text(text: LocalizedText) -> dict[str, str]:
    return {"zh_hant": text.zh_hant, "en": text.en}


def rules(info: RulesetInfo) -> dict[str, Any]:
    """Write every field of a ruleset's description, whatever fields there are."""
    written = dict(_fields(info))
    return written | {"ruleset": str(name(Ruleset, info.ruleset)).lower()}


def _fields(message: Any) -> Iterable[tuple[str, Any]]:
    for field in message.DESCRIPTOR.fields:
        found = getattr(message, field.name)
        match field.name:
            case "deck":
                yield field.name, cards_text(found)
            case "row":
                yield field.name, name(Row, found)
            case "category":
                yield field.name, name(Category, found)
            case "rows" | "ladder" | "royalties":
                yield field.name, [dict(_fields(line)) for line in found]
            case _:
                yield field.name, text(found) if isinstance(found, LocalizedText) else found
