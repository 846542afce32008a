"""grpc.health.v1: Check, Watch and List, with watchers that end when the server stops.

grpcio's own servicer is not used: its Watch outlives a graceful stop, and it has no List.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final

import grpc
from grpc_health.v1 import health_pb2

SERVICE_NAME: Final = "grpc.health.v1.Health"
OVERALL: Final = ""
LIVENESS: Final = "liveness"
"""A name that is SERVING for as long as the process answers: also while it starts and drains."""

_Status = health_pb2.HealthCheckResponse.ServingStatus
_Response = health_pb2.HealthCheckResponse


class Health:
    """Says of each name whether it serves. All readiness names change together."""

    def __init__(self, services: Iterable[str]) -> None:
        """Take the names of the services beside the overall one; none serves yet."""
        self._names = (OVERALL, *services)
        self._status: _Status.ValueType = _Response.NOT_SERVING
        self._changed = asyncio.Event()
        self._ending = False

    def set_serving(self) -> None:
        """Start to serve: every readiness name, and tell the watchers."""
        self._status = _Response.SERVING
        self._tell()

    def drain(self) -> None:
        """Stop serving for good: tell the watchers, then end their streams."""
        self._status = _Response.NOT_SERVING
        self._ending = True
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _of(self, name: str) -> _Status.ValueType | None:
        if name == LIVENESS:
            return _Response.SERVING
        return self._status if name in self._names else None

    async def check(
        self, request: health_pb2.HealthCheckRequest, context: "grpc.aio.ServicerContext"
    ) -> health_pb2.HealthCheckResponse:
        """Answer for one name; NOT_FOUND for one that does not exist."""
        status = self._of(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "unknown service")
        return _Response(status=status)

    async def list(
        self, _request: health_pb2.HealthListRequest, _context: "grpc.aio.ServicerContext"
    ) -> health_pb2.HealthListResponse:
        """Answer for every name."""
        return health_pb2.HealthListResponse(
            statuses={name: _Response(status=self._of(name)) for name in (*self._names, LIVENESS)}
        )

    async def watch(
        self, request: health_pb2.HealthCheckRequest, _context: "grpc.aio.ServicerContext"
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Send the status of one name, again at each change, until the server stops."""
        told = None
        while True:
            changed = self._changed
            status = self._of(request.service)
            if status is None:
                status = _Response.SERVICE_UNKNOWN
            if status != told:
                yield _Response(status=status)
                told = status
            if self._ending:
                return
            await changed.wait()

    def handlers(self) -> dict[str, "grpc.RpcMethodHandler[object, object]"]:
        """Give the handler of each method, by name."""
        return {
            "Check": grpc.unary_unary_rpc_method_handler(
                self.check,
                health_pb2.HealthCheckRequest.FromString,
                _Response.SerializeToString,
            ),
            "List": grpc.unary_unary_rpc_method_handler(
                self.list,
                health_pb2.HealthListRequest.FromString,
                health_pb2.HealthListResponse.SerializeToString,
            ),
            "Watch": grpc.unary_stream_rpc_method_handler(
                self.watch,
                health_pb2.HealthCheckRequest.FromString,
                _Response.SerializeToString,
            ),
        }
