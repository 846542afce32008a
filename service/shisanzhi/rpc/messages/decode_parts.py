"""What ``decode.py`` makes values of; the twin of ``encode_parts.py``.

Cards are sliced out of a message, since a slice is read in one go and items one by one.
"""

import enum
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.cards import CARDS, Card, Rank
from shisanzhi.engine.categories import Category
from shisanzhi.engine.checks import LONGEST
from shisanzhi.engine.description import CategoryInfo, RowInfo, RoyaltyInfo, RulesetInfo
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import FinishReason, Match, Standing
from shisanzhi.engine.names import Text
from shisanzhi.engine.questions import (
    RawArrangement,
    RawMatch,
    Unread,
)
from shisanzhi.engine.rows import Row, Violation, ViolationReason
from shisanzhi.engine.scoring.results import (
    PairResult,
    RoundResult,
    RowOutcome,
    Royalty,
    SeatResult,
)
from shisanzhi.engine.solver.arranger import Suggestion
from shisanzhi.v1 import arrangement_pb2, card_pb2, match_pb2, round_pb2, ruleset_pb2

_Member = TypeVar("_Member", bound=enum.IntEnum)
_Value = TypeVar("_Value", bound=enum.Enum)
_Message = TypeVar("_Message")
_Item = TypeVar("_Item")


def member(kind: type[_Member], number: int) -> _Member:
    """Give an enum's value by number; one that a newer server has is made up, named by its number.

    >>> member(Category, 2).name, member(Category, 99).name
    ('PAIR', '99')
    """
    try:
        return kind(number)
    except ValueError:
        made_up = int.__new__(kind, number)
        made_up._name_, made_up._value_ = str(number), number
        return made_up


def cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    """Decode cards of an answer, in their order."""
    return tuple([CARDS[number] for number in numbers])


def arrangement(rows: arrangement_pb2.Arrangement) -> RawArrangement:
    """Decode the three rows of a seat."""
    return RawArrangement(read_list(rows.front), read_list(rows.middle), read_list(rows.back))


def suggestion(found: arrangement_pb2.Suggestion) -> Suggestion:
    """Decode an arrangement suggested."""
    rows = found.arrangement
    return Suggestion(
        arrangement=Arrangement(cards(rows.front), cards(rows.middle), cards(rows.back)),
        discards=cards(found.discards),
        front=row_value(found.front),
        middle=row_value(found.middle),
        back=row_value(found.back),
        expected_units=found.expected_units,
    )


def row_value(value: arrangement_pb2.RowValue) -> RowValue:
    """Decode what a row is worth."""
    return RowValue(
        member(Category, value.category),
        tuple([member(Rank, rank) for rank in value.ranks]),
        value.strength,
    )


def violation(broken: arrangement_pb2.Violation) -> Violation:
    """Decode a rule broken."""
    return Violation(
        member(ViolationReason, broken.reason),
        member(Row, broken.row),
        CARDS.get(broken.card),
        broken.description,
    )


def round_result(result: round_pb2.RoundResult) -> RoundResult:
    """Decode a round settled."""
    return RoundResult(
        tuple(map(_seat_result, result.seats)),
        tuple(map(_pair_result, result.pairs)),
        tuple(result.showing_order),
    )


def _seat_result(result: round_pb2.SeatResult) -> SeatResult:
    return SeatResult(
        seat=result.seat,
        front=row_value(result.front),
        middle=row_value(result.middle),
        back=row_value(result.back),
        dragon=result.dragon,
        pair_units=result.pair_units,
        gunshot_units=result.gunshot_units,
        home_run_units=result.home_run_units,
        royalty_units=result.royalty_units,
        total_units=result.total_units,
        place=result.place,
        points=result.points,
    )


def _pair_result(result: round_pb2.PairResult) -> PairResult:
    return PairResult(
        result.seat,
        result.opponent,
        _outcome(result.front),
        _outcome(result.middle),
        _outcome(result.back),
        pair_units=result.pair_units,
        gunshot_units=result.gunshot_units,
        home_run_units=result.home_run_units,
        royalties=tuple(map(_royalty, result.royalties)),
        guns=result.guns,
        gunned=result.gunned,
    )


def _outcome(number: int) -> RowOutcome | None:
    return member(RowOutcome, number) if number else None


def _royalty(royalty: round_pb2.Royalty) -> Royalty:
    return Royalty(
        royalty.payee,
        royalty.payer,
        *_royalty_line(royalty.row, royalty.category),
        royalty.units,
    )


def match(books: match_pb2.Match) -> Match:
    """Decode a match of an answer."""
    return Match(
        ruleset=books.ruleset,
        player_ids=tuple(books.player_ids),
        next_round=books.next_round,
        dealer=books.dealer,
        units=tuple(books.units),
        points=tuple(books.points),
        finish_reason=member(FinishReason, books.finish_reason) if books.finish_reason else None,
        standings=tuple(map(_standing, books.standings)),
    )


def raw_match(books: match_pb2.Match) -> RawMatch:
    """Decode a match that a caller hands back."""
    return RawMatch(
        ruleset=books.ruleset,
        player_ids=read_list(books.player_ids),
        next_round=books.next_round,
        dealer=books.dealer,
        units=read_list(books.units),
        points=read_list(books.points),
        finished=books.finished,
        finish_reason=books.finish_reason,
        standings=read_each(books.standings, _standing),
    )


def _standing(line: match_pb2.Standing) -> Standing:
    return Standing(line.place, line.seat, line.player_id, line.units, line.points)


def ruleset_info(info: ruleset_pb2.RulesetInfo) -> RulesetInfo:
    """Decode the description of a ruleset."""
    return RulesetInfo(
        ruleset=info.ruleset,
        name=_text(info.name),
        deck=cards(info.deck),
        hand_size=info.hand_size,
        rows=tuple(RowInfo(member(Row, row.row), _text(row.name), row.size) for row in info.rows),
        middle_may_equal_back=info.middle_may_equal_back,
        ladder=tuple(
            CategoryInfo(member(Category, rung.category), _text(rung.name), rung.fits_front)
            for rung in info.ladder
        ),
        royalties=tuple(map(_royalty_info, info.royalties)),
        unit_name=_text(info.unit_name),
        gunshot_name=_text(info.gunshot_name),
        home_run_name=_text(info.home_run_name),
        pair_units=info.pair_units,
        gunshot_units=info.gunshot_units,
        home_run_units=info.home_run_units,
        dragon_units=info.dragon_units,
        points_per_unit=info.points_per_unit,
        starting_points=info.starting_points,
        rounds=info.rounds,
        arrange_seconds=info.arrange_seconds,
        has_bonus_rank=info.has_bonus_rank,
        max_cuts=info.max_cuts,
    )


def _royalty_info(line: ruleset_pb2.RoyaltyInfo) -> RoyaltyInfo:
    return RoyaltyInfo(*_royalty_line(line.row, line.category), line.units, _text(line.name))


def said(kind: type[_Value], lines: Iterable[Any]) -> dict[_Value | None, Text]:
    """Decode a text for each value of an enum; the unspecified one is None, if it has no name."""
    values = {0: None} | {member.value: member for member in kind}
    return {values[line.value]: _text(line.text) for line in lines if line.value in values}


def _text(text: ruleset_pb2.LocalizedText) -> Text:
    return Text(text.zh_hant, text.en)


def _royalty_line(row: int, category: int) -> tuple[Row | None, Category | None]:
    """Decode where a royalty stands in the table; the dragon's has neither row nor category."""
    return (
        member(Row, row) if row else None,
        member(Category, category) if category else None,
    )


def card_list(cards: card_pb2.CardList) -> tuple[int, ...]:
    """Decode the cards of a question."""
    return read_list(cards.cards)


def read_list(items: Sequence[_Item]) -> tuple[_Item, ...]:
    """Decode a list of numbers or texts, unless there are too many."""
    return tuple(items[:]) if len(items) <= LONGEST else Unread(len(items))


def read_each(
    messages: Sequence[_Message], decode: Callable[[_Message], _Item], most: int = LONGEST
) -> tuple[_Item, ...]:
    """Decode the messages of a list, unless there are too many."""
    return tuple(map(decode, messages)) if len(messages) <= most else Unread(len(messages))
