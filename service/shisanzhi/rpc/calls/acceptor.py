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

_SPARE: Final = 16
"""Tasks that may wait for a call of one method; each that comes beyond them ends."""
_SPARE_AT_THE_END: Final = 64


class Acceptor(core.AioServer):  # type: ignore[misc] # it has no types
    """grpc.aio's server with tasks of its own for each method; needs a running event loop.

    ``ended`` is done when serving has ended, with what ended it, or None where it was stopped.
    """

    def __init__(self, handlers: Handlers, options: Sequence[tuple[str, int]]) -> None:
        """Register the methods; nothing is bound yet."""
        super().__init__(asyncio.get_running_loop(), None, (), (), tuple(options), None)
        self._handlers = handlers
        self._spare = _SPARE
        self._waiting: Counter[bytes | None] = Counter()
        self._serving: set[asyncio.Task[None]] = set()
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

    def _serving_task_crash_handler(self, serving: "asyncio.Task[None]") -> None:
        """Say that serving has ended, and why where nobody wanted it; grpc.aio calls it."""
        self.ended.set_result(None if serving.cancelled() else serving.exception())

    def _make_request_call_future(self, path: bytes | None) -> "asyncio.Future[None]":
        """Accept calls of a method; for grpc's own loop, a future that ends when all of that does.

        grpc.aio calls it, for each method once and with None for all that are not registered.
        """
        asked = self._future()
        self._asked.append(asked)
        self._accept(path)
        return asked

    @staticmethod
    def _future() -> "asyncio.Future[Any]":
        return asyncio.get_running_loop().create_future()

    def _accept(self, path: bytes | None) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(path))
        self._serving.add(task)
        task.add_done_callback(self._served)

    async def _serve(self, path: bytes | None) -> None:
        """Serve one call after another, until the server stops or enough others wait for one."""
        loop = asyncio.get_running_loop()
        ask = self._request_call if path is None else partial(self._request_registered_call, path)
        make = self._handlers.maker(None if path is None else path.decode())
        # A server that has stopped is gone: to ask it for a call would end the process.
        while self.is_running() and self._waiting[path] < self._spare:
            self._waiting[path] += 1
            try:
                serving = make().run(await ask(), loop)
            except core.RequestCallError:
                continue
            finally:
                self._waiting[path] -= 1
            if not self._waiting[path]:
                self._accept(path)
            await serving
            del serving  # the last reference to a call that is cut off ends it

    def _served(self, task: "asyncio.Task[None]") -> None:
        """Let grpc's own loop end: once no task waits for calls, or with one that failed."""
        self._serving.discard(task)
        error = RuntimeError("cancelled") if task.cancelled() else task.exception()
        if error is None and self._waiting.total():
            return
        for asked in self._asked:
            if not asked.done():
                asked.set_exception(error or core.RequestCallError())
