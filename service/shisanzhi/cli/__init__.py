"""The command ``shisanzhi``. A new command is a module here and a line in the table."""

from importlib import import_module
from typing import Final

import click

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


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shisanzhi")
def main() -> None:
    """Deal, judge and score Taiwanese thirteen-card poker (十三支).

    \b
    Cards are written As, Td or 10d, a♠ or ♠A; several in quotes: "As Td 9c".
    Exit codes: 0 answered; 1 answered with no, such as an illegal arrangement;
    2 the question cannot be answered as it stands; 3 the server gave no answer.
    """  # noqa: D301 - a backspace keeps click from folding lines
