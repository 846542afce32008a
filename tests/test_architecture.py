"""Imports point one way: cli, server -> servicer -> decode, encode, status -> engine."""

import ast
import sys
from collections.abc import Iterator
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
    "shisanzhi.config": 0,
    "shisanzhi.settings": 0,
    "shisanzhi.progress": 0,
    "shisanzhi.seeds": 0,
    "shisanzhi.client": 1,
    "shisanzhi.rpc.messages.decode": 1,
    "shisanzhi.rpc.messages.decode_parts": 1,
    "shisanzhi.rpc.messages.encode": 1,
    "shisanzhi.rpc.messages.encode_parts": 1,
    "shisanzhi.rpc.messages.status": 1,
    "shisanzhi.rpc": 2,
    "shisanzhi.rpc.calls.servicer": 2,
    "shisanzhi.rpc.server.server": 3,
    "shisanzhi.rpc.server.run": 3,
    "shisanzhi.cli": 4,
    "shisanzhi": 5,
}
"""A module may import what is on its own level or below; a name stands for all it holds."""


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


def top(name: str) -> str:
    return name.split(".", maxsplit=1)[0]


def imports_of(name: str) -> list[str]:
    return list(imports(MODULES[name].read_text(encoding="utf-8")))


def level_of(name: str) -> int:
    """Give the level of the longest listed name that holds this one."""
    while name not in LEVELS:
        name = name.rpartition(".")[0]
    return LEVELS[name]


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
def test_only_the_rpc_room_and_the_client_know_grpc_and_protobuf(name: str) -> None:
    if not name.startswith(("shisanzhi.rpc", "shisanzhi.client")):
        assert [each for each in imports_of(name) if top(each) in WIRE] == []


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_imports_point_one_way(name: str) -> None:
    own = [each for each in imports_of(name) if is_module(each) and each != "shisanzhi"]
    upward = [each for each in own if level_of(each) > level_of(name)]
    assert upward == []


def test_the_levels_are_those_of_modules_that_exist() -> None:
    assert set(LEVELS) <= set(MODULES)
    assert len(ENGINE_MODULES) > 10
