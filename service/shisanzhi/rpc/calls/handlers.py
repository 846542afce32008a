"""Which handler answers a call.

All are wrapped once, at registration: grpc.aio would resolve interceptors anew for every call.
"""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, cast

from google.protobuf.message import Message

from shisanzhi.rpc.calls.call import Call
from shisanzhi.rpc.calls.guard import Guard, Method
from shisanzhi.rpc.calls.stream_call import StreamCall
from shisanzhi.rpc.calls.unary_call import UnaryCall
from shisanzhi.rpc.limits.refusals import UnknownMethodError
from shisanzhi.rpc.observability.metrics import UNKNOWN

Ask = Callable[[Any], Message]
"""Request -> response; raises InvalidRequestError or Refusal for what is not answered."""
Converse = Callable[[AsyncIterator[Any]], AsyncIterator[Message]]
"""Requests -> responses; raises like Ask."""


class Handlers:
    """Knows the handler of each method, and answers for methods that do not exist."""

    def __init__(self, guard: Guard) -> None:
        """Know no method yet."""
        self._guard = guard
        self._unary: dict[str, Method] = {}
        self._stream: dict[str, Method] = {}
        self._unknown = Method(
            f"/{UNKNOWN}/{UNKNOWN}",
            bytes,
            _unknown,
            guard.metrics.method("unary", UNKNOWN, UNKNOWN),
            guard,
        )

    def add_unary(
        self,
        path: str,
        request_type: type[Message],
        ask: Ask,
        *,
        exempt: bool = False,
    ) -> None:
        """Serve a light method under ``/package.Service/Method``."""
        self._add(path, request_type, ask)
        self._unary[path] = self._unary[path]._replace(at_once=ask, exempt=exempt)

    def add_compiled(
        self, path: str, request_type: type[Message], ask: Ask, at_once: Ask | None
    ) -> None:
        """Serve a method that runs compiled; ``at_once`` answers what is quickly done."""
        self._add(path, request_type, ask)
        self._unary[path] = self._unary[path]._replace(at_once=at_once, compiled=True)

    def add_batch(
        self, path: str, request_type: type[Message], ask: Ask, *, compiled: bool
    ) -> None:
        """Serve a method of many requests, given their type and what answers one."""
        self._add(path, request_type, ask)
        self._unary[path] = self._unary[path]._replace(batch=True, compiled=compiled)

    def _add(self, path: str, request_type: type[Message], ask: Ask) -> None:
        meters = self._guard.metrics.method("unary", *_names(path))
        self._unary[path] = Method(path, request_type.FromString, ask, meters, self._guard)

    def add_stream(
        self, path: str, request_type: type[Message], converse: Converse, kind: str
    ) -> None:
        """Serve a streaming method, exempt from limits and log; kind is that of the metrics."""
        self._stream[path] = Method(
            path,
            request_type.FromString,
            converse,
            self._guard.metrics.method(kind, *_names(path)),
            self._guard,
            exempt=True,
        )

    @property
    def paths(self) -> tuple[str, ...]:
        """The methods that exist, as ``/package.Service/Method``."""
        return (*self._unary, *self._stream)

    def maker(self, path: str | None) -> Callable[[], Call]:
        """Give what makes a call of a method; None stands for all that do not exist."""
        if path in self._unary:
            return partial(UnaryCall, self._unary[path])
        return partial(StreamCall, self._unknown if path is None else self._stream[path])


def _names(path: str) -> tuple[str, str]:
    _, service, method = path.split("/")
    return service, method


async def _unknown(requests: AsyncIterator[bytes]) -> AsyncIterator[Message]:
    for _ in ():
        yield cast("Message", requests)  # never: it only makes this a generator
    raise UnknownMethodError
