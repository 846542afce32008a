"""What a person reads at a glance: cards, values and tables, in one language."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text as Line

from shisanzhi.engine.cards import CARDS, Card, Rank, Suit
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.names import Language, Text
from shisanzhi.engine.rulesets import Ruleset

_RED_SUITS: Final = (Suit.DIAMONDS, Suit.HEARTS)
_WIDTH: Final = 160
"""Wide enough for the longest seed, which must come out whole to be copied."""


class View:
    """Draws in one language, with the names that one ruleset uses."""

    def __init__(self, ruleset: Ruleset, language: Language) -> None:
        """Take whose names to use."""
        self.ruleset = ruleset
        self._language = language

    def say(self, text: Text) -> str:
        """Give a name."""
        return text.say(self._language)

    def value(self, value: RowValue | None) -> str:
        """Name a value: its category, then the ranks that break ties; nothing for none."""
        if value is None:
            return ""
        name = self.say(self.ruleset.category_names[value.category])
        return " ".join([name, *map(draw_rank, value.ranks)])

    def table(
        self, *columns: Text, numbers: Iterable[Text] = (), title: Text | None = None
    ) -> Table:
        """Start a table, with columns of words or marks and then columns of numbers."""
        said = self.say(title) if title else ""
        heading = said[:1].upper() + said[1:] or None
        table = Table(title=heading, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
        for column in columns:
            table.add_column(self.say(column), no_wrap=True)
        for column in numbers:
            table.add_column(self.say(column), no_wrap=True, justify="right")
        return table

    def facts(self, facts: Iterable[tuple[Text, str | Line]]) -> Table:
        """Draw facts, one a line."""
        grid = Table.grid(padding=(0, 2))
        for name, fact in facts:
            grid.add_row(self.say(name), fact)
        return grid


def render(renderables: Iterable[RenderableType]) -> str:
    """Draw for the terminal, in colours if it has them, without blanks at the ends."""
    console = Console(width=_WIDTH, highlight=False)
    with console.capture() as capture:
        console.print(*renderables, sep="\n")
    return "\n".join(line.rstrip() for line in capture.get().splitlines()).strip("\n")


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
    """Draw a rank as it is printed on cards."""
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
