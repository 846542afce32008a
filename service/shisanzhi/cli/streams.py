"""Standard output as a person or a program reads it, whatever its encoding."""

import codecs
import io
import json
import os
import sys
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import click

from shisanzhi.engine.cards import Suit

_REPLACING: Final = "shisanzhi"
_DEFAULTS: Final = {"strict", "surrogateescape"}
"""What Python does with the rest unless it is told otherwise; the latter under ``LC_ALL=C``."""
_SUBSTITUTES: Final = {suit.symbol: suit.letter for suit in Suit} | {
    "−": "-",
    "–": "-",
    "─": "-",
    "✓": "x",
    "≤": "<=",
}
"""What is read instead of what an encoding lacks; all else becomes question marks."""


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded by as many columns of what can.

    >>> "A♠ −2 墩".encode("ascii", _REPLACING)
    b'As -2 ??'
    """
    assert isinstance(error, UnicodeEncodeError)  # noqa: S101 - what is registered for
    text = error.object[error.start : error.end]
    return "".join(_SUBSTITUTES.get(char) or "?" * _columns(char) for char in text), error.end


codecs.register_error(_REPLACING, _replace)


def _columns(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def prepare() -> None:
    """Make sure that the output takes every character, and that what is closed says so."""
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    if sys.stdout is None:
        sys.stdout = _Closed()
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in _DEFAULTS:
        sys.stdout.reconfigure(errors=_REPLACING)


class _Closed(io.StringIO):
    """An output that was closed before it could be written; click would take it for a success."""

    def write(self, _text: str) -> int:
        """Refuse."""
        raise OSError("it is closed")


def abandon() -> None:
    """Give up an output that cannot be written, so that nothing tries again at the end."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write(text: str) -> None:
    """Write to standard output, at once."""
    click.echo(text, file=sys.stdout)


def tell(text: str) -> None:
    """Write to standard error, if there is one that can be written."""
    if sys.stderr is not None:
        with suppress(OSError):
            click.echo(text, file=sys.stderr)


def to_json(document: Mapping[str, Any]) -> str:
    """Write a document on one line that any encoding of the output can hold."""
    text = json.dumps(document, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(document)
    return text
