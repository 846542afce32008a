"""One call, from its arrival to its end: the wrapper around every handler.

grpc.aio answers malformed bytes and unexpected errors with UNKNOWN and the name of a class. So it
is handed methods from bytes to bytes: counting, limits, the deadline, parsing and the mapping of
errors happen in here.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, TypeAlias

import grpc
from google.protobuf.message import DecodeError, Message

from shisanzhi.rpc.ledger import Ledger
from shisanzhi.rpc.limits import Gate, Hands, Workers
from shisanzhi.rpc.metrics import MethodMeters, Metrics
from shisanzhi.rpc.refusals import (
    ExpiredError,
    MalformedError,
    MessageTooLargeError,
    explain,
)
from shisanzhi.rpc.request_id import REQUEST_ID, Metadata, request_id

_OK: Final = grpc.StatusCode.OK
_EOF: Final = grpc.aio.EOF
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_STATUS_DETAILS: Final = "grpc-status-details-bin"
LIGHT_BYTES: Final = 2048
"""Size of a request beyond which it is heavy, whatever it asks: the costliest take a millisecond
for each KiB. Apart from Evaluate's nothing that can be answered is so large."""
_CUT_OFF: Final = 0.01
"""Seconds within which grpc cancels a call that was cut off; until then it reads like one whose
client has said all it has to say."""
_GONE: Final = (asyncio.CancelledError, grpc.aio.BaseError)
"""What ends a call that nobody waits for: cancelled, or read when client or server are gone."""

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Ask = Callable[[Any], Message]
"""Request -> response; raises InvalidRequestError or Refusal for what is not answered."""
Converse = Callable[[AsyncIterator[Any]], AsyncIterator[Message]]
"""Requests -> responses; raises like Ask."""


class Guard(NamedTuple):
    """What all calls of a process share."""

    metrics: Metrics
    ledger: Ledger
    hands: Hands
    workers: Workers
    gate: Gate
    max_message_bytes: int
    admit: Callable[[Context], None] | None = None
    """Raises a Refusal for a client that may not call; None where all may."""


class Method(NamedTuple):
    """One method from bytes to bytes, and all that is looked up once for it.

    A heavy method runs in a thread. An exempt one knows no limits and is not logged.
    """

    path: str
    parse: Callable[[bytes], Any]
    answer: Callable[[Any], Any]
    meters: MethodMeters
    guard: Guard
    heavy: bool = False
    exempt: bool = False

    def respond(self, raw: bytes) -> bytes:
        """Parse, ask, serialise."""
        response: Message = self.answer(self.read(raw))
        return response.SerializeToString()

    def read(self, raw: bytes) -> Any:  # noqa: ANN401 - a message of the method's type
        """Parse a request."""
        try:
            return self.parse(raw)
        except DecodeError as error:
            raise MalformedError from error


class Call:
    """One call: what grpc takes for a handler, made when it arrives, booked when it has ended.

    ``started`` is a monotonic time, ``ended`` is in seconds since 1970.
    """

    request_deserializer: ClassVar = None
    response_serializer: ClassVar = None

    __slots__ = (
        "code",
        "context",
        "ended",
        "metadata",
        "method",
        "peer",
        "reason",
        "request_id",
        "seconds",
        "started",
    )

    def __init__(self, method: Method, metadata: Metadata) -> None:
        """Take the method, and what the client says beside its request."""
        self.method = method
        self.metadata = metadata

    def begin(self, context: Context) -> None:
        """Count the call, and name it to the client."""
        self.started = time.monotonic()
        self.context = context
        self.method.meters.started.inc()
        self.request_id = request_id(self.metadata)
        context.set_trailing_metadata(((REQUEST_ID, self.request_id),))

    def admit(self, raw: bytes) -> None:
        """Raise a Refusal for a call that is not to be worked on."""
        guard, context = self.method.guard, self.context
        guard.hands.take()
        context.add_done_callback(guard.hands.put_down)  # type: ignore[arg-type] # of any call
        if guard.admit is not None:
            guard.admit(context)
        if len(raw) > guard.max_message_bytes:
            raise MessageTooLargeError
        if context.time_remaining() == 0:
            raise ExpiredError

    def expiry(self) -> float | None:
        """Give the monotonic time of the deadline; None where there is none."""
        remaining: float | None = self.context.time_remaining()
        return None if remaining is None else time.monotonic() + remaining

    def end(self, code: grpc.StatusCode, reason: str | None = None) -> None:
        """Note down how the call ended; a call without a peer is not logged."""
        ledger = self.method.guard.ledger
        logged = not self.method.exempt and ledger.log.wants(code)
        self.code = code
        self.reason = reason
        self.seconds = time.monotonic() - self.started
        self.ended = time.time()
        self.peer = self.context.peer() if logged else None
        # What is booked later must not keep grpc's part of the call until then.
        del self.context
        ledger.add(self)

    def end_cancelled(self) -> None:
        """Note down that the client went away, or that its deadline came."""
        late = self.context.time_remaining() == 0
        self.end(grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED)

    async def refuse(self, error: Exception) -> NoReturn:
        """Tell the client what is wrong; raises what grpc raises to end a call."""
        guard, context = self.method.guard, self.context
        refusal = explain(error, self.request_id)
        if refusal.rejection is not None:
            guard.metrics.rejected[refusal.rejection].inc()
        if refusal.unexpected:
            guard.ledger.log.unexpected(error, self.method.path, self.request_id)
        code = _CODES[refusal.status.code]
        self.end(code, refusal.reason)
        trailers = (
            (REQUEST_ID, self.request_id),
            (_STATUS_DETAILS, refusal.status.SerializeToString()),
        )
        if guard.gate.shut:
            await guard.gate.wait()
        await context.abort(code, refusal.status.message, trailers)


class UnaryCall(Call):
    """A unary call, read by hand: grpc.aio leaves one that ends without a message unanswered."""

    request_streaming = True
    response_streaming = False

    __slots__ = ()

    async def stream_unary(self, _requests: object, context: Context) -> bytes:
        """Answer; grpc calls it."""
        method = self.method
        self.begin(context)
        try:
            raw = await context.read()
            if raw is _EOF:
                await asyncio.sleep(_CUT_OFF)
                raise MalformedError  # noqa: TRY301 - as whatever else is wrong with it
            method.meters.received.inc()
            if not method.exempt:
                self.admit(raw)
            if method.heavy or len(raw) > LIGHT_BYTES:
                response = await method.guard.workers.run(
                    method.respond, raw, self.expiry(), context.peer(), compiled=method.heavy
                )
            else:
                response = method.respond(raw)
            if method.guard.gate.shut:
                await method.guard.gate.wait()
        except _GONE:
            self.end_cancelled()
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await self.refuse(error)
        method.meters.sent.inc()
        self.end(_OK)
        return response


class StreamCall(Call):
    """A call of any number of requests and responses; exempt from limits, so never admitted."""

    request_streaming = True
    response_streaming = True

    __slots__ = ()

    async def stream_stream(
        self, requests: AsyncIterator[bytes], context: Context
    ) -> AsyncIterator[bytes]:
        """Answer, request by request; grpc calls it."""
        sent = self.method.meters.sent
        self.begin(context)
        try:
            async for response in self.method.answer(self.read(requests)):
                sent.inc()
                yield response.SerializeToString()
        except (*_GONE, GeneratorExit):
            self.end_cancelled()
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await self.refuse(error)
        self.end(_OK)

    async def read(self, requests: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        """Parse requests as they come."""
        received = self.method.meters.received
        async for raw in requests:
            received.inc()
            yield self.method.read(raw)
        await asyncio.sleep(_CUT_OFF)
