"""Takes calls from grpc's core and hands each to its handler, whatever bytes name its method.

grpc.aio's own loop decodes the name of every method, and one that is not UTF-8 ends that loop and
the server with it. Here the known methods are registered with the core, which compares bytes; of
any other call the name is never asked for.

This rests on names of grpcio that are not public, tried on 1.85: ``tests/rpc/test_acceptor.py``
tells when one of them is gone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from grpc._cython import cygrpc  # type: ignore[attr-defined] # it has no types

from shisanzhi.rpc.call import Call
from shisanzhi.rpc.handlers import Handlers

_RequestCallError: Final[type[Exception]] = cygrpc._RequestCallError  # noqa: SLF001 - see above
_handle: Final = cygrpc._handle_rpc  # noqa: SLF001
_schedule: Final = cygrpc._schedule_rpc_coro  # noqa: SLF001


class Acceptor(cygrpc.AioServer):  # type: ignore[misc] # the same
    """grpc.aio's server with a loop of its own for each method; needs a running event loop.

    ``ended`` is done when serving has ended, with what ended it, or None where it was stopped.
    """

    def __init__(self, handlers: Handlers, options: Sequence[tuple[str, int]]) -> None:
        """Register the methods; nothing is bound yet."""
        super().__init__(asyncio.get_running_loop(), None, (), (), tuple(options), None)
        self._handlers = handlers
        self._accepting: set[asyncio.Task[None]] = set()
        self._asked: list[asyncio.Future[None]] = []
        self.ended: asyncio.Future[BaseException | None] = self._future()
        self.add_registered_method_handlers(dict.fromkeys(handlers.paths))

    def listen(self, address: str, credentials: Any = None) -> int:  # noqa: ANN401 - grpc's
        """Bind an address; give the port. Raises RuntimeError where that cannot be."""
        where = address.encode()
        port: int = (
            self.add_insecure_port(where)
            if credentials is None
            else self.add_secure_port(where, credentials)
        )
        if not port:
            raise RuntimeError(f"expected to bind {address}")
        return port

    def accept_at_once(self, calls: int) -> None:
        """Have the core hand over so many calls of each method without being asked in between.

        When the server stops, the core cuts off what it has received and nobody has asked for.
        """
        for path in self._handlers.paths:
            for _ in range(calls):
                self._accept(path.encode())

    async def close(self, grace: float | None) -> None:
        """Stop; what is in flight has so many seconds, or none. May be called again, with less."""
        if self.ended.done():
            # Where the loop ended by itself, grpc.aio raises why, once, instead of stopping.
            with suppress(Exception):
                await self.shutdown(grace)
        await self.shutdown(grace)

    def _serving_task_crash_handler(self, serving: "asyncio.Task[None]") -> None:
        """Say that serving has ended, and why where nobody wanted it; grpc.aio calls it."""
        self.ended.set_result(None if serving.cancelled() else serving.exception())

    def _make_request_call_future(self, path: bytes | None) -> asyncio.Future[None]:
        """Accept calls of a method; for grpc's own loop, a future that ends when all of that does.

        grpc.aio calls it, for each method once and with None for all that are not registered.
        """
        asked: asyncio.Future[None] = self._future()
        self._asked.append(asked)
        self._accept(path)
        return asked

    @staticmethod
    def _future() -> "asyncio.Future[Any]":
        return asyncio.get_running_loop().create_future()

    def _accept(self, path: bytes | None) -> None:
        ask = self._request_call if path is None else partial(self._request_registered_call, path)
        make = self._handlers.maker(None if path is None else path.decode())
        task = asyncio.get_running_loop().create_task(self._accept_each(ask, make))
        self._accepting.add(task)
        task.add_done_callback(self._accepted)

    async def _accept_each(
        self, ask: Callable[[], Awaitable[Any]], make: Callable[[], Call]
    ) -> None:
        """Take calls of one method until the server stops."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                # No name for it here: the last reference to a call that is cut off ends it.
                self._begin(loop, make(), await ask())
            except _RequestCallError:
                if not self.is_running():
                    return

    @staticmethod
    def _begin(loop: asyncio.AbstractEventLoop, call: Call, state: object) -> None:
        path = call.method.path
        answering = _handle(path, call, (), state, loop, False)  # noqa: FBT003 - positional only
        call.run(loop.create_task(_schedule(answering, state, loop, path)))

    def _accepted(self, task: "asyncio.Task[None]") -> None:
        """Let grpc's own loop end: with the last task, or with one that should not have ended."""
        self._accepting.discard(task)
        error = RuntimeError("cancelled") if task.cancelled() else task.exception()
        if error is None and self._accepting:
            return
        for asked in self._asked:
            if not asked.done():
                asked.set_exception(error or _RequestCallError())
