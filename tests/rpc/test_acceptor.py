"""The acceptor rests on names of grpcio that are not public; here they are, and what they do."""

import asyncio
import inspect
from importlib.metadata import version
from typing import Any

import grpc
import pytest
from grpc._cython import cygrpc  # type: ignore[attr-defined] # it has no types

TRIED_ON = ("1.85",)


def test_the_private_names_are_those_that_were_tried() -> None:
    assert version("grpcio").startswith(TRIED_ON)
    assert issubclass(cygrpc._RequestCallError, Exception)
    for coroutine in (
        cygrpc._handle_rpc,
        cygrpc._schedule_rpc_coro,
        cygrpc.AioServer._request_call,
        cygrpc.AioServer._request_registered_call,
    ):
        assert inspect.iscoroutinefunction(coroutine)
    for name in ("_make_request_call_future", "add_registered_method_handlers", "shutdown"):
        assert callable(getattr(cygrpc.AioServer, name))


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
