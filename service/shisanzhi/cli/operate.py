"""The commands of an operator: serve, config, health."""

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from shisanzhi import config


def _flags(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one flag per setting; what was given arrives as texts by setting name."""
    for option in reversed(config.OPTIONS.values()):
        command = click.option(
            option.flag,
            option.name,
            metavar=config.metavar(option),
            help=config.help_text(option),
        )(command)
    return click.option(
        "--config", "file", metavar="FILE", help="TOML file with settings, by their names here."
    )(command)


def _load(file: str | None, flags: dict[str, str | None]) -> config.Loaded:
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return config.load(given, os.environ, file)
    except config.ConfigError as error:
        raise click.ClickException(str(error)) from error


@click.command()
@_flags
def serve(file: str | None, **flags: Any) -> None:  # noqa: ANN401 - click's
    """Serve the game logic over gRPC until SIGTERM."""
    # Here, since the other commands need neither grpc nor what it takes to load it.
    from shisanzhi.rpc import logs, server  # noqa: PLC0415

    settings = _load(file, flags).settings
    logs.configure(settings.log_format, settings.log_level)
    try:
        asyncio.run(server.serve(settings, _announce))
    except OSError as error:
        raise click.ClickException(str(error)) from error


def _announce(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
