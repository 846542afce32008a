"""grpc.health.v1: Check, Watch and List, with watchers that end when the server stops.

grpcio's own servicer is not used: its Watch outlives a graceful stop, and it has no List.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from shisanzhi.rpc.calls.handlers import Handlers
from shisanzhi.rpc.limits.refusals import MalformedError, UnknownServiceError

SERVICE_NAME: Final = "grpc.health.v1.Health"
OVERALL: Final = ""
LIVENESS: Final = "liveness"
"""A name that is SERVING for as long as the process answers: also while it starts and drains."""
_FAREWELL: Final = 0.2
"""Seconds between a watcher's last status and its end: some clients lose one that comes with it."""

_Response = health_pb2.HealthCheckResponse
_pb2: Any = health_pb2  # its types are older than List


class Health:
    """Says of each name whether it serves. All readiness names change together."""

    def __init__(self, services: Iterable[str]) -> None:
        """Take the names of the services beside the overall one; none serves yet."""
        self._names = (OVERALL, *services)
        self._status: int = _Response.NOT_SERVING
        self._changed = asyncio.Event()
        self._ending = False
        self.alive = True

    @property
    def serving(self) -> bool:
        """Whether the readiness names are SERVING."""
        return self._status == _Response.SERVING

    def set_serving(self) -> None:
        """Start to serve: every readiness name, and tell the watchers."""
        self._status = _Response.SERVING
        self._tell()

    def drain(self) -> None:
        """Stop serving for good: tell the watchers, then end their streams."""
        self._status = _Response.NOT_SERVING
        self._ending = True
        self._tell()

    def fail(self) -> None:
        """Say that the process is of no more use: neither ready nor alive."""
        self.alive = False
        self.drain()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _of(self, name: str) -> int | None:
        if name == LIVENESS:
            return _Response.SERVING if self.alive else _Response.NOT_SERVING
        return self._status if name in self._names else None

    def check(self, request: health_pb2.HealthCheckRequest) -> _Response:
        """Answer for one name; raises :class:`UnknownServiceError`."""
        status = self._of(request.service)
        if status is None:
            raise UnknownServiceError
        return _Response(status=status)

    def list(self, _request: Message) -> Message:
        """Answer for every name."""
        response: Message = _pb2.HealthListResponse(
            statuses={name: _Response(status=self._of(name)) for name in (*self._names, LIVENESS)}
        )
        return response

    async def watch(
        self, requests: AsyncIterator[health_pb2.HealthCheckRequest]
    ) -> AsyncIterator[_Response]:
        """Send the status of one name, again at each change, until the server stops.

        Raises :class:`MalformedError` where no name was sent.
        """
        request = await anext(requests, None)
        if request is None:
            raise MalformedError
        told = None
        while True:
            # All of it at once: while a status is sent, the next change can come.
            changed, ending = self._changed, self._ending
            status = self._of(request.service)
            if status is None:
                status = _Response.SERVICE_UNKNOWN
            if status != told:
                yield _Response(status=status)
                told = status
            if ending:
                await asyncio.sleep(_FAREWELL)
                return
            await changed.wait()

    def add_to(self, handlers: Handlers) -> None:
        """Serve the three methods."""
        check, listing = _pb2.HealthCheckRequest, _pb2.HealthListRequest
        handlers.add_unary(f"/{SERVICE_NAME}/Check", check, self.check, exempt=True)
        handlers.add_unary(f"/{SERVICE_NAME}/List", listing, self.list, exempt=True)
        handlers.add_stream(f"/{SERVICE_NAME}/Watch", check, self.watch, "server_stream")
