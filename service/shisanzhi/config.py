"""What an operator can set: flags, then environment, then file, then the default.

One table says everything about a setting; the flags, the environment's names, the file's keys and
the help are made from it.
"""

import dataclasses
import json
import re
import tomllib
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
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
    health: bool = _setting(default=True, text="Serve grpc.health.v1.")
    reflection: bool = _setting(default=True, text="Serve grpc.reflection.v1 and v1alpha.")

    max_concurrent_rpcs: int = _setting(
        256, "Calls in hand at once; a call beyond them is refused.", unit="calls", least=1
    )
    workers: int = _setting(
        0, "Threads for heavy methods; 0 for one per CPU.", unit="threads", least=0, most=256
    )
    max_queued: int = _setting(
        64, "Heavy calls that wait for a thread; one beyond them is refused.", unit="calls", least=0
    )
    max_message_bytes: int = _setting(
        65536, "Largest request.", unit="bytes", least=1024, most=1 << 26
    )
    max_streams: int = _setting(
        1000, "Calls open at once on one connection; more wait.", unit="calls", least=1
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


class Source(NamedTuple):
    """Where a value comes from: `flag --port`, `environment SHISANZHI_PORT`, `file x.toml`."""

    kind: str
    name: str

    def __str__(self) -> str:
        """Kind and name, as a mistake is reported."""
        return f"{self.kind} {self.name}".strip()


DEFAULT: Final = Source("default", "")


class ConfigError(ValueError):
    """Every mistake in the configuration, one line each."""

    def __init__(self, mistakes: list[str]) -> None:
        """Keep the lines, each with its source."""
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


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


def _options() -> Iterator[Option]:
    kinds = typing.get_type_hints(Settings)
    for field in dataclasses.fields(Settings):
        default = typing.cast("Value", field.default)
        yield Option(field.name, _kind(kinds[field.name]), default, **field.metadata)


def _kind(hint: object) -> type:
    """Give the type that values of a hint have: int for ``int | None``, tuple for a tuple."""
    given: tuple[Any, ...] = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    kinds = [typing.get_origin(each) or each for each in given]
    return next(kind for kind in _PARSERS if kind in kinds)


class Loaded(NamedTuple):
    """The settings in force, and where each comes from."""

    settings: Settings
    sources: Mapping[str, Source]


def load(
    flags: Mapping[str, str], environment: Mapping[str, str], file: str | None = None
) -> Loaded:
    """Merge flags over environment over file over defaults.

    Flags are by setting name, as written. Raises :class:`ConfigError` with every mistake.

    >>> load({"port": "0"}, {"SHISANZHI_HOST": "::"}).settings.host
    '::'
    >>> load({"port": "x"}, {"SHISANZHI_GRACE": "-1"})
    Traceback (most recent call last):
    ...
    shisanzhi.config.ConfigError: flag --port: expected a whole number, got 'x'
    environment SHISANZHI_GRACE: expected at least 0 seconds, got '-1'
    """
    mistakes: list[str] = []
    values: dict[str, Value] = {}
    sources = dict.fromkeys(OPTIONS, DEFAULT)
    file = file or environment.get(CONFIG_FILE_VARIABLE)
    layers = (
        _from_file(file, mistakes) if file else {},
        _from_environment(environment, mistakes),
        {name: (Source("flag", OPTIONS[name].flag), given) for name, given in flags.items()},
    )
    # A mistake is reported even where a stronger source hides it: it would show up at a worse time.
    for layer in layers:
        for name, (source, given) in layer.items():
            try:
                values[name] = _parse(OPTIONS[name], given)
            except ValueError as error:
                mistakes.append(f"{source}: {error}, got {given!r}")
            sources[name] = source
    mistakes += _contradictions(values, sources)
    if mistakes:
        raise ConfigError(sorted(mistakes, key=_flags_first))
    return Loaded(Settings(**typing.cast("dict[str, Any]", values)), sources)


def _flags_first(mistake: str) -> int:
    return next(
        place
        for place, kind in enumerate(("flag", "environment", "file", ""))
        if mistake.startswith(kind)
    )


_Layer = dict[str, tuple[Source, object]]


def _from_environment(environment: Mapping[str, str], mistakes: list[str]) -> _Layer:
    names = {option.variable: name for name, option in OPTIONS.items()}
    layer: _Layer = {}
    for variable in sorted(environment):
        if not variable.startswith(ENVIRONMENT_PREFIX) or variable == CONFIG_FILE_VARIABLE:
            continue
        if _is_service_link(variable, environment[variable]):
            continue
        source = Source("environment", variable)
        if variable in names:
            layer[names[variable]] = (source, environment[variable])
        else:
            mistakes.append(f"{source}: expected the name of a setting")
    return layer


# Kubernetes tells every pod of a service named "shisanzhi" by variables such as SHISANZHI_PORT.
_SERVICE_LINK: Final = re.compile(r"SHISANZHI_(SERVICE_(HOST|PORT)|PORT_\d+_)").match


def _is_service_link(variable: str, value: str) -> bool:
    return value.startswith(("tcp://", "udp://")) or _SERVICE_LINK(variable) is not None


def _from_file(path: str, mistakes: list[str]) -> _Layer:
    source = Source("file", path)
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        mistakes.append(f"{source}: expected a readable file, got {error.strerror}")
        return {}
    except ValueError as error:
        mistakes.append(f"{source}: expected TOML, got {error}")
        return {}
    mistakes += [
        f"{source}: expected the name of a setting, got {key!r}"
        for key in content
        if key not in OPTIONS
    ]
    return {
        key: (Source("file", f"{path}, {key}"), value)
        for key, value in content.items()
        if key in OPTIONS
    }


def _parse(option: Option, given: object) -> Value:
    """Read one value: a text from flags and environment, a typed value from the file."""
    value = _PARSERS[option.kind](given)
    limits = option.limits
    unit = f" {option.unit}" if option.unit else ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if limits.least is not None and not value >= limits.least:
            raise ValueError(f"expected at least {limits.least}{unit}")
        if limits.most is not None and not value <= limits.most:
            raise ValueError(f"expected at most {limits.most}{unit}")
    if limits.words and value not in limits.words:
        raise ValueError(f"expected one of {', '.join(limits.words)}")
    return value


def _text(given: object) -> str:
    if not isinstance(given, str) or not given:
        raise ValueError("expected a text")
    return given


def _whole(given: object) -> int:
    try:
        if isinstance(given, str) or type(given) is int:
            return int(given)
    except ValueError:
        pass
    raise ValueError("expected a whole number")


def _number(given: object) -> float:
    try:
        if isinstance(given, str) or type(given) in {int, float}:
            number = float(typing.cast("str | float", given))
            if number - number == 0:  # neither infinite nor no number
                return number
    except ValueError:
        pass
    raise ValueError("expected a number")


_TRUE_FALSE: Final = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}


def _truth(given: object) -> bool:
    if isinstance(given, bool):
        return given
    if isinstance(given, str) and given.lower() in _TRUE_FALSE:
        return _TRUE_FALSE[given.lower()]
    raise ValueError("expected true or false")


def _texts(given: object) -> tuple[str, ...]:
    texts = given.split(",") if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("expected names separated by commas")
    return tuple(text.strip() for text in texts if text.strip())


_PARSERS: Final[Mapping[type, Callable[[object], Value]]] = {
    str: _text,
    int: _whole,
    float: _number,
    bool: _truth,
    tuple: _texts,
}


OPTIONS: Final = {option.name: option for option in _options()}
"""Every setting by name, in the order of the help."""


def _contradictions(values: Mapping[str, Value], sources: Mapping[str, Source]) -> Iterator[str]:
    """Say what cannot be together; half a TLS configuration must never mean plaintext."""
    for name, needed in (
        ("tls_certificate", "tls_key"),
        ("tls_key", "tls_certificate"),
        ("tls_client_ca", "tls_certificate"),
        ("tls_client_names", "tls_client_ca"),
    ):
        if values.get(name) and not values.get(needed):
            yield f"{sources[name]}: expected {OPTIONS[needed].flag} beside it, got none"


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


def to_toml(loaded: Loaded) -> str:
    """Write the settings in force as a file that :func:`load` reads back."""
    return "".join(_toml_line(option, loaded) for option in OPTIONS.values())


def _toml_line(option: Option, loaded: Loaded) -> str:
    value: Value = getattr(loaded.settings, option.name)
    unit = f" {option.unit}," if option.unit else ""
    note = f" #{unit} {loaded.sources[option.name]}\n"
    if value is None:
        return f"# {option.name} is unset{note}"
    if isinstance(value, tuple):
        return f"{option.name} = {json.dumps(list(value), ensure_ascii=False)}{note}"
    return f"{option.name} = {json.dumps(value, ensure_ascii=False)}{note}"
