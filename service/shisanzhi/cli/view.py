"""What a person reads at a glance: cards, values and tables, in one language."""

import enum
import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final, TypeVar

from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text as Line

from shisanzhi.cli.table import Column, Table, facts
from shisanzhi.engine.cards import CARDS, Card, Rank, Suit
from shisanzhi.engine.categories import Category
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.names import ROWS, Language, Text, royalty
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import Ruleset

_RED_SUITS: Final = (Suit.DIAMONDS, Suit.HEARTS)
_WIDTH: Final = 160
"""Where there is no terminal: wide enough for the longest seed to come out whole."""

_Member = TypeVar("_Member", bound=enum.Enum)


class View:
    """Draws in one language, with the names that one ruleset uses."""

    def __init__(self, ruleset: Ruleset, language: Language) -> None:
        """Take whose names to use."""
        self.ruleset = ruleset
        self._language = language

    def say(self, text: Text) -> str:
        """Give a name."""
        return text.say(self._language)

    def name(
        self, names: Mapping[_Member, Text] | Mapping[_Member | None, Text], member: _Member
    ) -> str:
        """Give the name of an enum's value; its number, where only a newer server knows it."""
        text = names.get(member)
        return member.name if text is None else self.say(text)

    def value(self, value: RowValue | None) -> str:
        """Name a value: its category, then the ranks that break ties; nothing for none."""
        if value is None:
            return ""
        name = self.name(self.ruleset.category_names, value.category)
        return " ".join([name, *map(draw_rank, value.ranks)])

    def royalty(self, row: Row | None, category: Category | None) -> str:
        """Name a royalty; by what is written of it, where only a newer server knows it."""
        names = self.ruleset.category_names
        if row is None or category is None or (row in ROWS and category in names):
            return self.say(royalty(row, category, names))
        return f"{self.name(ROWS, row)} {self.name(names, category)}"

    def valued_row(self, row: Iterable[int], value: RowValue) -> Line:
        """Draw a row with what it is worth below."""
        return Line.assemble(draw_row(row), "\n", (self.value(value), "dim"))

    def table(
        self, *columns: Text, numbers: Iterable[Text] = (), title: Text | None = None
    ) -> Table:
        """Start a table, with columns of words or marks and then columns of numbers."""
        said = self.say(title) if title else ""
        named = [Column(self.say(column)) for column in columns]
        numbered = [Column(self.say(column), numbers=True) for column in numbers]
        return Table([*named, *numbered], said[:1].upper() + said[1:])

    def facts(self, named: Iterable[tuple[Text, str | Line]]) -> Grid:
        """Draw facts, one a line."""
        return facts((self.say(name), fact) for name, fact in named)


def render(renderables: Iterable[RenderableType]) -> str:
    """Draw for the terminal, in its width and in colours, without blanks at the ends."""
    drawn = io.StringIO()
    colours = sys.stdout.isatty() or None
    # Into a string, since rich would draw other tables for another encoding.
    console = Console(file=drawn, width=_width(), force_terminal=colours, highlight=False)
    console.print(*renderables, sep="\n")
    return "\n".join(line.rstrip() for line in drawn.getvalue().splitlines()).strip("\n")


def draw_hand(hand: Iterable[Card]) -> Line:
    """Draw a hand, high to low.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> draw_hand(parse_cards("9c As Td")).plain
    'A♠ 10♦ 9♣'
    """
    return _draw_cards(sorted(hand, key=lambda card: (card.rank, card.suit), reverse=True))


def draw_row(row: Iterable[int]) -> Line:
    """Draw a row, what makes its category first.

    >>> from shisanzhi.engine.cards import parse_cards
    >>> draw_row(parse_cards("9c As 9d")).plain
    '9♦ 9♣ A♠'
    """
    cards = [CARDS[number] for number in row]
    count = Counter(card.rank for card in cards)
    return _draw_cards(
        sorted(cards, key=lambda card: (count[card.rank], card.rank, card.suit), reverse=True)
    )


def draw_card(card: Card) -> Line:
    """Draw a card: its rank and the symbol of its suit, red where the suit is."""
    style = "red" if card.suit in _RED_SUITS else ""
    return Line(draw_rank(card.rank) + card.suit.symbol, style)


def draw_rank(rank: Rank) -> str:
    """Draw a rank as it is printed on cards; its number, where only a newer server knows it."""
    if rank.name not in Rank.__members__:
        return rank.name
    return "10" if rank is Rank.TEN else rank.letter


def draw_units(units: int) -> str:
    """Draw units won or lost with their sign.

    >>> draw_units(9), draw_units(-2), draw_units(0)
    ('+9', '−2', '0')
    """
    return f"{units:+d}".replace("-", "−") if units else "0"


def draw_part(units: int) -> str:
    """Draw a part of a total: nothing for none, so that what counts is seen.

    >>> draw_part(9), draw_part(0)
    ('+9', '')
    """
    return draw_units(units) if units else ""


def _draw_cards(cards: Iterable[Card]) -> Line:
    return Line(" ").join(map(draw_card, cards))


def _width() -> int:
    """Give the columns of the terminal; one may say 0."""
    columns = 0
    with suppress(OSError, ValueError):
        asked = os.environ.get("COLUMNS") if sys.stdout.isatty() else None
        columns = int(asked or os.get_terminal_size(sys.stdout.fileno()).columns)
    return columns if columns > 0 else _WIDTH
