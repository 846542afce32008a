"""One call, from its arrival to its end: counting, limits, the mapping of errors, the books.

A call is incomplete until its request is there, then in hand until its answer is made, then unsent
until the network has taken that.
"""

import asyncio
import time
from typing import Final, NamedTuple

import grpc

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.guard import Context, Method
from shisanzhi.rpc.limits.refusals import ExpiredError, MessageTooLargeError, Refusal, explain
from shisanzhi.rpc.observability.request_id import REQUEST_ID, Metadata, request_id

OK: Final = grpc.StatusCode.OK
CUT_OFF: Final = 0.01
"""Seconds within which grpc tells that a call was cut off; until then it reads like one whose
client has said all it has to say."""
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_STATUS_DETAILS: Final = "grpc-status-details-bin"


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
        "is_booked",
        "is_served",
        "logged",
        "metadata",
        "method",
        "peer",
        "reason",
        "refusal",
        "request_id",
        "seconds",
        "started",
    )

    metadata: Metadata
    context: Context
    answering: "asyncio.Task[None]"
    """The task that makes the answer."""

    def __init__(self, method: Method) -> None:
        """Take the method."""
        self.method = method
        self.in_hand = self.is_booked = self.is_served = False
        self.refusal: Refusal | None = None

    async def run(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Serve the call; ``state`` is grpc's part of it. What goes wrong ends no more than it."""
        guard = self.method.guard
        try:
            await self.serve(state, loop)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next call is served
            guard.ledger.unexpected(error, self.method.path, "")
        finally:
            self.is_served = True
            guard.incomplete.leave(self)
            guard.unsent.leave(self)

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Serve the call to its end."""
        raise NotImplementedError

    def begin(self, context: Context) -> None:
        """Count the call, and name it."""
        self.started = time.monotonic()
        self.context = context
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - calls are served in tasks
        self.answering = task
        self.method.meters.started.inc()
        self.metadata = context.invocation_metadata()  # type: ignore[assignment] # pairs
        self.request_id = request_id(self.metadata)
        self.method.guard.incomplete.enter(self)

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """What every answer carries: the name of the call."""
        return ((REQUEST_ID, self.request_id),)

    def watch(self) -> None:
        """Hear of it when the client goes away while the call waits."""

    def give_up(self, refusal: Refusal) -> None:
        """Refuse a call that waits for its request."""
        self.refusal = refusal
        self.answering.cancel()

    def cut_off(self, why: str) -> None:
        """End a call whose answer nobody takes, and with it the connection."""
        guard = self.method.guard
        guard.ledger.rejected(why)
        guard.disconnect(self.peer)

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
        """Note down how the call ended, once."""
        guard = self.method.guard
        self.is_booked = True
        self.logged = not self.method.exempt and guard.ledger.wants(code)
        self.code = code
        self.reason = reason
        self.seconds = time.monotonic() - self.started
        self.ended = time.time()
        self.peer = self.context.peer()
        # What is booked later must not keep grpc's part of the call until then.
        del self.context
        if self.in_hand:
            guard.hands.put_down()
        guard.incomplete.leave(self)
        if not self.is_served:
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
        """Give it as operations of the core."""
        return (core.SendStatus(self.trailers, self.code.value[0], self.message, 0),)
