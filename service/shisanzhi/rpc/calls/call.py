"""One call, from its arrival to its end: counting, limits, the mapping of errors, the record."""

import asyncio
import time
from typing import Any, Final, NamedTuple, TypeAlias

import grpc

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.served_method import ServedMethod
from shisanzhi.rpc.limits.refusals import ExpiredError, MessageTooLargeError, Refusal, explain
from shisanzhi.rpc.limits.stages import Stage, Waiting
from shisanzhi.rpc.observability.request_id import REQUEST_ID, Metadata, request_id

OK: Final = grpc.StatusCode.OK
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_STATUS_DETAILS: Final = "grpc-status-details-bin"

ServicerContext: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class Call:
    """One call, made before it arrives, recorded when it has ended.

    ``started`` is a monotonic time, ``ended`` is in seconds since 1970.
    """

    __slots__ = (
        "_request_id",
        "code",
        "context",
        "ended",
        "has_ended",
        "is_in_flight",
        "is_served",
        "logged",
        "metadata",
        "method",
        "peer",
        "reason",
        "refusal",
        "seconds",
        "started",
        "task",
    )

    metadata: Metadata
    context: ServicerContext
    peer: str
    task: "asyncio.Task[None]"
    """Makes the answer."""

    def __init__(self, method: ServedMethod) -> None:
        self.method = method
        self.is_in_flight = self.has_ended = self.is_served = False
        self.refusal: Refusal | None = None
        self._request_id = ""

    async def run(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Serve the call; ``state`` is grpc's part of it. What goes wrong ends no more than it."""
        method = self.method
        try:
            self.peer = core.ServicerContext(state, None, None, loop).peer()
            if method.limits.peers.has_gone(self.peer):
                method.recorder.rejected("connection_gone")
            else:
                await self.serve(state, loop)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next call is served
            method.recorder.unexpected(error, method.path, "")
        finally:
            self.is_served = True
            method.limits.incomplete.leave(self)
            self.unsent.leave(self)

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Serve the call to its end."""
        raise NotImplementedError

    def begin(self, context: ServicerContext) -> None:
        self.started = time.monotonic()
        self.context = context
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - calls are served in tasks
        self.task = task
        self.method.meters.started.inc()
        self.method.limits.incomplete.enter(self)

    @property
    def request_id(self) -> str:
        """What the call is named, by its client or else by us.

        Looked for when it is first wanted: a great many headers can take a millisecond, which is
        not to pass before it is the call's turn.
        """
        if not self._request_id:
            # Whoever is not logged needs no name.
            self.name(() if self.method.exempt else self.context.invocation_metadata())
        return self._request_id

    def name(self, metadata: Any) -> None:  # noqa: ANN401 - grpc's own, of text or bytes
        """Take the call's name from these headers; without one it gets one of ours."""
        self.metadata = metadata
        self._request_id = request_id(metadata)

    @property
    def unsent(self) -> Stage[Waiting]:
        """Where the call is while its answer leaves."""
        return self.method.limits.unsent

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """What every answer carries: the name of the call."""
        return ((REQUEST_ID, self.request_id),)

    def watch(self) -> None:
        """Hear of it when the client goes away while the call waits."""

    def give_up(self, refusal: Refusal) -> None:
        """Refuse a call that waits for its request."""
        self.refusal = refusal
        self.task.cancel()

    def cut_off(self, why: str) -> None:
        """End a call whose answer nobody takes, and with it the connection."""
        self.method.recorder.rejected(why)
        self.method.limits.disconnect(self.peer)

    def admit(self, raw: bytes) -> None:
        """Raise a Refusal for a call that is not to be worked on."""
        limits = self.method.limits
        self.method.in_flight.enter(self.peer)
        self.is_in_flight = True
        if self.method.exempt:
            return
        if limits.client_names is not None:
            limits.client_names.admit(self.context.auth_context())
        if len(raw) > self.method.max_bytes:
            raise MessageTooLargeError
        self.check_deadline()

    def check_deadline(self) -> None:
        """Raise :class:`ExpiredError` where nobody waits for the answer any longer."""
        if self.context.time_remaining() == 0:
            raise ExpiredError

    def expiry(self) -> float | None:
        """Give the monotonic time of the deadline; None where there is none."""
        remaining: float | None = self.context.time_remaining()
        return None if remaining is None else time.monotonic() + remaining

    def end(self, code: grpc.StatusCode, reason: str | None = None) -> None:
        """Note down how the call ended, once."""
        limits, recorder = self.method.limits, self.method.recorder
        self.has_ended = True
        self.logged = not self.method.exempt and recorder.sample(code)
        self.code = code
        self.reason = reason
        self.seconds = time.monotonic() - self.started
        self.ended = time.time()
        self.request_id  # noqa: B018 - looked for now, if not before: soon it cannot be
        # What is recorded later must not keep grpc's part of the call until then.
        del self.context
        if self.is_in_flight:
            self.method.in_flight.leave()
        limits.incomplete.leave(self)
        if not self.is_served:
            self.unsent.enter(self)
        recorder.add(self)

    def end_cancelled(self) -> None:
        """Note down that the client went away, or that its deadline came."""
        late = self.context.time_remaining() == 0
        self.end(grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED)

    def end_gone(self) -> None:
        """Do the same without a look for its name: many may go at once."""
        self.name(())
        self.end_cancelled()

    def refuse(self, error: Exception) -> "Refused":
        refused = self.refused(error)
        self.end(refused.code, refused.reason)
        return refused

    def refused(self, error: Exception) -> "Refused":
        """Give what to tell a client whose call is refused, and count and log why."""
        recorder = self.method.recorder
        refusal = explain(error, self.request_id)
        if refusal.rejection is not None:
            recorder.rejected(refusal.rejection)
        if refusal.unexpected:
            recorder.unexpected(error, self.method.path, self.request_id)
        details = (_STATUS_DETAILS, refusal.status.SerializeToString())
        return Refused(
            _CODES[refusal.status.code],
            refusal.reason,
            refusal.status.message,
            (*self.trailers, details),
        )


class Refused(NamedTuple):
    """What a client is told whose call is refused."""

    code: grpc.StatusCode
    reason: str
    message: str
    trailers: tuple[tuple[str, str | bytes], ...]

    @property
    def operations(self) -> tuple[object, ...]:
        return (core.SendStatus(self.trailers, self.code.value[0], self.message, 0),)
