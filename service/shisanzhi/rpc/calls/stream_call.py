"""A call of any number of requests and responses, such as health's Watch; served by grpc.aio."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, ClassVar, Final, NoReturn, Self

import grpc

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.call import OK, Call, Refused, ServicerContext
from shisanzhi.rpc.limits.refusals import GoneError
from shisanzhi.rpc.limits.stages import Stage, Waiting

_CUT_OFF: Final = 0.01
"""Seconds within which grpc tells that a call was cut off; until then it reads like one whose
client has said all it has to say."""
_GONE: Final = (asyncio.CancelledError, grpc.aio.BaseError, GoneError)
"""What ends a call that nobody waits for: cancelled, or read or written to when that is gone."""


class StreamCall(Call):
    """A streaming call: never in hand, but there is room for few.

    It is incomplete while it waits for a request, each of which has its time to arrive.
    """

    request_deserializer: ClassVar = None
    response_serializer: ClassVar = None
    request_streaming: ClassVar = True
    response_streaming: ClassVar = True

    __slots__ = ()

    @property
    def unsent(self) -> Stage[Waiting]:
        """Apart from those of other calls, however many they are and however slowly they leave."""
        return self.method.limits.unsent_of_streams

    async def serve(self, state: object, loop: asyncio.AbstractEventLoop) -> None:
        path = self.method.path
        handling = core.handle(path, self, (), state, loop, False)  # noqa: FBT003 - by place only
        await core.schedule(handling, state, loop, path)

    def resolve_handler(self, _details: object) -> Self:
        return self

    async def stream_stream(self, requests: AsyncIterator[bytes], context: ServicerContext) -> None:
        """Answer, request by request; grpc calls it.

        No generator: grpc.aio does not close one whose client has gone.
        """
        self.begin(context)
        try:
            with self.room(self.peer):
                # Whoever asks for what does not exist waits for a turn too.
                await self.method.limits.stretch.wait(self.peer, exempt=True)
                context.set_trailing_metadata(self.trailers)
                await self.converse(requests, context)
        except _GONE as error:
            if self.refusal is None:
                self.end_gone()
                raise asyncio.CancelledError from error
            self.task.uncancel()
            await abort(context, self.refuse(self.refusal))
        except Exception as error:  # noqa: BLE001 - the last resort: nothing may leak
            await abort(context, self.refuse(error))
        else:
            self.end(OK)

    async def converse(self, requests: AsyncIterator[bytes], context: ServicerContext) -> None:
        async with aclosing(self.method.answer(self.read(requests))) as responses:
            async for response in responses:
                self.method.meters.sent.inc()
                self.unsent.enter(self)
                await context.write(response.SerializeToString())
                self.unsent.leave(self)

    @contextmanager
    def room(self, peer: str) -> Iterator[None]:
        """Take room for a stream for the length of a block; of an unknown method it needs none."""
        streams = self.method.limits.streams
        if not self.method.exempt:
            yield
            return
        streams.enter(peer)
        try:
            yield
        finally:
            streams.leave(peer)

    async def read(self, requests: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        limits, received = self.method.limits, self.method.meters.received
        async for raw in requests:
            limits.incomplete.leave(self)
            received.inc()
            await limits.stretch.wait(self.peer, exempt=True)
            yield self.method.read(raw)
            limits.incomplete.enter(self)
        await asyncio.sleep(_CUT_OFF)


async def abort(context: ServicerContext, refused: Refused) -> NoReturn:
    await context.abort(refused.code, refused.message, refused.trailers)
