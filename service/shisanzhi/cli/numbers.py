"""Numbers in questions: shown with the range of the rules, which whoever answers holds them to."""

from typing import Any, Final

import click

_UINT32: Final = click.IntRange(0, 2**32 - 1)


class RulesRange(click.IntRange):
    """A number that the contract can hold; a server may know other rules than this command."""

    name = "number"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - click's own
        """Read a number; what is too small to be told from unset is refused here."""
        number = _UINT32.convert(value, param, ctx)
        return number or super().convert(value, param, ctx)
