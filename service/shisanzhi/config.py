"""The settings in force: flags, then environment, then file, then the default."""

import json
import re
import tomllib
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from shisanzhi.settings import (
    CONFIG_FILE_VARIABLE,
    ENVIRONMENT_PREFIX,
    OPTIONS,
    Option,
    Settings,
    Value,
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


# Kubernetes describes each Service to pods in variables, and "shisanzhi-metrics" begins as ours do.
_SERVICE_LINK: Final = re.compile(
    r"""SHISANZHI_(\w+_)?
    ( SERVICE_HOST = [\da-f:.]+
    | SERVICE_PORT(_\w+)? = \d+
    | PORT(_\d+_(TCP|UDP|SCTP))? = (tcp|udp|sctp)://[\da-f:.\[\]]+:\d+
    | PORT_\d+_(TCP|UDP|SCTP)_(PROTO = (tcp|udp|sctp) | PORT = \d+ | ADDR = [\da-f:.]+)
    )""",
    re.ASCII | re.VERBOSE,
)


def _is_service_link(variable: str, value: str) -> bool:
    return _SERVICE_LINK.fullmatch(f"{variable}={value}") is not None


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
