"""The commands of an operator: serve, config, health."""

import asyncio
import os
from collections.abc import Callable
from typing import Any, Final

import click

from shisanzhi import config as configuration
from shisanzhi.cli import target
from shisanzhi.cli.failures import NO, NotStartedError
from shisanzhi.rpc.client.target import Target
from shisanzhi.settings import CONFIG_FILE_VARIABLE, OPTIONS

_STDOUT: Final = 1


def _flags(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one flag per setting; what was given arrives as texts by setting name."""
    for option in reversed(OPTIONS.values()):
        command = click.option(
            option.flag, option.name, metavar=option.metavar, help=option.help_text
        )(command)
    return click.option(
        "--config",
        "file",
        metavar="FILE",
        help=f"TOML file with settings, by these names with _ for -; env: {CONFIG_FILE_VARIABLE}.",
    )(command)


def _load(file: str | None, flags: dict[str, str | None]) -> configuration.Loaded:
    given = {name: value for name, value in flags.items() if value is not None}
    return configuration.load(given, os.environ, file)


@click.command()
@_flags
def serve(file: str | None, **flags: Any) -> None:  # noqa: ANN401 - click's
    """Serve the game logic over gRPC until SIGTERM.

    Once it serves it prints "serving on ADDRESS:PORT" on stdout, a line for each address, after
    "management on ADDRESS:PORT" if there is one. Logs go to stderr. A setting comes from a flag,
    else the environment, else the file, else its default.
    """
    settings = _load(file, flags).settings
    # Here, since the other commands need neither grpc nor the time that it takes to load.
    from shisanzhi.rpc.observability.output import Output, claim_standard_descriptors  # noqa: PLC0415

    claim_standard_descriptors()
    from shisanzhi.rpc.server import run, scheduling  # noqa: PLC0415
    from shisanzhi.rpc.server.event_loop import EventLoop  # noqa: PLC0415

    scheduling.schedule(settings.scheduling)
    try:
        with Output(_STDOUT) as stdout, asyncio.Runner(loop_factory=EventLoop) as runner:
            runner.run(run.serve(settings, lambda line: stdout.write(line + "\n")))
    except OSError as error:
        raise NotStartedError(str(error)) from error


@click.command()
@_flags
def config(file: str | None, **flags: Any) -> None:  # noqa: ANN401 - click's
    """Print the settings in force, as a TOML file, each with where it comes from."""
    click.echo(configuration.to_toml(_load(file, flags)), nl=False)


class _Probe(click.Command):
    """A command with the options of :mod:`shisanzhi.cli.target`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - click's own
        """Add the options."""
        super().__init__(*args, **kwargs)
        self.params[:0] = target.options(default="127.0.0.1:50051")

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Run the command."""
        ctx.params["server"] = target.take(ctx.params)
        return super().invoke(ctx)


@click.command(cls=_Probe)
@click.option("--service", metavar="NAME", default="", help="Name to ask for; none for overall.")
@click.option("--timeout", metavar="SECONDS", type=float, default=2.0, show_default=True)
@click.pass_context
def health(ctx: click.Context, *, service: str, timeout: float, server: Target) -> None:
    """Ask a server whether it serves.

    Prints the status. Exit codes: 0 SERVING; 1 any other status; 2 used wrong; 3 no answer.
    """
    from shisanzhi.rpc.client import probe  # noqa: PLC0415

    try:
        status = probe.ask(server, service, timeout)
    except UnicodeError as error:
        raise click.UsageError("expected --service in UTF-8") from error
    click.echo(status)
    if status != "SERVING":
        ctx.exit(NO)
