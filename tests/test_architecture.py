"""Imports point one way: cli, server -> calls -> limits, messages -> engine; no circles."""

import ast
import sys
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

import pytest

import shisanzhi

PACKAGE = Path(shisanzhi.__file__).parent
ENGINE = "shisanzhi.engine"
OPTIONAL_IN_ENGINE = {
    ("shisanzhi.engine.solver.search", "cython"),
    ("shisanzhi.engine.solver.expected_units", "cython"),
}
"""The solver's kernel is compiled where Cython is; without it, it runs as it is."""

IMPURE = {
    "asyncio", "builtins", "datetime", "io", "locale", "logging", "os", "pathlib", "platform",
    "random", "secrets", "socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
    "warnings",
}  # fmt: skip
"""Clock, environment, chance, logging, files: what the engine must not know."""

WIRE = {"grpc", "grpc_health", "grpc_reflection", "google"}

LEVELS = {
    "shisanzhi.engine": 0,
    "shisanzhi.v1": 0,
    "shisanzhi.settings": 0,
    "shisanzhi.progress": 0,
    "shisanzhi.seeds": 0,
    "shisanzhi.config": 1,
    "shisanzhi.rpc": 1,
    "shisanzhi.rpc.messages": 2,
    "shisanzhi.rpc.client": 3,
    "shisanzhi.rpc.limits": 3,
    "shisanzhi.rpc.observability": 4,
    "shisanzhi.rpc.calls": 5,
    "shisanzhi.rpc.server": 6,
    "shisanzhi.cli": 7,
    "shisanzhi": 8,
}
"""A room may import what is below it, and not what is beside it; a name stands for all it holds."""

GOING_ROUND = {
    *("shisanzhi.engine.arrangement", "shisanzhi.engine.names"),
    *("shisanzhi.engine.rulesets.ruleset", "shisanzhi.engine.scoring.round"),
}
"""Still in a circle, for their types alone."""


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
HAND_WRITTEN = {name: path for name, path in MODULES.items() if not name.startswith("shisanzhi.v1")}
ENGINE_MODULES = [name for name in MODULES if name.startswith(ENGINE)]


def imports(source: str) -> Iterator[str]:
    """Give every module that a source imports, wherever the import stands.

    A name imported from a package may be a module too, and is given as one.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom(module=module, level=level):
                yield "." * level + (module or "")


def modules_imported(source: str, known: Container[str]) -> Iterator[str]:
    """Give the known modules that a source imports; of a package only its own names count."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in known)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                whole = [f"{module}.{alias.name}" for alias in names]
                yield from (name if name in known else module for name in whole)


def top(name: str) -> str:
    return name.split(".", maxsplit=1)[0]


def imports_of(name: str) -> list[str]:
    return list(imports(MODULES[name].read_text(encoding="utf-8")))


def room_of(name: str) -> str:
    """Give the longest listed name that holds this one."""
    while name not in LEVELS:
        name = name.rpartition(".")[0]
    return name


def is_below(imported: str, name: str) -> bool:
    """Tell whether a module may import another: one of its own room, or of one below."""
    ours, theirs = room_of(name), room_of(imported)
    return ours == theirs or LEVELS[theirs] < LEVELS[ours]


def circles(sources: Mapping[str, str]) -> set[str]:
    """Name the modules that import themselves in the end, given the source of each."""
    reached = {
        name: set(modules_imported(source, sources)) & sources.keys()
        for name, source in sources.items()
    }
    for middle in sources:
        for name in sources:
            if middle in reached[name]:
                reached[name] |= reached[middle]
    return {name for name in sources if name in reached[name]}


def is_module(name: str) -> bool:
    return name in MODULES


def engine_faults(name: str, source: str) -> list[str]:
    """Name the imports by which a module of the engine knows more than it must."""
    return [
        imported
        for imported in imports(source)
        if (name, imported) not in OPTIONAL_IN_ENGINE
        and not (
            imported.startswith(f"{ENGINE}.")
            or imported == ENGINE
            or (top(imported) in sys.stdlib_module_names and top(imported) not in IMPURE)
        )
    ]


@pytest.mark.parametrize("name", ENGINE_MODULES)
def test_the_engine_imports_only_itself_and_what_is_pure_of_the_standard_library(
    name: str,
) -> None:
    assert engine_faults(name, MODULES[name].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "import grpc",
        "import random",
        "import os.path",
        "from time import monotonic",
        "from shisanzhi.rpc import decode",
        "from shisanzhi import cli",
        "import shisanzhi.v1.card_pb2",
        "from . import cards",
        "def later():\n    from google.protobuf import message",
    ],
)
def test_an_import_that_the_engine_must_not_have_is_found(source: str) -> None:
    assert engine_faults("shisanzhi.engine.anything", source) != []


@pytest.mark.parametrize("name", ENGINE_MODULES)
def test_the_engine_opens_no_file_by_itself_and_runs_no_text(name: str) -> None:
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert not {"open", "print", "input", "exec", "eval", "__import__"} & set(calls)


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_only_the_rpc_room_knows_grpc_and_protobuf(name: str) -> None:
    if not name.startswith("shisanzhi.rpc"):
        assert [each for each in imports_of(name) if top(each) in WIRE] == []


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_imports_point_one_way(name: str) -> None:
    own = [each for each in imports_of(name) if is_module(each) and each != "shisanzhi"]
    assert [each for each in own if not is_below(each, name)] == []


def test_no_modules_import_each_other_in_a_circle_not_even_for_types() -> None:
    sources = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}
    assert circles(sources) - GOING_ROUND == set()


@pytest.mark.parametrize(
    "source",
    [
        "import shisanzhi.b",
        "from shisanzhi import b",
        "from shisanzhi.b import anything",
        "def later():\n    from shisanzhi import b",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shisanzhi.b import B",
    ],
)
def test_a_circle_is_found_however_it_is_closed(source: str) -> None:
    straight = {
        "shisanzhi": "",
        "shisanzhi.a": "from shisanzhi import d",
        "shisanzhi.b": "import shisanzhi.c",
        "shisanzhi.c": "from shisanzhi import a",
        "shisanzhi.d": "",
    }
    assert circles(straight) == set()
    closed = {**straight, "shisanzhi.a": source}
    assert circles(closed) == {"shisanzhi.a", "shisanzhi.b", "shisanzhi.c"}


@pytest.mark.parametrize(
    ("imported", "name", "below"),
    [
        ("shisanzhi.rpc.messages.status", "shisanzhi.rpc.limits.refusals", True),
        ("shisanzhi.rpc.limits.gate", "shisanzhi.rpc.limits.limits", True),
        ("shisanzhi.rpc.calls.call", "shisanzhi.rpc.observability.recorder", False),
        ("shisanzhi.rpc.limits.stages", "shisanzhi.rpc.client.probe", False),
        ("shisanzhi.cli", "shisanzhi.rpc.server.run", False),
    ],
)
def test_what_is_above_or_beside_is_not_below(imported: str, name: str, *, below: bool) -> None:
    assert is_below(imported, name) == below


def test_the_levels_are_those_of_modules_that_exist() -> None:
    assert set(LEVELS) <= set(MODULES)
    assert len(ENGINE_MODULES) > 10
