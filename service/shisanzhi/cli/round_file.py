"""A round in a JSON file -> the question that it asks."""

import json
from typing import Final

from shisanzhi.cli.reading import Reader, shorten
from shisanzhi.cli.wording import NONE, as_it_is, expected
from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.errors import Fault, InvalidRequestError, Reason
from shisanzhi.engine.names import Language, Text
from shisanzhi.engine.questions import RawArrangement, ScoreQuestion

_FIELDS: Final = ("ruleset", "cut_card", "dealer", "arrangements", "hands")
_JSON: Final = Text("JSON", "JSON")


def read_round(document: str | bytes, language: Language = Language.EN) -> ScoreQuestion:
    """Read a round to be scored.

    >>> read_round('{"ruleset": "bonus", "cut_card": "7c", "arrangements": [{"front": "As"}]}')
    ScoreQuestion(ruleset=1, cut_card=Card.parse('7c'), arrangements=[RawArrangement(\
front=(Card.parse('As'),), middle=(), back=())], dealer=0, hands=[])
    >>> read_round('{"cut": "7c"}')
    Traceback (most recent call last):
    ...
    shisanzhi.engine.errors.InvalidRequestError: cut: expected one of the fields ruleset, \
cut_card, dealer, arrangements, hands, got 'cut'
    """
    reader = Reader(language)
    fields = reader.fields("", _parse(document, language), _FIELDS)
    arrangements = reader.items("arrangements", fields["arrangements"])
    hands = reader.items("hands", fields["hands"])
    question = ScoreQuestion(
        reader.ruleset("ruleset", fields["ruleset"]),
        reader.card("cut_card", fields["cut_card"]),
        [
            _arrangement(reader, f"arrangements[{seat}]", each)
            for seat, each in enumerate(arrangements)
        ],
        reader.number("dealer", fields["dealer"]),
        [reader.cards(f"hands[{seat}].cards", each) for seat, each in enumerate(hands)],
    )
    reader.finish()
    return question


def _parse(document: str | bytes, language: Language) -> object:
    try:
        parsed: object = json.loads(document, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        what = expected(_JSON, _instead(error)).say(language)
        raise InvalidRequestError((Fault(Reason.MALFORMED_REQUEST, "", what),)) from None
    return parsed


def _instead(error: ValueError | RecursionError) -> Text:
    """Say what came instead of JSON, in words of the file and not of Python."""
    match error:
        case _TwiceError(field=field):
            return Text(f"同一物件中有兩個欄位 {field}", f"the field {field} twice in one object")
        case json.JSONDecodeError(doc=doc, pos=pos, lineno=line, colno=column):
            if not doc.strip():
                return NONE
            found = Text("檔尾", "its end") if pos >= len(doc) else as_it_is(shorten(doc[pos]))
            return Text(
                f"{found.zh_hant}（第 {line} 行第 {column} 字）",
                f"{found.en} at line {line}, column {column}",
            )
        case UnicodeError():
            return Text("不是 UTF-8 的位元組", "bytes that are no UTF-8")
        case RecursionError():
            return Text("太多層", "too many levels")
    return Text("太長的數字", "a number that is too long")


class _TwiceError(ValueError):
    """An object that says something twice: nobody knows which of them should count."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(shorten(next(name for name in names if names.count(name) > 1)))
    return fields


def _arrangement(reader: Reader, path: str, value: object) -> RawArrangement:
    fields = reader.fields(path, value, Arrangement._fields)
    return RawArrangement(*(reader.cards(f"{path}.{row}", cards) for row, cards in fields.items()))
