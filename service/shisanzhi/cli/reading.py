"""Texts and JSON -> the raw values of questions, with every word that cannot be read."""

import json
import re
import reprlib
from collections.abc import Collection, Iterator
from string import hexdigits
from typing import Final

from shisanzhi.cli.wording import NONE, as_it_is, expected
from shisanzhi.engine.cards import Card
from shisanzhi.engine.errors import CardSyntaxError, Faults, Reason
from shisanzhi.engine.names import Language, Text
from shisanzhi.engine.rulesets import RULESETS

_UINT32: Final = range(2**32)
_RULESET_NUMBERS: Final = {ruleset.key: number for number, ruleset in RULESETS.items()}
_HEXADECIMAL: Final = Text("十六進位數字", "hexadecimal digits")
_CARD: Final = "As, Td, 10d or ♠A"
_BETWEEN_CARDS: Final = re.compile(r"[,;/|+.，、；／｜-]*")
_LONGEST_CARD: Final = 6
"""Characters of a card as long as it can be written, such as 黑桃10 with a variation selector."""

shorten: Final = reprlib.repr
"""Quotes a text that was not expected, without what a terminal would obey, and not at length."""


class Reader:
    """Reads the parts of one question and collects the faults, told in one language.

    What is not given (None) becomes what the engine takes for unset. What cannot be read is never
    used: :meth:`finish` raises first.

    >>> reader = Reader()
    >>> reader.cards("hand", "As Xx 10d 9"), reader.number("dealer", "one")
    ((Card.parse('As'), Card.parse('Td')), 0)
    >>> reader.finish()
    Traceback (most recent call last):
    ...
    shisanzhi.engine.errors.InvalidRequestError: hand[1]: expected a card such as As, Td, 10d or \
♠A, got 'Xx'; hand[3]: expected a card such as As, Td, 10d or ♠A, got '9'; dealer: expected a \
whole number from 0 to 4294967295, got 'one'
    """

    def __init__(self, language: Language = Language.EN) -> None:
        """Start with no faults."""
        self._language = language
        self._faults = Faults()

    def finish(self) -> None:
        """Raise all faults together, if there were any."""
        self._faults.check()

    def ruleset(self, path: str, key: object) -> int:
        """Read a ruleset's key; give its number."""
        text = self.text(path, key)
        if text and text not in _RULESET_NUMBERS:
            keys = Text(" 或 ".join(_RULESET_NUMBERS), " or ".join(_RULESET_NUMBERS))
            self._add(Reason.RULESET_UNKNOWN, path, keys, as_it_is(shorten(text)))
        return _RULESET_NUMBERS.get(text, 0)

    def card(self, path: str, word: object) -> int:
        """Read one card."""
        text = self.text(path, word)
        return (self._card(path, text) or 0) if text else 0

    def cards(self, path: str, words: object) -> tuple[int, ...]:
        """Read cards separated by white space."""
        located = enumerate(self.text(path, words).split())
        cards = [self._card(f"{path}[{index}]", word) for index, word in located]
        return tuple([card for card in cards if card is not None])

    def seed(self, path: str, digits: object) -> bytes:
        """Read bytes in hexadecimal, two digits each; a long one may have been folded."""
        text = "".join(self.text(path, digits).split())
        strange = next((digit for digit in text if digit not in hexdigits), None)
        if digits is not None and not text:
            self._malformed(path, _HEXADECIMAL, NONE)
        elif strange:
            got = Text(f"{strange!r} 在其中", f"{strange!r} among them")
            self._malformed(path, _HEXADECIMAL, got)
        elif len(text) % 2:
            each = Text("每個位元組兩個十六進位數字", "two hexadecimal digits for each byte")
            got = Text(f"{len(text)} 個", f"{len(text)} in all")
            self._malformed(path, each, got)
        else:
            return bytes.fromhex(text)
        return b""

    def number(self, path: str, value: object) -> int:
        """Read a number that the contract can hold."""
        if value is None:
            return 0
        if not isinstance(value, int) or isinstance(value, bool) or value not in _UINT32:
            last = _UINT32[-1]
            what = Text(f"0 到 {last} 的整數", f"a whole number from 0 to {last}")
            self._malformed(path, what, describe(value))
            return 0
        return value

    def text(self, path: str, value: object) -> str:
        """Read a text."""
        if value is None:
            return ""
        if not isinstance(value, str):
            self._malformed(path, Text("文字", "a text"), describe(value))
            return ""
        return value

    def items(self, path: str, value: object) -> list[object]:
        """Read a list."""
        if value is None:
            return []
        if not isinstance(value, list):
            self._malformed(path, Text("清單", "a list"), describe(value))
            return []
        return value

    def fields(self, path: str, value: object, names: Collection[str]) -> dict[str, object]:
        """Read an object that has no fields but these; what it leaves out is None."""
        if not isinstance(value, dict):
            self._malformed(path, Text("物件", "an object"), describe(value))
            return dict.fromkeys(names)
        for name in [name for name in value if name not in names]:
            field = name if name.isidentifier() else shorten(name)
            where = f"{path}.{field}" if path else field
            known = Text(f"欄位 {'、'.join(names)} 之一", f"one of the fields {', '.join(names)}")
            self._malformed(where, known, as_it_is(shorten(name)))
        return {name: value.get(name) for name in names}

    def _card(self, path: str, word: str) -> Card | None:
        try:
            return Card.parse(word)
        except CardSyntaxError:
            what = Text(
                f"牌，如 {_CARD}".replace(", ", "、").replace(" or ", "、"),
                f"a card such as {_CARD}",
            )
            if apart := " ".join(map(str, _run_together(word))):
                what = Text(
                    f"以空白分開的牌，如 '{apart}'", f"cards with blanks between, such as '{apart}'"
                )
            self._add(Reason.CARD_UNKNOWN, path, what, as_it_is(shorten(word)))
            return None

    def _malformed(self, path: str, what: Text, got: Text) -> None:
        self._add(Reason.MALFORMED_REQUEST, path, what, got)

    def _add(self, reason: Reason, path: str, what: Text, got: Text) -> None:
        self._faults.add(reason, path, expected(what, got).say(self._language))


def describe(value: object) -> Text:
    """Say what came instead of what was expected, in JSON's own words.

    >>> [describe(value).en for value in (True, None, "x", 1.5, [True])]
    ['true', 'null', "'x'", '1.5', 'a list']
    """
    if isinstance(value, list):
        return Text("清單", "a list")
    if isinstance(value, dict):
        return Text("物件", "an object")
    if isinstance(value, str | int) and not isinstance(value, bool):
        return as_it_is(shorten(value))
    return as_it_is(json.dumps(value))


def _run_together(word: str) -> list[Card]:
    """Read cards that stand in one word; give none where anything in it is no card.

    >>> _run_together("As,10d"), _run_together("AsXx")
    ([Card.parse('As'), Card.parse('Td')], [])
    """
    cards = []
    place = 0
    while place < len(word):
        found = next(_cards_at(word, place), None)
        if found is None:
            return []
        card, place = found
        cards.append(card)
    return cards


def _cards_at(word: str, place: int) -> Iterator[tuple[Card, int]]:
    """Give the cards that can be read at a place, the longest first, and where the next begins."""
    for end in range(min(place + _LONGEST_CARD, len(word)), place, -1):
        try:
            card = Card.parse(word[place:end])
        except CardSyntaxError:
            continue
        between = _BETWEEN_CARDS.match(word, end)
        yield card, between.end() if between else end
