"""The table of all that an operator can set.

It says everything about a setting: the flags, the environment's names, the file's keys and the help
are made from it.
"""

import dataclasses
import types
import typing
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

ENVIRONMENT_PREFIX: Final = "SHISANZHI_"
CONFIG_FILE_VARIABLE: Final = ENVIRONMENT_PREFIX + "CONFIG"

Value = str | int | float | bool | tuple[str, ...] | None


class Limits(NamedTuple):
    """What a setting may be: between two numbers, or one of some words."""

    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()


def _setting(  # noqa: PLR0913 - one argument for each thing that is said of a setting
    default: Value,
    text: str,
    *,
    unit: str = "",
    least: float | None = None,
    most: float | None = None,
    words: tuple[str, ...] = (),
) -> Any:  # noqa: ANN401 - a field stands for a value of its field's type
    limits = Limits(least, most, words)
    return dataclasses.field(
        default=default, metadata={"text": text, "unit": unit, "limits": limits}
    )


_PORT: Final = 65535


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings in force. Times are in seconds, sizes in bytes."""

    host: str = _setting("127.0.0.1", "Address or name to serve on; 0.0.0.0 or :: for all.")
    port: int = _setting(50051, "Port to serve on; 0 for any free one.", least=0, most=_PORT)
    management_host: str = _setting(
        "127.0.0.1", "Address or name of the plaintext management port."
    )
    management_port: int | None = _setting(
        None,
        "Plaintext port for metrics and health; 0 for any free one; unset for none.",
        least=0,
        most=_PORT,
    )
    max_management_connections: int = _setting(
        64,
        "Connections to the management port; the oldest makes room for one beyond them.",
        unit="connections",
        least=1,
    )
    health: bool = _setting(default=True, text="Serve grpc.health.v1.")
    reflection: bool = _setting(default=True, text="Serve grpc.reflection.v1 and v1alpha.")

    max_concurrent_rpcs: int = _setting(
        256, "Calls in hand at once; a call beyond them is refused.", unit="calls", least=1
    )
    workers: int = _setting(
        0, "Threads for heavy methods; 0 for one per usable CPU.", unit="threads", least=0, most=256
    )
    max_queued: int = _setting(
        64, "Heavy calls that wait for a thread; one beyond them is refused.", unit="calls", least=0
    )
    scheduling: str = _setting(
        "normal",
        "batch takes a little less CPU per call, on a machine that no others want.",
        words=("normal", "batch"),
    )
    max_message_bytes: int = _setting(
        65536, "Largest request.", unit="bytes", least=1024, most=1 << 26
    )
    max_batch_bytes: int = _setting(
        1 << 19,
        "Largest request of BatchArrange and BatchScore.",
        unit="bytes",
        least=1024,
        most=1 << 26,
    )
    max_connections: int = _setting(
        512,
        "Connections open at once to each address; one beyond them is closed.",
        unit="connections",
        least=1,
        most=1 << 20,
    )
    max_streams: int = _setting(
        100, "Calls open at once on one connection; more wait.", unit="calls", least=1
    )
    max_watchers: int = _setting(
        4,
        "Streams of health and reflection on one connection; one beyond them is refused.",
        unit="streams",
        least=1,
    )
    request_timeout: float = _setting(
        10.0,
        "Time for a request to arrive; a call beyond it is refused.",
        unit="seconds",
        least=0.1,
    )
    response_timeout: float = _setting(
        10.0,
        "Time for a client to take an answer; a call beyond it is cut off.",
        unit="seconds",
        least=0.1,
    )
    min_ping_interval: float = _setting(
        5.0, "A client that pings more often is disconnected.", unit="seconds", least=0.1
    )
    keepalive_interval: float = _setting(
        60.0, "Ping a silent client this often, to notice a dead one.", unit="seconds", least=1
    )
    keepalive_timeout: float = _setting(
        20.0, "A client that does not answer a ping is gone after.", unit="seconds", least=1
    )
    max_connection_age: float = _setting(
        300.0,
        "Have clients reconnect, and so re-balance, after this long, 10 % jitter; 0 for never.",
        unit="seconds",
        least=0,
    )
    max_connection_age_grace: float = _setting(
        30.0, "Time for calls of an aged connection to finish.", unit="seconds", least=0
    )
    drain_delay: float = _setting(
        5.0, "On stop, serve on while NOT_SERVING spreads.", unit="seconds", least=0
    )
    grace: float = _setting(
        20.0,
        "On stop, time for calls in flight to finish after the delay.",
        unit="seconds",
        least=0,
    )

    log_format: str = _setting(
        "auto", "auto is console on a terminal, else json.", words=("auto", "json", "console")
    )
    log_level: str = _setting(
        "info", "Least severity that is logged.", words=("debug", "info", "warning", "error")
    )
    log_ok_every: int = _setting(
        1,
        "Log one of so many OK calls, 0 for none; others are always logged.",
        unit="calls",
        least=0,
    )
    tracing: bool = _setting(
        default=False, text="Send OpenTelemetry spans; needs the extra shisanzhi[tracing]."
    )

    tls_certificate: str | None = _setting(None, "File with the server's certificate chain, PEM.")
    tls_key: str | None = _setting(None, "File with the certificate's private key, PEM.")
    tls_client_ca: str | None = _setting(
        None, "File with the CAs of client certificates, PEM; set, a client needs one."
    )
    tls_client_names: tuple[str, ...] = _setting(
        (), "Names (SAN) of which a client's certificate needs one, separated by commas."
    )
    tls_reload_interval: float = _setting(
        10.0, "Look for changed TLS files this often.", unit="seconds", least=0.1
    )


class Option(NamedTuple):
    """One setting, as the flags and the help need it."""

    name: str
    kind: type
    default: Value
    text: str
    unit: str
    limits: Limits

    @property
    def flag(self) -> str:
        """The flag: ``--max-queued``."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """The environment variable: ``SHISANZHI_MAX_QUEUED``."""
        return ENVIRONMENT_PREFIX + self.name.upper()

    @property
    def metavar(self) -> str:
        """What the flag takes: its unit, its words, or its kind."""
        kinds = {int: "NUMBER", float: "NUMBER", bool: "true|false", tuple: "NAMES"}
        kind = kinds.get(self.kind, "TEXT")
        return "|".join(self.limits.words) or self.unit.upper() or kind

    @property
    def help_text(self) -> str:
        """What it is, its default and its environment variable."""
        return f"{self.text} [default: {show(self.default)}; env: {self.variable}]"


_KINDS: Final = (str, int, float, bool, tuple)
"""What a value can be, as far as flags and files can say it."""


def _options() -> Iterator[Option]:
    kinds = typing.get_type_hints(Settings)
    for field in dataclasses.fields(Settings):
        default = typing.cast("Value", field.default)
        yield Option(field.name, _kind(kinds[field.name]), default, **field.metadata)


def _kind(hint: object) -> type:
    """Give the type that values of a hint have: int for ``int | None``, tuple for a tuple."""
    given: tuple[Any, ...] = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    kinds = [typing.get_origin(each) or each for each in given]
    return next(kind for kind in _KINDS if kind in kinds)


OPTIONS: Final = {option.name: option for option in _options()}
"""Every setting by name, in the order of the help."""


def show(value: Value) -> str:
    """Write a value as flags and environment take it; ``unset`` for none.

    >>> show(True), show(()), show(5.0)
    ('true', 'unset', '5')
    """
    if value is None or value == ():
        return "unset"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
