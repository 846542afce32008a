"""A round in a JSON file -> the question that it asks."""

import json
from typing import Final

from shisanzhi.cli.reading import Reader, shorten
from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.errors import Fault, InvalidRequestError, Reason
from shisanzhi.engine.questions import RawArrangement, ScoreQuestion

_FIELDS: Final = ("ruleset", "cut_card", "dealer", "arrangements", "hands")


def read_round(document: str | bytes) -> ScoreQuestion:
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
    reader = Reader()
    fields = reader.fields("", _parse(document), _FIELDS)
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


def _parse(document: str | bytes) -> object:
    try:
        parsed: object = json.loads(document, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        fault = Fault(Reason.MALFORMED_REQUEST, "", f"expected JSON: {error}")
        raise InvalidRequestError((fault,)) from None
    return parsed


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse an object that says something twice: nobody knows which of them should count."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {shorten(twice)} stands twice in one object")
    return fields


def _arrangement(reader: Reader, path: str, value: object) -> RawArrangement:
    fields = reader.fields(path, value, Arrangement._fields)
    return RawArrangement(*(reader.cards(f"{path}.{row}", cards) for row, cards in fields.items()))
