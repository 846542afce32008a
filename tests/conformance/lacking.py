"""A real server, seen through one that lacks a method."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from tests.conformance.stub import stub_server
from tests.rpc.wire import SERVICE


class Lacking(grpc.GenericRpcHandler):
    """Passes calls on, bytes as they are, but for one method, which nobody implements."""

    def __init__(self, behind: grpc.Channel, lacks: str) -> None:
        self._behind = behind
        self._lacks = f"/{SERVICE.full_name}/{lacks}"

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        path = handler_call_details.method
        if path == self._lacks:
            return None
        call: Any = self._behind.unary_unary(path)

        def pass_on(request: bytes, context: grpc.ServicerContext) -> bytes:
            try:
                response: bytes = call(request, timeout=30)
            except grpc.RpcError as error:
                failed: Any = error
                context.set_trailing_metadata(failed.trailing_metadata() or ())
                context.abort(failed.code(), failed.details())
            return response

        return grpc.unary_unary_rpc_method_handler(pass_on)


@contextmanager
def lacking(target: str, method: str) -> Iterator[str]:
    """Run one for the length of a block; give its address."""
    with grpc.insecure_channel(target) as behind, stub_server(Lacking(behind, method)) as address:
        yield address
