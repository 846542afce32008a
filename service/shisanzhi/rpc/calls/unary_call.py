"""A unary call, read and answered by hand.

grpc.aio answers malformed bytes and unexpected errors with UNKNOWN and the name of a class, and one
that ends without a message not at all. And it watches every call for its end, which only one needs
that waits.
"""

import asyncio
from contextlib import suppress
from typing import Final

import grpc

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.batch import in_pieces
from shisanzhi.rpc.calls.call import CUT_OFF, OK, Call
from shisanzhi.rpc.calls.guard import Method
from shisanzhi.rpc.calls.servicer import TakesLongerError
from shisanzhi.rpc.limits.refusals import MalformedError, Refusal

_EOF: Final = grpc.aio.EOF
LIGHT_BYTES: Final = 1024
"""Size of a request beyond which it is heavy, whatever it asks: the costliest take up to 3 ms for
each KiB, and the event loop is to be held for no more than 5. A hundred rows of Evaluate are light,
and all that other methods can answer, save matches of players with very long names."""
_LAST_RESORT: Final = 1.0
"""Seconds within which the core ends a read once the call is refused."""


class _GoneError(Exception):
    """The client went away before its request was there."""


class UnaryCall(Call):
    """A unary call."""

    __slots__ = ("has_arrived", "is_gone", "loop", "state", "telling", "watching")

    def __init__(self, method: Method) -> None:
        """Take the method."""
        super().__init__(method)
        self.has_arrived = self.is_gone = False
        self.watching: asyncio.Task[None] | None = None

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Read the request, answer or refuse it, and send that."""
        self.state, self.loop = state, loop
        self.begin(core.Context(state, None, None, loop))
        answer = await self.answer()
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
            self.method.guard.peers.doubt(self.peer)

    async def answer(self) -> tuple[object, ...] | None:
        """Give what to send, as operations of the core; None where nobody waits for it."""
        gate = self.method.guard.gate
        outcome: bytes | Exception
        try:
            try:
                outcome = await self.respond()
            except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
                outcome = error
            await gate.wait()
        except asyncio.CancelledError:
            if not self.is_booked:
                self.end_cancelled()
            if not self.is_gone:
                raise
            self.answering.uncancel()
            return None
        return None if self.is_booked else self.conclude(outcome)

    def conclude(self, outcome: bytes | Exception) -> tuple[object, ...] | None:
        """Book a response or an error, and give what to send."""
        if isinstance(outcome, bytes):
            self.method.meters.sent.inc()
            self.end(OK)
            return core.SendMessage(outcome, 0), core.SendStatus(self.trailers, 0, "", 0)
        if isinstance(outcome, (_GoneError, grpc.aio.BaseError)):  # the client, the server
            self.end_cancelled()
            return None
        return self.refused(outcome).operations

    async def respond(self) -> bytes:
        """Read the request and give the response."""
        method = self.method
        raw = await self.context.read()
        if self.is_gone or self.is_booked:
            raise _GoneError
        self.has_arrived = True
        method.guard.incomplete.leave(self)
        if raw is _EOF:
            method.guard.peers.doubt(self.peer)
            self.watch()
            await asyncio.sleep(CUT_OFF)
            raise MalformedError
        method.meters.received.inc()
        if not method.exempt:
            self.admit(raw)
        if method.at_once is not None and len(raw) <= LIGHT_BYTES:
            await method.guard.stretch.wait()
            with suppress(TakesLongerError):
                return method.respond_at_once(raw)
        return await self.work(raw)

    async def work(self, raw: bytes) -> bytes:
        """Give the response from a worker's thread."""
        self.watch()
        method, peer = self.method, self.peer
        workers, expiry, compiled = method.guard.workers, self.expiry(), method.compiled
        if method.batch:
            pieces = in_pieces(method.respond, raw)
            return await workers.run_in_pieces(pieces, expiry, peer, compiled=compiled)
        return await workers.run(method.respond, raw, expiry, peer, compiled=compiled)

    def watch(self) -> None:
        """Hear of it when the client goes away while the call waits."""
        if self.watching is None:
            self.watching = self.loop.create_task(self.hear(self.state))

    async def hear(self, state: object) -> None:
        """Wait until the call has ended, and stop working on it if that was without us."""
        with suppress(core.ExecuteError):
            await core.execute(state, (core.ReceiveClose(0),), self.loop)
        if not self.is_booked:
            self.is_gone = True
            if self.has_arrived:  # else the core ends the read
                self.answering.cancel()

    def give_up(self, refusal: Refusal) -> None:
        """Refuse a call that waits for its request; the core then ends the read.

        To cancel the read would leave the core's part of it behind.
        """
        self.refusal = refusal
        self.telling = self.loop.create_task(self.tell(self.state, refusal))

    async def tell(self, state: object, refusal: Refusal) -> None:
        """Send a refusal while the read is still under way."""
        if self.is_booked:
            return
        await self.send(state, self.refused(refusal).operations)
        await asyncio.sleep(_LAST_RESORT)
        if not self.is_served:
            self.is_gone = True
            self.answering.cancel()
