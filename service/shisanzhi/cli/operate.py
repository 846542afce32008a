"""The commands of an operator: serve, config, health."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

import click

from shisanzhi import config as configuration
from shisanzhi.settings import CONFIG_FILE_VARIABLE, OPTIONS

_STDOUT: Final = 1
_NOT_SERVING: Final = 1


class _ConfiguredWrongError(click.ClickException):
    exit_code = 2


class _NoAnswerError(click.ClickException):
    exit_code = 3


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
    try:
        return configuration.load(given, os.environ, file)
    except configuration.ConfigError as error:
        raise _ConfiguredWrongError(str(error)) from error


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
    # And structlog loads rich where it finds it, for tracebacks that we never print: 4 MB.
    sys.modules.setdefault("rich", cast("ModuleType", None))
    from shisanzhi.rpc.output import Output, claim_standard_descriptors  # noqa: PLC0415

    claim_standard_descriptors()
    from shisanzhi.rpc import scheduling, serving  # noqa: PLC0415

    scheduling.schedule(settings.scheduling)
    try:
        with Output(_STDOUT) as stdout:
            asyncio.run(serving.serve(settings, lambda line: stdout.write(line + "\n")))
    except OSError as error:
        raise click.ClickException(str(error)) from error


@click.command()
@_flags
def config(file: str | None, **flags: Any) -> None:  # noqa: ANN401 - click's
    """Print the settings in force, as a TOML file, each with where it comes from."""
    click.echo(configuration.to_toml(_load(file, flags)), nl=False)


@click.command()
@click.option("--target", metavar="HOST:PORT", default="127.0.0.1:50051", show_default=True)
@click.option("--service", metavar="NAME", default="", help="Name to ask for; none for overall.")
@click.option("--timeout", metavar="SECONDS", type=float, default=2.0, show_default=True)
@click.option("--tls-ca", metavar="FILE", help="Speak TLS to a server of these CAs, PEM.")
@click.option("--tls-certificate", metavar="FILE", help="The client's certificate, PEM.")
@click.option("--tls-key", metavar="FILE", help="The certificate's key, PEM.")
def health(  # noqa: PLR0913, PLR0917 - one argument for each flag
    target: str,
    service: str,
    timeout: float,
    tls_ca: str | None,
    tls_certificate: str | None,
    tls_key: str | None,
) -> None:
    """Ask a server whether it serves.

    Prints the status. Exit codes: 0 SERVING; 1 any other status; 2 used wrong; 3 no answer.
    """
    if (tls_certificate is None) != (tls_key is None) or (tls_key is not None and tls_ca is None):
        # Half of it would be plaintext, or a client that shows no certificate.
        text = "expected --tls-certificate and --tls-key together, and --tls-ca with them"
        raise click.UsageError(text)
    tls = [_read(path) for path in (tls_ca, tls_key, tls_certificate)]
    from shisanzhi.rpc import probe  # noqa: PLC0415

    try:
        status = probe.ask(target, service, timeout, None if tls_ca is None else tls)
    except UnicodeError as error:
        raise click.UsageError("expected --target and --service as UTF-8") from error
    except OSError as error:
        raise _NoAnswerError(str(error)) from error
    click.echo(status)
    if status != "SERVING":
        raise click.exceptions.Exit(_NOT_SERVING)


def _read(path: str | None) -> bytes | None:
    """Read a file that a flag names; an empty name is a file that is not there."""
    if path is None:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        message = f"expected a file that can be read, got {path!r}: {error.strerror}"
        raise click.UsageError(message) from error
