"""Answers in JSON: the contract's response messages, with their names, in a plain notation.

Cards are ``"As"``, several of them one text; ranks are numbers, 2 to 14; enum values are their
names without the prefix; bytes are hexadecimal; what is unset is null.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from shisanzhi.cli.playing import PlayedRound
from shisanzhi.engine.arrangement import Arrangement, Judgement
from shisanzhi.engine.cards import Card, format_cards
from shisanzhi.engine.deal import Deal
from shisanzhi.engine.description import RoyaltyInfo, RulesetInfo
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import Match, MatchStart
from shisanzhi.engine.names import Text
from shisanzhi.engine.rows import ROWS, Violation
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.scoring.results import PairResult, RoundResult, Royalty
from shisanzhi.engine.solver.arranger import Arranged

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


def arrangements(arranged: Arranged) -> Document:
    """ArrangeResponse."""
    suggestions = [
        {
            "arrangement": _arrangement(each.arrangement),
            "discards": format_cards(each.discards),
            "front": _value(each.front),
            "middle": _value(each.middle),
            "back": _value(each.back),
            "expected_units": each.expected_units,
        }
        for each in arranged.suggestions
    ]
    return {"suggestions": suggestions, "dragon": arranged.dragon}


def ruleset(info: RulesetInfo) -> Document:
    """GetRulesetResponse."""
    rows = [row._asdict() | {"row": row.row.name, "name": row.name._asdict()} for row in info.rows]
    ladder = [
        rung._asdict() | {"category": rung.category.name, "name": rung.name._asdict()}
        for rung in info.ladder
    ]
    royalties = [_royalty(royalty) | {"name": royalty.name._asdict()} for royalty in info.royalties]
    names = {
        name: text._asdict() for name, text in info._asdict().items() if isinstance(text, Text)
    }
    parts = {"deck": format_cards(info.deck), "rows": rows, "ladder": ladder}
    described = info._asdict() | names | parts | {"royalties": royalties}
    return {"ruleset": described | {"ruleset": _ruleset(info.ruleset)}}


def transcript(
    player_seeds: Iterable[bytes], start: MatchStart, played: Iterable[PlayedRound]
) -> Document:
    """Write down a whole match: how it began, and each round from the deal to the books."""
    draws = [draw._asdict() | {"cards": format_cards(draw.cards)} for draw in start.draws]
    return {
        "seed": start.seed.hex(),
        "player_seeds": [player_seed.hex() for player_seed in player_seeds],
        "commitment": start.commitment.hex(),
        "draws": draws,
        "match": _match(start.match),
        "rounds": [
            {
                "deal": deal(each.deal),
                "arrangements": [_arrangement(rows) for rows in each.arrangements],
                **settlement(each.result),
                "match": _match(each.match),
            }
            for each in played
        ],
    }


def _match(books: Match) -> Document:
    return books._asdict() | {
        "ruleset": _ruleset(books.ruleset),
        "finished": books.finished,
        "finish_reason": _name(books.finish_reason),
        "standings": [line._asdict() for line in books.standings],
    }


def _arrangement(rows: Arrangement) -> Document:
    return {row.field: format_cards(cards) for row, cards in zip(ROWS, rows, strict=True)}


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


def _royalty(royalty: Royalty | RoyaltyInfo) -> Document:
    return royalty._asdict() | {"row": _name(royalty.row), "category": _name(royalty.category)}


def _ruleset(number: int) -> str:
    return RULESETS[number].key.upper()


def _card(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _name(value: Enum | None) -> str | None:
    return None if value is None else value.name
