"""What ``encode.py`` makes messages of; the twin of ``decode_parts.py``."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.description import RulesetInfo
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import Match, SeatDraw
from shisanzhi.engine.names import Text
from shisanzhi.engine.questions import (
    RawArrangement,
    RawMatch,
)
from shisanzhi.engine.rows import Violation
from shisanzhi.engine.scoring.results import PairResult, RoundResult, SeatResult
from shisanzhi.engine.solver.arranger import Suggestion
from shisanzhi.v1 import arrangement_pb2, card_pb2, match_pb2, round_pb2, ruleset_pb2
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2

_Info = TypeVar("_Info", ruleset_pb2.RowInfo, ruleset_pb2.CategoryInfo, ruleset_pb2.RoyaltyInfo)
_Said = TypeVar(
    "_Said",
    service_pb2.ViolationReasonText,
    service_pb2.ErrorReasonText,
    service_pb2.FinishReasonText,
    service_pb2.RowOutcomeText,
)


def card_list(cards: Sequence[int]) -> card_pb2.CardList:
    """Encode cards, in their order."""
    numbers: Any = cards
    return card_pb2.CardList(cards=numbers)


def arrangement(rows: RawArrangement | Arrangement) -> arrangement_pb2.Arrangement:
    """Encode the three rows of a seat."""
    front: Any = rows.front
    middle: Any = rows.middle
    back: Any = rows.back
    return arrangement_pb2.Arrangement(front=front, middle=middle, back=back)


def suggestion(found: Suggestion) -> arrangement_pb2.Suggestion:
    """Encode an arrangement suggested."""
    discards: Any = found.discards
    return arrangement_pb2.Suggestion(
        arrangement=arrangement(found.arrangement),
        discards=discards,
        front=row_value(found.front),
        middle=row_value(found.middle),
        back=row_value(found.back),
        expected_units=found.expected_units,
    )


def optional(value: RowValue | None) -> arrangement_pb2.RowValue | None:
    """Encode what a row is worth, if anything."""
    return None if value is None else row_value(value)


@cache
def row_value(value: RowValue) -> arrangement_pb2.RowValue:
    """Encode what a row is worth; there are some 20,000 values, each encoded once."""
    category: Any = value.category
    ranks: Any = value.ranks
    return arrangement_pb2.RowValue(category=category, ranks=ranks, strength=value.strength)


def violation(broken: Violation) -> arrangement_pb2.Violation:
    """Encode a rule broken."""
    reason: Any = broken.reason
    row: Any = broken.row
    card: Any = broken.card
    return arrangement_pb2.Violation(
        reason=reason, row=row, card=card, description=broken.description
    )


def write_round(message: round_pb2.RoundResult, result: RoundResult) -> None:
    """Write into the response itself: messages made apart would be copied.

    Its parts are joined as bytes, which takes less time than to set their fields: most have been
    written before.
    """
    for seat in result.seats:
        message.seats.add().MergeFromString(_seat_bytes(seat))
    message.MergeFromString(b"".join(map(_pair_bytes, result.pairs)))
    message.showing_order.extend(result.showing_order)


def _seat_bytes(result: SeatResult) -> bytes:
    seat, front, middle, back, *counts = result
    return (
        _row_bytes("front", front)
        + _row_bytes("middle", middle)
        + _row_bytes("back", back)
        + _counts_bytes(seat, *counts)
    )


@lru_cache(maxsize=1 << 15)
def _row_bytes(field: str, value: RowValue) -> bytes:
    """Encode one row of a seat's result."""
    fields: dict[str, Any] = {field: row_value(value)}
    return round_pb2.SeatResult(**fields).SerializeToString()


@lru_cache(maxsize=1 << 13)
def _counts_bytes(*counts: int) -> bytes:
    """Encode all of a seat's result but the rows."""
    fields: dict[str, Any] = dict(zip(_COUNTS, counts, strict=True))
    return round_pb2.SeatResult(**fields).SerializeToString()


_COUNTS: Final = tuple(
    name for name in SeatResult._fields if name not in {"front", "middle", "back"}
)


@lru_cache(maxsize=1 << 13)
def _pair_bytes(result: PairResult) -> bytes:
    """Encode one pair of a round's result."""
    fields: dict[str, Any] = result._asdict()
    fields["royalties"] = [round_pb2.Royalty(**each._asdict()) for each in result.royalties]
    pair = round_pb2.PairResult(total_units=result.total_units, **fields)
    return round_pb2.RoundResult(pairs=[pair]).SerializeToString()


def match(books: Match | RawMatch) -> match_pb2.Match:
    """Encode a match."""
    ruleset: Any = books.ruleset
    finish_reason: Any = books.finish_reason
    return match_pb2.Match(
        ruleset=ruleset,
        player_ids=books.player_ids,
        next_round=books.next_round,
        dealer=books.dealer,
        units=books.units,
        points=books.points,
        finished=books.finished,
        finish_reason=finish_reason,
        standings=[match_pb2.Standing(**standing._asdict()) for standing in books.standings],
    )


def seat_draw(draw: SeatDraw) -> match_pb2.SeatDraw:
    """Encode what a player drew."""
    cards: Any = draw.cards
    return match_pb2.SeatDraw(player=draw.player, cards=cards, seat=draw.seat)


def ruleset_info(info: RulesetInfo) -> ruleset_pb2.RulesetInfo:
    """Encode the description of a ruleset: fields have the same names in both."""
    fields: dict[str, Any] = info._asdict()
    parts = {
        "rows": [_named(ruleset_pb2.RowInfo, row) for row in info.rows],
        "ladder": [_named(ruleset_pb2.CategoryInfo, rung) for rung in info.ladder],
        "royalties": [_named(ruleset_pb2.RoyaltyInfo, royalty) for royalty in info.royalties],
    }
    return ruleset_pb2.RulesetInfo(**(_texts(fields) | parts))


def said(message: type[_Said], table: Mapping[Any, Text]) -> list[_Said]:
    """Encode a text for each value of an enum; the unspecified one is None."""
    numbers: Iterable[Any] = (0 if key is None else key.value for key in table)
    return [
        message(value=number, text=_text(text))
        for number, text in zip(numbers, table.values(), strict=True)
    ]


def _named(message: type[_Info], part: NamedTuple) -> _Info:
    return message(**_texts(part._asdict()))


def _texts(fields: dict[str, Any]) -> dict[str, Any]:
    """Encode the names among some fields."""
    return {
        key: _text(value) if isinstance(value, Text) else value for key, value in fields.items()
    }


def _text(text: Text) -> ruleset_pb2.LocalizedText:
    return ruleset_pb2.LocalizedText(zh_hant=text.zh_hant, en=text.en)
