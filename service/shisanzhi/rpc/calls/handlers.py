"""Which handler answers a call.

All are wrapped once, at registration: grpc.aio would resolve interceptors anew for every call.
"""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, cast

from google.protobuf.message import Message

from shisanzhi.rpc.calls.call import Call
from shisanzhi.rpc.calls.methods import METHODS, SERVICE, Answer, Rpc, Weight
from shisanzhi.rpc.calls.served_method import ServedMethod
from shisanzhi.rpc.calls.stream_call import StreamCall
from shisanzhi.rpc.calls.unary_call import UnaryCall
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.limits.refusals import UnknownMethodError
from shisanzhi.rpc.observability.metrics import UNKNOWN, Metrics
from shisanzhi.rpc.observability.recorder import Recorder

Converse = Callable[[AsyncIterator[Any]], AsyncIterator[Message]]
"""Requests -> responses; raises InvalidRequestError or Refusal for what is not answered."""


class Handlers:
    """Knows the handler of each method, and answers for methods that do not exist."""

    def __init__(self, limits: Limits, metrics: Metrics, recorder: Recorder) -> None:
        """Know no method yet."""
        self._limits = limits
        self._metrics = metrics
        self._recorder = recorder
        self._unary: dict[str, ServedMethod] = {}
        self._stream: dict[str, ServedMethod] = {}
        self._unknown = self._served(f"/{UNKNOWN}/{UNKNOWN}", "unary", bytes, _unknown)

    def add(self, rpc: Rpc) -> None:
        """Serve a method of the game."""
        each = rpc if rpc.each is None else METHODS[rpc.each]
        path = f"/{SERVICE.full_name}/{rpc.name}"
        parse = each.request_type.FromString
        counted = partial(self._metrics.game.counted, each.counts)
        at_once = {Weight.LIGHT: rpc.answer, Weight.COMPILED: rpc.quick}.get(rpc.weight)
        answer = counted(each.answer, in_threads=True)
        self._unary[path] = self._served(path, "unary", parse, answer)._replace(
            at_once=None if at_once is None else counted(at_once, in_threads=False),
            compiled=each.weight is Weight.COMPILED,
            batch=rpc.weight is Weight.BATCH,
        )

    def add_exempt(self, path: str, request_type: type[Message], answer: Answer) -> None:
        """Serve a method of another service, exempt from limits and log."""
        served = self._served(path, "unary", request_type.FromString, answer)
        self._unary[path] = served._replace(at_once=answer, exempt=True)

    def add_stream(
        self, path: str, request_type: type[Message], converse: Converse, kind: str
    ) -> None:
        """Serve a streaming method, exempt from limits and log; kind is that of the metrics."""
        served = self._served(path, kind, request_type.FromString, converse)
        self._stream[path] = served._replace(exempt=True)

    def _served(
        self,
        path: str,
        kind: str,
        parse: Callable[[bytes], Any],
        answer: Callable[[Any], Any],
    ) -> ServedMethod:
        _, service, method = path.split("/")
        meters = self._metrics.method(kind, service, method)
        return ServedMethod(path, parse, answer, meters, self._limits, self._recorder)

    @property
    def paths(self) -> tuple[str, ...]:
        """The methods that exist, as ``/package.Service/Method``."""
        return (*self._unary, *self._stream)

    def maker(self, path: str | None) -> Callable[[], Call]:
        """Give what makes a call of a method; None stands for all that do not exist."""
        if path in self._unary:
            return partial(UnaryCall, self._unary[path])
        return partial(StreamCall, self._unknown if path is None else self._stream[path])


async def _unknown(requests: AsyncIterator[bytes]) -> AsyncIterator[Message]:
    for _ in ():
        yield cast("Message", requests)  # never: it only makes this a generator
    raise UnknownMethodError
