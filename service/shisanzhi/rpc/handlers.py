"""The one wrapper around every handler, built once at registration.

grpc.aio resolves interceptors anew for every call, and answers malformed bytes and unexpected
errors with UNKNOWN and the name of a class. So it is handed methods from bytes to bytes: counting,
logging, limits, the deadline, parsing and the mapping of errors happen in here.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import status_pb2

from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.rpc import status
from shisanzhi.rpc.access_log import AccessLog
from shisanzhi.rpc.limits import Hands, Workers
from shisanzhi.rpc.metrics import MethodMeters, Metrics
from shisanzhi.rpc.refusals import (
    ExpiredError,
    MalformedError,
    MessageTooLargeError,
    Refusal,
    UnknownMethodError,
)
from shisanzhi.rpc.request_id import REQUEST_ID, TRACE_PARENT, request_id, trace_parent

_OK: Final = grpc.StatusCode.OK
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_STATUS_DETAILS: Final = "grpc-status-details-bin"

Metadata = Sequence[tuple[str, str | bytes]]
Context = grpc.aio.ServicerContext[Any, Any]
Ask = Callable[[Any], Message]
"""Request -> response; raises InvalidRequestError or Refusal for what is not answered."""
Stream = Callable[[AsyncIterator[Any]], AsyncIterator[Message]]


class Guard(NamedTuple):
    """What all calls of a process share."""

    metrics: Metrics
    log: AccessLog
    hands: Hands
    workers: Workers
    max_message_bytes: int
    admit: Callable[[Context], None] | None = None
    """Raises a Refusal for a client that may not call; None where all may."""


class Method:
    """One unary method from bytes to bytes, and all that is looked up once for it."""

    def __init__(
        self,
        path: str,
        request_type: type[Message],
        ask: Ask,
        guard: Guard,
        *,
        heavy: bool = False,
        exempt: bool = False,
    ) -> None:
        """Take the path ``/package.Service/Method``.

        A heavy method runs in a thread; an exempt one knows no limits and is not logged.
        """
        self.path = path
        self.guard = guard
        self.heavy = heavy
        self.exempt = exempt
        self.meters = guard.metrics.method("unary", *path.strip("/").split("/"))
        self._parse = request_type.FromString
        self._ask = ask

    def answer(self, raw: bytes) -> bytes:
        """Parse, ask, serialise."""
        try:
            request = self._parse(raw)
        except DecodeError as error:
            raise MalformedError from error
        return self._ask(request).SerializeToString()


class _Call:
    """One call: what grpc takes for a handler, made when the call arrives."""

    request_streaming: ClassVar = False
    response_streaming: ClassVar = False
    request_deserializer: ClassVar = None
    response_serializer: ClassVar = None

    __slots__ = ("_metadata", "_method", "_request_id", "_started")

    def __init__(self, method: Method, metadata: Metadata) -> None:
        self._method = method
        self._metadata = metadata

    async def unary_unary(self, raw: bytes, context: Context) -> bytes:
        method = self._method
        meters, guard = method.meters, method.guard
        self._started = time.monotonic()
        meters.started.inc()
        meters.received.inc()
        self._request_id = request_id(_find(self._metadata, REQUEST_ID))
        context.set_trailing_metadata(((REQUEST_ID, self._request_id),))
        try:
            if not method.exempt:
                self._admit(raw, context)
            if method.heavy:
                response = await guard.workers.run(method.answer, raw, self._expiry(context))
            else:
                response = method.answer(raw)
        except asyncio.CancelledError:
            self._end(grpc.StatusCode.CANCELLED, context)
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            answer = _explain(error, self._request_id)
            self._end(_CODES[answer.code], context, error)
        else:
            meters.sent.inc()
            self._end(_OK, context)
            return response
        await _abort(context, answer, self._request_id)
