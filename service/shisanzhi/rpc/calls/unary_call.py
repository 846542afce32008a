"""A unary call, read and answered by hand.

What it works around in grpc.aio, seen in 1.85 (``tests/rpc/test_core.py`` tells when it is gone):
a request that cannot be parsed is answered with UNKNOWN and the name of a class; a call that ends
without a request is not answered at all; and each call is watched for its end by a task of its own,
which only one needs that waits.
"""

import asyncio
from contextlib import suppress
from typing import Final

import grpc

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.batch import in_pieces
from shisanzhi.rpc.calls.call import OK, Call
from shisanzhi.rpc.calls.methods import TakesLongerError
from shisanzhi.rpc.calls.served_method import ServedMethod
from shisanzhi.rpc.limits.refusals import GoneError, MalformedError, Refusal

_EOF: Final = grpc.aio.EOF
LIGHT_BYTES: Final = 1024
"""Size of a request beyond which it is heavy, whatever it asks: the costliest take up to 3 ms for
each KiB, and the event loop is to be held for no more than 5. A hundred rows of Evaluate are light,
and all that other methods can answer, save matches of players with very long names."""
_LAST_RESORT: Final = 1.0
"""Seconds within which the core ends a read once the call is refused."""


class _EmptyError(Exception):
    """The call ended without a request."""


class UnaryCall(Call):
    """A call of one request and one response."""

    __slots__ = ("has_arrived", "is_empty", "is_gone", "loop", "state", "telling", "watching")

    def __init__(self, method: ServedMethod) -> None:
        super().__init__(method)
        self.has_arrived = self.is_empty = self.is_gone = False
        self.watching: asyncio.Task[bool] | None = None

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        self.state, self.loop = state, loop
        self.begin(core.ServicerContext(state, None, None, loop))
        answer = await self.answer()
        if self.is_empty:
            await self.refuse_empty(state)
        del self.state  # once the call is over, nothing may keep grpc's part of it
        if answer is not None:
            await self.send(state, answer)

    async def send(self, state: object, answer: tuple[object, ...]) -> None:
        """Send an answer, if there is still somebody to take it."""
        if self.watching is None:
            answer += (core.ReceiveClose(0),)
        try:
            await core.execute(state, (core.SendMetadata(None, 0), *answer), self.loop)
        except core.ExecuteError:
            self.method.limits.peers.doubt(self.peer)

    async def answer(self) -> tuple[object, ...] | None:
        """Give what to send, as operations of the core; None where nobody waits for it."""
        gate = self.method.limits.gate
        outcome: bytes | Exception
        try:
            try:
                outcome = await self.respond()
            except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
                outcome = error
            await gate.wait()
        except asyncio.CancelledError:
            if not self.has_ended:
                self.end_cancelled()
            if not self.is_gone:
                raise
            self.task.uncancel()
            return None
        return None if self.has_ended else self.conclude(outcome)

    def conclude(self, outcome: bytes | Exception) -> tuple[object, ...] | None:
        """Note down a response or an error, and give what to send."""
        if isinstance(outcome, bytes):
            self.method.meters.sent.inc()
            self.end(OK)
            return core.SendMessage(outcome, 0), core.SendStatus(self.trailers, 0, "", 0)
        if isinstance(outcome, _EmptyError):
            self.is_empty = True
            return None
        if isinstance(outcome, (GoneError, grpc.aio.BaseError)):  # the client, the server
            self.end_gone()
            return None
        return self.refuse(outcome).operations

    async def refuse_empty(self, state: object) -> None:
        """Refuse a call that ended without a request, unless its client has cut it off.

        At first both look alike: whether somebody took the refusal tells which it was.
        """
        gone = True
        refused = self.refused(MalformedError())
        self.unsent.enter(self)
        try:
            self.watch()
            await self.send(state, refused.operations)
            gone = self.watching is None or await self.watching
        finally:
            if gone:
                self.end_cancelled()
            else:
                self.end(refused.code, refused.reason)

    async def respond(self) -> bytes:
        method = self.method
        raw = await self.context.read()
        if self.is_gone or self.has_ended:
            raise GoneError
        self.has_arrived = True
        method.limits.incomplete.leave(self)
        if raw is _EOF:
            method.limits.peers.doubt(self.peer)
            raise _EmptyError
        method.meters.received.inc()
        self.admit(raw)
        if method.at_once is not None and len(raw) <= LIGHT_BYTES:
            if await method.limits.stretch.wait(self.peer, exempt=method.exempt):
                self.check_deadline()
            with suppress(TakesLongerError):
                return method.respond_at_once(raw)
        return await self.work(raw)

    async def work(self, raw: bytes) -> bytes:
        self.watch()
        method, peer = self.method, self.peer
        workers, expiry, compiled = method.limits.workers, self.expiry(), method.compiled
        if method.batch:
            pieces = in_pieces(method.respond, raw)
            return await workers.run_in_pieces(pieces, expiry, peer, compiled=compiled)
        return await workers.run(method.respond, raw, expiry, peer, compiled=compiled)

    def watch(self) -> None:
        if self.watching is None:
            self.watching = self.loop.create_task(self.hear(self.state))

    async def hear(self, state: object) -> bool:
        """Wait until the call is over, and stop working on it if that was without us.

        Tells whether it was cut off.
        """
        closed = core.ReceiveClose(0)
        with suppress(core.ExecuteError):
            await core.execute(state, (closed,), self.loop)
        if not (self.has_ended or self.is_empty):
            self.is_gone = True
            if self.has_arrived:  # else the core ends the read
                self.task.cancel()
        return bool(closed.cancelled())

    def give_up(self, refusal: Refusal) -> None:
        """Refuse a call that waits for its request; the core then ends the read.

        To cancel the read would leave the core's part of it behind.
        """
        self.telling = self.loop.create_task(self.tell(self.state, refusal))

    async def tell(self, state: object, refusal: Refusal) -> None:
        if self.has_ended:
            return
        await self.send(state, self.refuse(refusal).operations)
        await asyncio.sleep(_LAST_RESORT)
        if not self.is_served:
            self.is_gone = True
            self.task.cancel()
