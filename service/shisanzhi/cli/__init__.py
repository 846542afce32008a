"""The command ``shisanzhi``. A new command is a module here and a line in the table."""

import sys
from functools import partial
from importlib import import_module
from typing import Any, Final

import click

from shisanzhi.cli import failures

_COMMANDS: Final = {
    "deal": "deal",
    "evaluate": "evaluate",
    "validate": "validate",
    "score": "score",
    "arrange": "arrange",
    "match": "match",
    "rules": "rules",
    "train": "train",
    "serve": "operate",
    "config": "operate",
    "health": "operate",
}
"""The commands in the order of ``--help``, each with the module that holds it under its name."""


class _Commands(click.Group):
    """Loads a command when it is asked for, so that none pays for the imports of another."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(import_module(f"{__name__}.{_COMMANDS[cmd_name]}"), cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101 - the table is ours
        return command

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:  # noqa: ANN401
        """Run a command and exit; what an exit code means is ours to say, not click's."""
        command = partial(super().main, *args, standalone_mode=False, **kwargs)
        if not standalone_mode:
            return command()
        words = args[0] if args else kwargs.get("args")
        sys.exit(failures.run(command, sys.argv[1:] if words is None else words))

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:  # noqa: ANN401
        """Read the command line, which may print help."""
        with failures.pipes_told_apart():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Run the command."""
        with failures.pipes_told_apart():
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shisanzhi")
def main() -> None:
    """Deal, judge and score Taiwanese thirteen-card poker (十三支).

    \b
    Cards are written As, Td or 10d, a♠ or ♠A; several in quotes: "As Td 9c".
    Exit codes: 0 answered; 1 answered with no, such as an illegal arrangement;
    2 the question cannot be answered as it stands; 3 the server gave no answer,
    or could not start; 4 the answer could not be written; 5 a fault of the command's own.
    """  # noqa: D301 - a backspace keeps click from folding lines
