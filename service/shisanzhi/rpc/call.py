"""One call, from its arrival to its end: the wrapper around every handler.

grpc.aio answers malformed bytes and unexpected errors with UNKNOWN and the name of a class. So it
is handed methods from bytes to bytes: counting, limits, the deadline, parsing and the mapping of
errors happen in here.

A call is incomplete until its request is there, then in hand until its answer is made, then unsent
until the network has taken that.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, Self, TypeAlias

import grpc
from google.protobuf.message import DecodeError, Message

from shisanzhi.rpc.ledger import Ledger
from shisanzhi.rpc.limits import Gate, Hands, Workers
from shisanzhi.rpc.metrics import MethodMeters, Metrics
from shisanzhi.rpc.refusals import (
    CrowdedError,
    ExpiredError,
    LateError,
    MalformedError,
    MessageTooLargeError,
    Refusal,
    explain,
)
from shisanzhi.rpc.request_id import REQUEST_ID, Metadata, request_id
from shisanzhi.rpc.stages import Stage, Streams
from shisanzhi.settings import Settings

_OK: Final = grpc.StatusCode.OK
_EOF: Final = grpc.aio.EOF
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_STATUS_DETAILS: Final = "grpc-status-details-bin"
LIGHT_BYTES: Final = 1024
"""Size of a request beyond which it is heavy, whatever it asks: the costliest take 1.5 to 3 ms for
each KiB, and the event loop is to be held for no more than 5. A hundred rows of Evaluate are light,
and all that other methods can answer, save matches of players with very long names."""
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


class Guard:
    """What all calls of a process share."""

    def __init__(
        self,
        settings: Settings,
        metrics: Metrics,
        ledger: Ledger,
        admit: Callable[[Context], None] | None = None,
    ) -> None:
        """Take the limits; admit raises a Refusal for a client that may not call."""
        most = settings.max_concurrent_rpcs
        self.metrics = metrics
        self.ledger = ledger
        self.admit = admit
        self.max_message_bytes = settings.max_message_bytes
        self.incomplete: Stage[Call] = Stage(
            most,
            settings.request_timeout,
            lambda call: call.give_up(CrowdedError()),
            lambda call: call.give_up(LateError()),
        )
        self.hands = Hands(most)
        self.workers = Workers(settings.workers, settings.max_queued)
        self.gate = Gate()
        self.unsent: Stage[Call] = Stage(
            most,
            settings.response_timeout,
            lambda call: call.cut_off("unsent_count"),
            lambda call: call.cut_off("unsent_time"),
        )
        self.streams = Streams(settings.max_watchers)
        self.open: set[Call] = set()

    def tell(self, metrics: Metrics) -> None:
        """Have the metrics say how many calls are in each stage."""
        metrics.in_flight.set_function(lambda: self.hands.count)
        metrics.incomplete.set_function(lambda: len(self.incomplete))
        metrics.unsent.set_function(lambda: len(self.unsent))
        metrics.streams.set_function(lambda: self.streams.count)

    def sweep(self) -> None:
        """End the calls whose client keeps them waiting."""
        self.incomplete.sweep()
        self.unsent.sweep()


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
    """One call: what grpc takes for a handler, made before it arrives, booked when it has ended.

    ``started`` is a monotonic time, ``ended`` is in seconds since 1970.
    """

    request_deserializer: ClassVar = None
    response_serializer: ClassVar = None

    __slots__ = (
        "answering",
        "code",
        "context",
        "ended",
        "in_hand",
        "metadata",
        "method",
        "peer",
        "reason",
        "refusal",
        "request_id",
        "seconds",
        "serving",
        "started",
    )

    metadata: Metadata
    context: Context
    answering: "asyncio.Task[None]"
    """grpc's task around the handler."""
    serving: "asyncio.Task[None]"
    """grpc's task around that one, which waits for the call's end."""

    def __init__(self, method: Method) -> None:
        """Take the method."""
        self.method = method
        self.in_hand = False
        self.refusal: Refusal | None = None

    def resolve_handler(self, details: grpc.HandlerCallDetails) -> Self:
        """Take what the client says beside its request; grpc calls it to find the handler."""
        self.metadata = details.invocation_metadata
        return self

    def run(self, serving: "asyncio.Task[None]") -> None:
        """Keep the task that serves the call until it has ended."""
        self.serving = serving
        self.method.guard.open.add(self)
        serving.add_done_callback(self._forget)

    def _forget(self, _serving: object) -> None:
        guard = self.method.guard
        guard.open.discard(self)
        guard.unsent.leave(self)
        guard.incomplete.leave(self)

    def begin(self, context: Context) -> None:
        """Count the call, and name it to the client."""
        self.started = time.monotonic()
        self.context = context
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - handlers run in tasks
        self.answering = task
        self.method.meters.started.inc()
        self.request_id = request_id(self.metadata)
        context.set_trailing_metadata(((REQUEST_ID, self.request_id),))
        self.method.guard.incomplete.enter(self)

    def give_up(self, refusal: Refusal) -> None:
        """Refuse a call that waits for its request."""
        self.refusal = refusal
        self.answering.cancel()

    def cut_off(self, why: str) -> None:
        """End a call whose answer nobody takes; grpc resets its stream."""
        self.method.guard.metrics.rejected[why].inc()
        self.answering.cancel()
        self.serving.cancel()

    def admit(self, raw: bytes) -> None:
        """Raise a Refusal for a call that is not to be worked on."""
        guard, context = self.method.guard, self.context
        guard.hands.take()
        self.in_hand = True
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
        guard = self.method.guard
        logged = not self.method.exempt and guard.ledger.log.wants(code)
        self.code = code
        self.reason = reason
        self.seconds = time.monotonic() - self.started
        self.ended = time.time()
        self.peer = self.context.peer() if logged else None
        # What is booked later must not keep grpc's part of the call until then.
        del self.context
        if self.in_hand:
            guard.hands.put_down()
        guard.incomplete.leave(self)
        guard.unsent.enter(self)
        guard.ledger.add(self)

    def end_cancelled(self) -> None:
        """Note down that the client went away, or that its deadline came."""
        late = self.context.time_remaining() == 0
        self.end(grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED)

    async def stop(self) -> None:
        """Refuse a call that was given up; note down one that is gone."""
        if self.refusal is None:
            self.end_cancelled()
        else:
            self.answering.uncancel()
            await self.refuse(self.refusal)

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
            method.guard.incomplete.leave(self)
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
            await self.stop()
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await self.refuse(error)
        method.meters.sent.inc()
        self.end(_OK)
        return response


class StreamCall(Call):
    """A call of any number of requests and responses; never in hand, but there is room for few.

    Its time to be complete is that of its first request.
    """

    request_streaming = True
    response_streaming = True

    __slots__ = ()

    async def stream_stream(
        self, requests: AsyncIterator[bytes], context: Context
    ) -> AsyncIterator[bytes]:
        """Answer, request by request; grpc calls it."""
        sent = self.method.meters.sent
        self.begin(context)
        peer = context.peer()
        held = False
        try:
            if self.method.exempt:
                self.method.guard.streams.take(peer)
                held = True
            async for response in self.method.answer(self.read(requests)):
                sent.inc()
                yield response.SerializeToString()
        except (*_GONE, GeneratorExit):
            await self.stop()
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await self.refuse(error)
        finally:
            if held:
                self.method.guard.streams.put_down(peer)
        self.end(_OK)

    async def read(self, requests: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        """Parse requests as they come."""
        received = self.method.meters.received
        async for raw in requests:
            self.method.guard.incomplete.leave(self)
            received.inc()
            yield self.method.read(raw)
        await asyncio.sleep(_CUT_OFF)
