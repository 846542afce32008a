"""Which handler answers a call.

All are wrapped once, at registration: grpc.aio would resolve interceptors anew for every call.
"""

from collections.abc import AsyncIterator
from typing import Any, cast

import grpc
from google.protobuf.message import Message

from shisanzhi.rpc.access_log import asked_for
from shisanzhi.rpc.call import Ask, Converse, Guard, Method, StreamCall, UnaryCall
from shisanzhi.rpc.metrics import UNKNOWN
from shisanzhi.rpc.refusals import UnknownMethodError


class Handlers(grpc.GenericRpcHandler):
    """Finds the handler of a call, and answers for methods that do not exist."""

    def __init__(self, guard: Guard) -> None:
        """Know no method yet."""
        self._guard = guard
        self._unary: dict[str, Method] = {}
        self._stream: dict[str, Method] = {}
        self._unknown = Method(
            f"/{UNKNOWN}/{UNKNOWN}",
            bytes,
            _unknown,
            guard.metrics.method("unary", UNKNOWN, UNKNOWN),
            guard,
        )

    def add_unary(
        self,
        path: str,
        request_type: type[Message],
        ask: Ask,
        *,
        heavy: bool = False,
        exempt: bool = False,
    ) -> None:
        """Serve a unary method under ``/package.Service/Method``."""
        self._unary[path] = Method(
            path,
            request_type.FromString,
            ask,
            self._guard.metrics.method("unary", *_names(path)),
            self._guard,
            heavy,
            exempt,
        )

    def add_stream(
        self, path: str, request_type: type[Message], converse: Converse, kind: str
    ) -> None:
        """Serve a streaming method, exempt from limits and log; kind is that of the metrics."""
        self._stream[path] = Method(
            path,
            request_type.FromString,
            converse,
            self._guard.metrics.method(kind, *_names(path)),
            self._guard,
            exempt=True,
        )

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:  # noqa: ANN401
        """Make the call; of an unknown method not even the request is read."""
        path, metadata = handler_call_details.method, handler_call_details.invocation_metadata
        method = self._unary.get(path)
        if method is not None:
            return UnaryCall(method, metadata)
        # The log says what was asked for; the metrics must not, or a client could make series.
        return StreamCall(
            self._stream.get(path) or self._unknown._replace(path=asked_for(path)), metadata
        )


def _names(path: str) -> tuple[str, str]:
    _, service, method = path.split("/")
    return service, method


async def _unknown(requests: AsyncIterator[bytes]) -> AsyncIterator[Message]:
    for _ in ():
        yield cast("Message", requests)  # never: it only makes this a generator
    raise UnknownMethodError
