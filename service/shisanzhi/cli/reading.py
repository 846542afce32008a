"""Texts and JSON -> the raw values of questions, with every word that cannot be read."""

import reprlib
from collections.abc import Collection
from string import hexdigits
from typing import Final

from shisanzhi.engine.cards import Card
from shisanzhi.engine.errors import CardSyntaxError, Faults, Reason
from shisanzhi.engine.rulesets import RULESETS

_UINT32: Final = range(2**32)
_RULESET_NUMBERS: Final = {ruleset.key: number for number, ruleset in RULESETS.items()}

shorten: Final = reprlib.repr
"""Quotes a value that was not expected, without what a terminal would obey, and not at length."""


class Reader:
    """Reads the parts of one question and collects the faults.

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

    def __init__(self) -> None:
        """Start with no faults."""
        self._faults = Faults()

    def finish(self) -> None:
        """Raise all faults together, if there were any."""
        self._faults.check()

    def ruleset(self, path: str, key: object) -> int:
        """Read a ruleset's key; give its number."""
        text = self.text(path, key)
        if text and text not in _RULESET_NUMBERS:
            expected = " or ".join(_RULESET_NUMBERS)
            self._faults.add(
                Reason.RULESET_UNKNOWN, path, f"expected {expected}, got {shorten(text)}"
            )
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
        """Read bytes in hexadecimal, two digits each."""
        text = self.text(path, digits)
        if digits is not None and not text:
            self._malformed(path, "hexadecimal digits, got none")
        strange = next((digit for digit in text if digit not in hexdigits), None)
        if strange:
            self._malformed(path, f"hexadecimal digits, got {strange!r} among them")
        elif len(text) % 2:
            self._malformed(path, f"two hexadecimal digits for each byte, got {len(text)} in all")
        else:
            return bytes.fromhex(text)
        return b""

    def number(self, path: str, value: object) -> int:
        """Read a number that the contract can hold."""
        if value is None:
            return 0
        if not isinstance(value, int) or isinstance(value, bool) or value not in _UINT32:
            self._malformed(path, f"a whole number from 0 to {_UINT32[-1]}, got {shorten(value)}")
            return 0
        return value

    def text(self, path: str, value: object) -> str:
        """Read a text."""
        if value is None:
            return ""
        if not isinstance(value, str):
            self._malformed(path, f"a text, got {shorten(value)}")
            return ""
        return value

    def items(self, path: str, value: object) -> list[object]:
        """Read a list."""
        if value is None:
            return []
        if not isinstance(value, list):
            self._malformed(path, f"a list, got {shorten(value)}")
            return []
        return value

    def fields(self, path: str, value: object, names: Collection[str]) -> dict[str, object]:
        """Read an object that has no fields but these; what it leaves out is None."""
        if not isinstance(value, dict):
            self._malformed(path, f"an object, got {shorten(value)}")
            return dict.fromkeys(names)
        for name in [name for name in value if name not in names]:
            field = name if name.isidentifier() else shorten(name)
            where = f"{path}.{field}" if path else field
            self._malformed(where, f"one of the fields {', '.join(names)}, got {shorten(name)}")
        return {name: value.get(name) for name in names}

    def _card(self, path: str, word: str) -> Card | None:
        try:
            return Card.parse(word)
        except CardSyntaxError as error:
            self._faults.add(error.reason, path, str(error))
            return None

    def _malformed(self, path: str, expected: str) -> None:
        self._faults.add(Reason.MALFORMED_REQUEST, path, f"expected {expected}")
