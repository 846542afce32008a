"""A call of any number of requests and responses, such as health's Watch; served by grpc.aio."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, ClassVar, Final, Self

import grpc

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.call import CUT_OFF, OK, Call
from shisanzhi.rpc.calls.guard import Context

_GONE: Final = (asyncio.CancelledError, grpc.aio.BaseError)
"""What ends a call that nobody waits for: cancelled, or read or written to when that is gone."""


class StreamCall(Call):
    """A streaming call: never in hand, but there is room for few.

    Its time to be complete is that of its first request.
    """

    request_deserializer: ClassVar = None
    response_serializer: ClassVar = None
    request_streaming: ClassVar = True
    response_streaming: ClassVar = True

    __slots__ = ()

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        """Have grpc.aio serve the call, with this for its handler."""
        path = self.method.path
        handling = core.handle(path, self, (), state, loop, False)  # noqa: FBT003 - by place only
        await core.schedule(handling, state, loop, path)

    def resolve_handler(self, _details: object) -> Self:
        """Give the handler; grpc calls it."""
        return self

    async def stream_stream(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """Answer, request by request; grpc calls it.

        No generator: grpc.aio does not close one whose client has gone.
        """
        self.begin(context)
        context.set_trailing_metadata(self.trailers)
        try:
            with self.room(context.peer()):
                await self.converse(requests, context)
        except _GONE as error:
            if self.refusal is None:
                self.end_cancelled()
                raise asyncio.CancelledError from error
            self.answering.uncancel()
            await context.abort(*self.refused(self.refusal))
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await context.abort(*self.refused(error))
        else:
            self.end(OK)

    async def converse(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """Send every response as it comes."""
        async with aclosing(self.method.answer(self.read(requests))) as responses:
            async for response in responses:
                self.method.meters.sent.inc()
                await context.write(response.SerializeToString())

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
        await asyncio.sleep(CUT_OFF)
