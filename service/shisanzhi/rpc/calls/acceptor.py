"""Takes calls from grpc's core and has each served, whatever bytes name its method.

grpc.aio's own loop decodes the name of every method, and one that is not UTF-8 ends that loop and
the server with it. Here the known methods are registered with the core, which compares bytes; of
any other call the name is never asked for. And grpc.aio starts three tasks for each call; here
those that wait for calls serve them, one after another, which halves what a call costs.

This rests on names of grpcio that are not public: see ``core.py``.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from shisanzhi.rpc import core
from shisanzhi.rpc.calls.handlers import Handlers

_FEW: Final = 8
"""Tasks of one method that wait for a call, once more than one has come at a time: each takes one
from the core, where those of a flood would pile up, and it turns calls away at random."""
_SPARE: Final = 16
"""Tasks that may wait for a call of one method; each that comes beyond them ends."""
_SPARE_AT_THE_END: Final = 64
_PATIENCE: Final = 1.0
"""Seconds that the core gets to end every connection."""


class Acceptor(core.AioServer):  # type: ignore[misc] # it has no types
    """grpc.aio's server with tasks of its own for each method; needs a running event loop.

    ``ended`` is done when serving has ended, with what ended it, or None where it was stopped.
    """

    def __init__(self, handlers: Handlers, options: Sequence[tuple[str, int]]) -> None:
        super().__init__(asyncio.get_running_loop(), None, (), (), tuple(options), None)
        self._handlers = handlers
        self._spare = _SPARE
        self._waiting: Counter[bytes | None] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._accepting: list[asyncio.Future[None]] = []
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

    def hurry(self) -> None:
        """Have many wait for calls of each method, so that none waits in the core for one of us.

        When the server stops, the core cuts off what it has received and nobody has asked for.
        """
        self._spare = _SPARE_AT_THE_END
        for path in self._handlers.paths:
            for _ in range(self._spare - self._waiting[path.encode()]):
                self._accept(path.encode())

    async def close(self, grace: float | None) -> None:
        """Stop; what is in flight has so many seconds, or none. May be called again, with less."""
        try:
            await self.shutdown(grace)
        except Exception:  # noqa: BLE001 - grpc.aio raises, once, what ended its loop
            await self.shutdown(grace)

    async def cut_off(self) -> None:
        """End every connection, but do not wait for the core where a flood keeps it from that."""
        closing = asyncio.ensure_future(self.close(None))
        await asyncio.wait((closing,), timeout=_PATIENCE)

    def _serving_task_crash_handler(self, loop: "asyncio.Task[None]") -> None:
        """Say that serving has ended, and why where nobody wanted it; grpc.aio calls it."""
        self.ended.set_result(None if loop.cancelled() else loop.exception())

    def _make_request_call_future(self, path: bytes | None) -> "asyncio.Future[None]":
        """Accept calls of a method; for grpc's own loop, a future that ends when all of that does.

        grpc.aio calls it, for each method once and with None for all that are not registered.
        """
        accepting = self._future()
        self._accepting.append(accepting)
        self._accept(path)
        return accepting

    @staticmethod
    def _future() -> "asyncio.Future[Any]":
        return asyncio.get_running_loop().create_future()

    def _accept(self, path: bytes | None) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(path))
        self._tasks.add(task)
        task.add_done_callback(self._served)

    async def _serve(self, path: bytes | None) -> None:
        """Serve one call after another, until the server stops or enough others wait for one."""
        loop = asyncio.get_running_loop()
        next_call = (
            self._request_call if path is None else partial(self._request_registered_call, path)
        )
        make = self._handlers.maker(None if path is None else path.decode())
        # A server that has stopped is gone: to ask it for a call would end the process.
        while self.is_running() and self._waiting[path] < self._spare:
            self._waiting[path] += 1
            try:
                call = make().run(await next_call(), loop)
            except core.RequestCallError:
                continue
            finally:
                self._waiting[path] -= 1
            if self._waiting[path] < _FEW:
                self._accept(path)
            await call
            del call  # the last reference to a call that is cut off ends it

    def _served(self, task: "asyncio.Task[None]") -> None:
        """Let grpc's own loop end: once no task waits for calls, or with one that failed."""
        self._tasks.discard(task)
        error = RuntimeError("cancelled") if task.cancelled() else task.exception()
        if error is None and self._waiting.total():
            return
        for accepting in self._accepting:
            if not accepting.done():
                accepting.set_exception(error or core.RequestCallError())
