"""A table that fits where it is drawn."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table as Grid
from rich.text import Text as Line

_WIDE: Final = 3
_GAPS: Final = (_WIDE, 2, 1)
"""Blanks between columns, the most first."""
_UNBOUNDED: Final = 10_000


class Column(NamedTuple):
    """What a column is called; numbers stand to the right."""

    name: str
    numbers: bool = False


class Table:
    """Rows in columns, as far apart as there is room for, else each row as a block of lines."""

    def __init__(self, columns: Iterable[Column], title: str = "") -> None:
        """Start without rows."""
        self._columns = list(columns)
        self._title = title
        self._rows: list[list[Line]] = []

    def add_row(self, *cells: str | Line) -> None:
        """Add a row; a cell may have several lines."""
        self._rows.append([Line(cell) if isinstance(cell, str) else cell for cell in cells])

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """Draw the widest layout that fits."""
        unbounded = options.update(width=_UNBOUNDED)
        for gap in _GAPS:
            grid = self._grid(gap)
            fits = console.measure(grid, options=unbounded).maximum <= options.max_width
            if fits and (gap > 1 or not self._has_blanks()):
                yield grid
                return
        yield from self._blocks()

    def _has_blanks(self) -> bool:
        """Whether single blanks between columns would be taken for those in cells."""
        return any(" " in cell.plain for row in self._rows for cell in row)

    def _grid(self, gap: int) -> Grid:
        left, right = (1, 1) if gap == _WIDE else (0, gap - 1)
        grid = Grid(
            title=self._title or None,
            title_justify="left",
            title_style="bold",
            box=SIMPLE_HEAD,
            padding=(0, right, 0, left),
        )
        for column in self._columns:
            name = column.name if gap == _WIDE else _broken(column.name)
            grid.add_column(name, no_wrap=True, justify="right" if column.numbers else "left")
        for row in self._rows:
            grid.add_row(*row)
        return grid

    def _blocks(self) -> Iterator[RenderableType]:
        if self._title:
            yield Line(self._title, "bold")
        for row in self._rows:
            block = facts(zip((column.name for column in self._columns), row, strict=True))
            block.padding = (0, 2)
            yield ""
            yield block


def facts(named: Iterable[tuple[str, str | Line]]) -> Grid:
    """Draw facts, one a line, without those that are empty; what is too long goes on below."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, fact in named:
        if fact:
            grid.add_row(name, fact)
    return grid


def _broken(heading: str) -> str:
    r"""Set the last word of a heading below the others.

    >>> _broken("total (units)"), _broken("合計（道）")
    ('total\n(units)', '合計\n（道）')
    """
    return "\n".join(heading.rsplit(" ", 1)).replace("（", "\n（")
