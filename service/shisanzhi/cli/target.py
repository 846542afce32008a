"""``--target`` and how to speak to it: the options of every command that may ask a server."""

import os
import re
import ssl
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from shisanzhi.rpc.client.target import Target, Tls

_ADDRESS: Final = re.compile(r"(\[[^\s/\[\]]+\]|[^\s:/\[\]]+):([0-9]{1,9})")
_PORTS: Final = range(1, 2**16)
_FILES: Final = ("tls_ca", "tls_certificate", "tls_key")


def options(default: str | None = None) -> list[click.Parameter]:
    """Give the options; without a default, no server is asked unless one is named."""
    return [
        click.Option(
            ["--target"],
            metavar="HOST:PORT",
            default=default,
            show_default=True,
            callback=_address,
            help="Ask this server.",
        ),
        click.Option(["--tls-ca"], metavar="FILE", help="Speak TLS to a server of these CAs, PEM."),
        click.Option(["--tls-certificate"], metavar="FILE", help="The client's certificate, PEM."),
        click.Option(["--tls-key"], metavar="FILE", help="The certificate's key, PEM."),
    ]


def take(params: MutableMapping[str, Any]) -> Target | None:
    """Take what was given out of a command's parameters; half of TLS is refused, never plaintext.

    Raises :class:`click.UsageError`.
    """
    address = params.pop("target")
    ca, certificate, key = files = [params.pop(name) for name in _FILES]
    if (certificate is None) != (key is None) or (key is not None and ca is None):
        # Half of it would be plaintext, or a client that shows no certificate.
        text = "expected --tls-certificate and --tls-key together, and --tls-ca with them"
        raise click.UsageError(text)
    if address is None:
        if ca is not None:
            raise click.UsageError("expected --target beside --tls-ca, got none")
        return None
    # Its lines are among ours, and what they say of is told in ours.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    return Target(address, None if ca is None else _tls(*files))


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse what is no address: grpc takes another port for one that is out of range."""
    if value is None:
        return None
    try:
        value.encode()
    except UnicodeError:
        raise click.BadParameter("expected it in UTF-8", ctx, param) from None
    match = _ADDRESS.fullmatch(value)
    if match is None:
        text = f"expected HOST:PORT or [IPV6]:PORT, got {value!r}"
        raise click.BadParameter(text, ctx, param)
    if int(match[2]) not in _PORTS:
        text = f"expected a port of {_PORTS[0]} to {_PORTS[-1]}, got {match[2]}"
        raise click.BadParameter(text, ctx, param)
    return value


def _tls(ca: str, certificate: str | None, key: str | None) -> Tls:
    """Read the files, and see whether they are what they should be: grpc would not tell."""
    tls = Tls(_read(ca), *(None if path is None else _read(path) for path in (key, certificate)))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(ca)
    except (OSError, ValueError):
        _refuse("expected CA certificates, PEM", ca)
    if certificate is not None:
        try:
            # One behind a passphrase would ask on the terminal.
            context.load_cert_chain(certificate, key, password="")
        except (OSError, ValueError):
            _refuse("expected a certificate and its key, PEM", f"{certificate} and {key}")
    return tls


def _read(path: str) -> bytes:
    """Read a file that a flag names; an empty name is a file that is not there."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        message = f"expected a file that can be read, got {path!r}: {error.strerror}"
        raise click.UsageError(message) from error


def _refuse(expected: str, got: str) -> NoReturn:
    raise click.UsageError(f"{expected}, got {got}") from None
