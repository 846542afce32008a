"""The names of grpcio that are not public: here they are, and what they are needed against."""

import ast
import asyncio
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import grpc
import pytest

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.acceptor import Acceptor
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from tests.server.raw_http2 import Connection

PACKAGE = Path(core.__file__).parent
METHOD = "/service/Method"
ANSWERED_BY_NOW = 0.5
"""Seconds; what is answered at all takes a few milliseconds."""


def test_the_private_names_are_those_that_were_tried() -> None:
    assert version("grpcio").startswith(f"{core.TRIED_ON}.")
    for name in (*core.OVERRIDDEN, *core.CALLED):
        assert callable(getattr(core.AioServer, name)), name
    for error in (core.RequestCallError, core.ExecuteError):
        assert issubclass(error, Exception)
    for coroutine in (
        core.handle,
        core.schedule,
        core.execute,
        core.AioServer._request_call,
        core.AioServer._request_registered_call,
        core.ServicerContext.read,
    ):
        assert inspect.iscoroutinefunction(coroutine), coroutine
    for name in ("auth_context", "invocation_metadata", "peer", "time_remaining"):
        assert callable(getattr(core.ServicerContext, name)), name


def test_the_operations_take_what_they_are_given() -> None:
    core.SendMetadata(None, 0)
    core.SendMessage(b"response", 0)
    core.SendStatus((("key", "value"), ("key-bin", b"\xff")), 3, "message", 0)
    assert not core.ReceiveClose(0).cancelled()


def test_the_acceptor_replaces_and_calls_what_is_listed() -> None:
    inherited = {name for name in vars(Acceptor) if name in vars(core.AioServer)}
    assert set(core.OVERRIDDEN) == {name for name in inherited if not name.startswith("__")}
    source = inspect.getsource(Acceptor)
    assert [name for name in core.CALLED if f".{name}" not in source] == ["start"]


def foreign_private_names(source: str) -> list[str]:
    """Name what a source reads of others though it is not public."""
    public_though = {"_replace", "_asdict", "_fields", "_name_", "_value_"}
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=value, attr=name) if name.startswith("_") and name[1] != "_":
                if not (isinstance(value, ast.Name) and value.id in {"self", "cls"}):
                    found.append(name)
            case ast.ImportFrom(module=str(module)) if "._" in module:
                found.append(module)
    return [name for name in found if name not in public_though]


OTHERS = [path for path in PACKAGE.rglob("*.py") if path != Path(core.__file__)]


@pytest.mark.parametrize("path", sorted(OTHERS), ids=lambda path: path.stem)
def test_no_other_module_uses_private_names_of_others(path: Path) -> None:
    assert foreign_private_names(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("source", ["ssl._ssl", "from a._b import c", "a().b._c"])
def test_private_names_are_found(source: str) -> None:
    assert len(foreign_private_names(source)) == 1


@contextmanager
def usual_server(handle: Callable[..., Any]) -> Iterator[tuple[Any, int]]:
    """Give a server of grpc.aio with one unary method, and its port."""
    server = grpc.aio.server()
    handler = grpc.unary_unary_rpc_method_handler(
        handle, service_pb2.EvaluateRequest.FromString, lambda response: response
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("service", {"Method": handler}),)
    )
    yield server, server.add_insecure_port("127.0.0.1:0")


async def answer(_request: Any, _context: Any) -> bytes:
    return b""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_grpc_still_ends_a_server_by_a_path_that_is_not_utf_8() -> None:
    """Once this fails, grpc.aio's own loop may do, and the acceptor can go."""

    async def run() -> None:
        server = grpc.aio.server()
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call: Any = channel.unary_unary(b"/\xff")  # type: ignore[arg-type]
            with pytest.raises(grpc.aio.AioRpcError):
                await call(b"", timeout=5)
        with pytest.raises(UnicodeDecodeError):
            await server.wait_for_termination(5)

    asyncio.run(run())


def test_grpc_still_answers_what_cannot_be_parsed_with_the_name_of_a_class() -> None:
    """Once this and the next fail, grpc.aio may serve unary calls, and ours can go."""

    async def run() -> None:
        with usual_server(answer) as (server, port):
            await server.start()
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                call: Any = channel.unary_unary(METHOD)
                with pytest.raises(grpc.aio.AioRpcError) as raised:
                    await call(b"\xff", timeout=5)
            await server.stop(None)
        assert raised.value.code() is grpc.StatusCode.UNKNOWN
        assert "DecodeError" in str(raised.value.details())

    asyncio.run(run())


def test_grpc_still_does_not_answer_a_unary_call_without_a_request() -> None:
    def ask(port: int) -> None:
        with Connection(f"127.0.0.1:{port}") as connection:
            connection._socket.settimeout(ANSWERED_BY_NOW)
            with pytest.raises(TimeoutError):
                connection.raw_call(METHOD, b"", {})

    async def run() -> None:
        with usual_server(answer) as (server, port):
            await server.start()
            await asyncio.to_thread(ask, port)
            await server.stop(None)

    asyncio.run(run())
