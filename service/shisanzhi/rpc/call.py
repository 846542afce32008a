"""One call, from its arrival to its end: the wrapper around every handler.

grpc.aio answers malformed bytes and unexpected errors with UNKNOWN and the name of a class. So it
is handed methods from bytes to bytes: counting, limits, the deadline, parsing and the mapping of
errors happen in here.

A call is incomplete until its request is there, then in hand until its answer is made, then unsent
until the network has taken that.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias

import grpc
from google.protobuf.message import DecodeError, Message
from grpc._cython import cygrpc  # type: ignore[attr-defined] # it has no types

from shisanzhi.rpc.batch import in_pieces
from shisanzhi.rpc.channel_options import max_incomplete
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

_execute: Final = cygrpc.execute_batch
_handle: Final = cygrpc._handle_rpc  # noqa: SLF001 - see acceptor.py
_schedule: Final = cygrpc._schedule_rpc_coro  # noqa: SLF001 - the same
_Context: Final = cygrpc._ServicerContext  # noqa: SLF001 - the same

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
        self.max_batch_bytes = settings.max_batch_bytes
        self.incomplete: Stage[Call] = Stage(
            max_incomplete(settings),
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

    def tell(self, metrics: Metrics) -> None:
        """Have the metrics say how many calls are in each stage."""
        metrics.in_flight.set_function(lambda: self.hands.count)
        metrics.incomplete.set_function(lambda: len(self.incomplete))
        metrics.unsent.set_function(lambda: len(self.unsent))
        metrics.streams.set_function(lambda: self.streams.count)

    def sweep(self) -> None:
        """End the calls whose client keeps them waiting, and hear of those whose client goes."""
        self.incomplete.sweep()
        self.unsent.sweep()
        for call in self.incomplete:
            call.watch()


class Method(NamedTuple):
    """One method from bytes to bytes, and all that is looked up once for it.

    A heavy method runs in a thread. An exempt one knows no limits and is not logged. A batch is
    worked on in pieces; ``parse`` and ``answer`` are those of each request in it.
    """

    path: str
    parse: Callable[[bytes], Any]
    answer: Callable[[Any], Any]
    meters: MethodMeters
    guard: Guard
    heavy: bool = False
    exempt: bool = False
    batch: bool = False

    @property
    def max_bytes(self) -> int:
        """The size of the largest request."""
        return self.guard.max_batch_bytes if self.batch else self.guard.max_message_bytes

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
    """One call, made before it arrives, booked when it has ended.

    ``started`` is a monotonic time, ``ended`` is in seconds since 1970.
    """

    __slots__ = (
        "answering",
        "code",
        "context",
        "ended",
        "in_hand",
        "is_cut_off",
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
    """The task that makes the answer."""
    serving: "asyncio.Task[None]"
    """The task that serves the call to its end; often the same."""

    def __init__(self, method: Method) -> None:
        """Take the method."""
        self.method = method
        self.in_hand = False
        self.is_cut_off = False
        self.refusal: Refusal | None = None

    async def run(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Serve the call; ``state`` is grpc's part of it. What goes wrong ends no more than it."""
        guard = self.method.guard
        self.serving = _current_task()
        try:
            await self.serve(state, loop)
        except asyncio.CancelledError:
            if not self.is_cut_off:
                raise
            self.serving.uncancel()
        except Exception as error:  # noqa: BLE001 - whatever it is, the next call is served
            guard.ledger.unexpected(error, self.method.path, "")
        finally:
            guard.incomplete.leave(self)
            guard.unsent.leave(self)

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Serve the call to its end."""
        raise NotImplementedError

    def begin(self, context: Context) -> None:
        """Count the call, and name it."""
        self.started = time.monotonic()
        self.context = context
        self.answering = _current_task()
        self.method.meters.started.inc()
        self.metadata = context.invocation_metadata()  # type: ignore[assignment] # pairs
        self.request_id = request_id(self.metadata)
        self.method.guard.incomplete.enter(self)

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """What every answer carries: the name of the call."""
        return ((REQUEST_ID, self.request_id),)

    def watch(self) -> None:
        """Hear of it when the client goes away while it waits."""

    def give_up(self, refusal: Refusal) -> None:
        """Refuse a call that waits for its request."""
        self.refusal = refusal
        self.answering.cancel()

    def cut_off(self, why: str) -> None:
        """End a call whose answer nobody takes; grpc resets its stream."""
        self.method.guard.ledger.rejected(why)
        self.is_cut_off = True
        for task in {self.answering, self.serving}:
            task.cancel()

    def admit(self, raw: bytes) -> None:
        """Raise a Refusal for a call that is not to be worked on."""
        guard, context = self.method.guard, self.context
        guard.hands.take()
        self.in_hand = True
        if guard.admit is not None:
            guard.admit(context)
        if len(raw) > self.method.max_bytes:
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
        logged = not self.method.exempt and guard.ledger.wants(code)
        self.code = code
        self.reason = reason
        self.seconds = time.monotonic() - self.started
        self.ended = time.time()
        self.peer = self.context.peer() if logged else None
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

    def refused(self, error: Exception) -> "Refused":
        """Note down that the call is refused; give what to tell the client."""
        ledger = self.method.guard.ledger
        refusal = explain(error, self.request_id)
        if refusal.rejection is not None:
            ledger.rejected(refusal.rejection)
        if refusal.unexpected:
            ledger.unexpected(error, self.method.path, self.request_id)
        code = _CODES[refusal.status.code]
        self.end(code, refusal.reason)
        details = (_STATUS_DETAILS, refusal.status.SerializeToString())
        return Refused(code, refusal.status.message, (*self.trailers, details))


class Refused(NamedTuple):
    """What a client is told whose call is refused."""

    code: grpc.StatusCode
    message: str
    trailers: tuple[tuple[str, str | bytes], ...]

    @property
    def operations(self) -> tuple[object, ...]:
        """Give it as operations of grpc."""
        number = self.code.value[0]
        return (cygrpc.SendStatusFromServerOperation(self.trailers, number, self.message, 0),)


class UnaryCall(Call):
    """A unary call, read and answered by hand.

    grpc.aio leaves one that ends without a message unanswered. And it watches every call for its
    end, which only one needs that waits.
    """

    __slots__ = ("is_gone", "loop", "state", "watching")

    def __init__(self, method: Method) -> None:
        """Take the method."""
        super().__init__(method)
        self.is_gone = False
        self.watching: asyncio.Task[None] | None = None

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Read the request, answer or refuse it, and send that."""
        self.state, self.loop = state, loop
        self.begin(_Context(state, None, None, loop))
        answer = await self.answer()
        del self.state  # once it is sent or cut off, nothing may keep grpc's part of it
        if answer is None:
            return
        if self.watching is None:
            answer += (cygrpc.ReceiveCloseOnServerOperation(0),)
        with suppress(cygrpc.ExecuteBatchError):  # the client is gone
            await _execute(state, (cygrpc.SendInitialMetadataOperation(None, 0), *answer), loop)

    async def answer(self) -> tuple[object, ...] | None:
        """Give what to send, as operations of grpc; None where nobody waits for it."""
        try:
            response = await self.respond()
        except asyncio.CancelledError:
            if not self.is_gone and self.refusal is None:
                raise
            self.answering.uncancel()
            return self.given_up()
        except grpc.aio.BaseError:  # the server is gone
            self.end_cancelled()
            return None
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await self.method.guard.gate.wait()
            return self.refused(error).operations
        self.method.meters.sent.inc()
        self.end(_OK)
        return (
            cygrpc.SendMessageOperation(response, 0),
            cygrpc.SendStatusFromServerOperation(self.trailers, 0, "", 0),
        )

    def given_up(self) -> tuple[object, ...] | None:
        """Give what to send to whom waited too long for its request; None where it is gone."""
        if self.refusal is not None:
            return self.refused(self.refusal).operations
        self.end_cancelled()
        return None

    async def respond(self) -> bytes:
        """Read the request and give the response, once that may go."""
        method = self.method
        raw = await self.context.read()
        method.guard.incomplete.leave(self)
        if raw is _EOF:
            self.watch()
            await asyncio.sleep(_CUT_OFF)
            raise MalformedError
        method.meters.received.inc()
        if not method.exempt:
            self.admit(raw)
        heavy = method.heavy or method.batch or len(raw) > LIGHT_BYTES
        response = await self.work(raw) if heavy else method.respond(raw)
        await method.guard.gate.wait()
        return response

    async def work(self, raw: bytes) -> bytes:
        """Give the response from a worker's thread."""
        self.watch()
        method, peer = self.method, self.context.peer()
        workers, expiry, compiled = method.guard.workers, self.expiry(), method.heavy
        if method.batch:
            pieces = in_pieces(method.respond, raw)
            return await workers.run_in_pieces(pieces, expiry, peer, compiled=compiled)
        return await workers.run(method.respond, raw, expiry, peer, compiled=compiled)

    def watch(self) -> None:
        """Hear of it when the client goes away while it waits."""
        if self.watching is None:
            self.watching = self.loop.create_task(self.hear(self.state))

    async def hear(self, state: object) -> None:
        """Wait until the call has ended, and stop working on it if that was without us."""
        with suppress(cygrpc.ExecuteBatchError):
            await _execute(state, (cygrpc.ReceiveCloseOnServerOperation(0),), self.loop)
        if hasattr(self, "context"):
            self.is_gone = True
            self.answering.cancel()


class StreamCall(Call):
    """A call of any number of requests and responses; never in hand, but there is room for few.

    Its time to be complete is that of its first request. All else is left to grpc.aio.
    """

    request_deserializer: ClassVar = None
    response_serializer: ClassVar = None
    request_streaming: ClassVar = True
    response_streaming: ClassVar = True

    __slots__ = ()

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Have grpc.aio serve the call, with this for its handler."""
        path = self.method.path
        await _schedule(_handle(path, self, (), state, loop, False), state, loop, path)  # noqa: FBT003 - positional only

    def resolve_handler(self, _details: object) -> Self:
        """Give the handler; grpc calls it."""
        return self

    async def stream_stream(
        self, requests: AsyncIterator[bytes], context: Context
    ) -> AsyncIterator[bytes]:
        """Answer, request by request; grpc calls it."""
        self.begin(context)
        context.set_trailing_metadata(self.trailers)
        try:
            with self.room(context.peer()):
                async for response in self.method.answer(self.read(requests)):
                    self.method.meters.sent.inc()
                    yield response.SerializeToString()
        except (*_GONE, GeneratorExit):
            if self.refusal is None:
                self.end_cancelled()
                raise
            self.answering.uncancel()
            await context.abort(*self.refused(self.refusal))
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await self.method.guard.gate.wait()
            await context.abort(*self.refused(error))
        self.end(_OK)

    @contextmanager
    def room(self, peer: str) -> Iterator[None]:
        """Take room for a stream for the length of a block; of an unknown method it needs none."""
        streams = self.method.guard.streams
        if not self.method.exempt:
            yield
            return
        streams.take(peer)
        try:
            yield
        finally:
            streams.put_down(peer)

    async def read(self, requests: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        """Parse requests as they come."""
        received = self.method.meters.received
        async for raw in requests:
            self.method.guard.incomplete.leave(self)
            received.inc()
            yield self.method.read(raw)
        await asyncio.sleep(_CUT_OFF)


def _current_task() -> "asyncio.Task[None]":
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - calls are served in tasks
    return task
