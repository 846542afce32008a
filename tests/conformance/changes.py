"""Golden cases with one expectation changed in each: a runner that passes one does not compare it.

Every kind of field that answers is changed in some case; lists are cut short, what is null is set.
"""

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.vectors import Case, cases

ASKS: Final[Mapping[str, frozenset[str]]] = {
    "evaluate": frozenset({"ruleset", "cut", "row"}),
    "order": frozenset({"ruleset", "cut"}),
    "validate": frozenset({"ruleset", "cut", "front", "middle", "back", "hand"}),
    "score": frozenset({"ruleset", "cut", "dealer", "arrangements"}),
    "pairs": frozenset({"ruleset", "cut", "dealer", "arrangements"}),
    "deal": frozenset({"ruleset", "seed", "player_seeds", "round", "dealer_named", "cuts"}),
    "seats": frozenset({"seed"}),
    "arrange": frozenset({"ruleset", "cut", "hand"}),
    "match": frozenset({"ruleset", "seed", "player_seeds", "player_ids", "rounds"}),
    "rulesets": frozenset({"ruleset"}),
    "texts": frozenset({"enum"}),
    "errors": frozenset({"method", "request", "request_bytes"}),
}
"""The fields of each kind that ask; all others answer, but for the note."""

_OF_ANY_LENGTH: Final = frozenset(
    {"ranks", "reasons", "faults", "texts", "ladder", "royalties", "rows", "standings"}
)
"""Lists that a runner must find too short."""

_OTHER: Final = {
    "category": ("PAIR", "FLUSH"),
    "row": ("FRONT", "BACK"),
    "outcome": ("WON", "LOST"),
    "finish_reason": ("ROUNDS_PLAYED", "POINTS_LOST"),
    "code": ("NOT_FOUND", "INTERNAL"),
    "reason": ("ROW_COUNT", "HAND_SIZE"),
    "reasons": ("ROW_SIZE", "CARD_REPEATED"),
    "cut_card": ("As", "Kd"),
    "turned_up_card": ("As", "Kd"),
}
"""Two values for each field that has but few: a change is to the one that it is not."""

Place = tuple[str | int, ...]
"""Where in a case: names and indexes."""


def write_changed(folder: Path) -> dict[str, list[Place]]:
    """Write every kind's changed cases; give, for each line, what was changed."""
    changed = {}
    for kind in ASKS:
        every = list(changed_cases(kind))
        _write(folder / f"{kind}.jsonl", [case for _, case in every])
        changed[kind] = [place for place, _ in every]
    return changed


def write_as_they_are(folder: Path) -> None:
    """Write every kind as it is."""
    for kind in ASKS:
        _write(folder / f"{kind}.jsonl", cases(kind))


def _write(path: Path, lines: list[Case]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def changed_cases(kind: str) -> Iterator[tuple[Place, Case]]:
    """Give a case for each shape of place that answers, such as ``pairs[].guns``, changed there.

    The first of a list is one shape, all others are another.
    """
    seen = set()
    for case in cases(kind):
        for place, value in _places(case, ASKS[kind] | {"note"}):
            shape = (
                *(each if isinstance(each, str) else each == 0 for each in place),
                value is None,
            )
            if shape not in seen:
                seen.add(shape)
                yield place, _with(case, place, other(kind, case, place, value))
    if kind == "order":
        yield from _disordered()


def _disordered() -> Iterator[tuple[Place, Case]]:
    """Rows out of order, and a row that is not less than itself."""
    for case in cases("order"):
        rows = case["ascending"]
        yield ("ascending", 0), {**case, "ascending": [rows[1], rows[0], *rows[2:]]}
        yield ("ascending", -1), {**case, "ascending": [*rows, rows[-1]]}


def _places(case: Any, but: frozenset[str] = frozenset()) -> Iterator[tuple[Place, Any]]:
    """Walk what a case says, down to the single values; lists of any length are places too."""
    for key, value in case.items() if isinstance(case, dict) else enumerate(case):
        if key in but or key == "ascending":
            continue
        if isinstance(value, dict | list) and value:
            yield from (((key, *place), found) for place, found in _places(value))
        if not isinstance(value, dict | list) or key in _OF_ANY_LENGTH:
            yield (key,), value


def _with(case: Case, place: Place, value: Any) -> Case:
    changed: Any = copy.deepcopy(dict(case))
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return dict(changed)


def other(kind: str, case: Case, place: Place, value: Any) -> Any:
    """Give a value that may stand in a place, and is wrong there.

    >>> other("score", {}, ("total", 0), 5), other("evaluate", {}, ("category",), "PAIR")
    (4, 'FLUSH')
    >>> other("deal", {}, ("hands", 0), "2s 6h 5c")
    '2s 5c 6h'
    """
    name = next(each for each in reversed(place) if isinstance(each, str))
    match value:
        case bool():
            return not value
        case int():
            return value - 1 if value > 0 else value + 1
        case float():
            return value + 0.5
        case list():
            return value[:-1] if value else [_OTHER[name][0]]
    values = _values(kind, case, name)
    return next((each for each in values if each != value), None) or _other_text(str(value))


def _values(kind: str, case: Case, name: str) -> Sequence[str]:
    """Give the values that a field of few may have; of any other field none."""
    if kind == "texts" and name == "value":
        return [each["value"] for each in case["texts"]]
    return _OTHER.get("outcome" if kind == "pairs" else name, ())


def _other_text(text: str) -> str:
    if re.fullmatch(r"[0-9a-f]{64}", text):
        return f"{int(text[0], 16) ^ 1:x}{text[1:]}"
    match text.split():
        case [*cards, one, two] if len(two) == 2 and one != two:
            return " ".join([*cards, two, one])
        case [card] if re.fullmatch(r"[2-9TJQKA][cdhs]", card):
            return "2c" if card != "2c" else "3c"
        case _:
            return f"{text}x"
