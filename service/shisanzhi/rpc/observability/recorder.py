"""Records calls that have ended: in the metrics, the log and the traces.

A call only notes down how it ended. What was noted is recorded together, a little later or when
somebody looks: one after another that takes a quarter of the time that it takes between two calls,
when none of it is in the processor's cache.

No method raises: what goes wrong with the recording of a call is counted, and harms no other.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

import grpc

from shisanzhi.rpc.observability.access_log import AccessLog, Line
from shisanzhi.rpc.observability.metrics import MethodMeters, Metrics
from shisanzhi.rpc.observability.request_id import Metadata, trace_parent
from shisanzhi.rpc.observability.tracing import Span

_OK: Final = grpc.StatusCode.OK
_LATEST: Final = 0.05
"""Seconds by which a record may be late."""


class EndedMethod(Protocol):
    """What is recorded of the method of a call; an exempt one is not logged."""

    @property
    def path(self) -> str: ...
    @property
    def meters(self) -> MethodMeters: ...
    @property
    def exempt(self) -> bool: ...


class EndedCall(Protocol):
    """What is recorded of a call; ``seconds`` it took, ``ended`` is in seconds since 1970."""

    code: grpc.StatusCode
    reason: str | None
    seconds: float
    ended: float
    peer: str
    metadata: Metadata
    logged: bool

    @property
    def request_id(self) -> str: ...
    @property
    def method(self) -> EndedMethod: ...


class Recorder:
    """Takes calls that have ended, and records them."""

    def __init__(
        self, metrics: Metrics, log: AccessLog, trace: Callable[[Span], None] | None = None
    ) -> None:
        """Take the log, and what makes a span of a call; None where tracing is off."""
        self._metrics = metrics
        self._safely = metrics.safely
        self._log = log
        self._trace = trace
        self._ways = (_count, self._write) if trace is None else (_count, self._write, self._span)
        self._ended: list[EndedCall] = []
        self._pauses = 0

    def sample(self, code: grpc.StatusCode) -> bool:
        """Count a call that ended with that code; tell whether it is one of those to log."""
        return bool(self._safely(self._log.sample, code))

    def rejected(self, reason: str) -> None:
        self._safely(self._reject, reason)

    def unexpected(self, error: Exception, method: str, request_id: str) -> None:
        self._safely(self._log.unexpected, error, method, request_id)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Record what is there, then nothing within the block: the numbers stand still."""
        self.flush()
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            self.flush()

    def add(self, call: EndedCall) -> None:
        """Note one down; a failure is recorded at once, with what came before it."""
        ended = self._ended
        ended.append(call)
        if call.code is not _OK:
            self.flush()
        elif len(ended) == 1:
            asyncio.get_running_loop().call_later(_LATEST, self.flush)

    def flush(self) -> None:
        if self._pauses:
            return
        ended, self._ended = self._ended, []
        for call in ended:
            for way in self._ways:
                self._safely(way, call)
        self._safely(self._log.flush)

    def _reject(self, reason: str) -> None:
        self._metrics.rejected[reason].inc()

    def _write(self, call: EndedCall) -> None:
        if call.logged:
            self._log.write(_line(call))

    def _span(self, call: EndedCall) -> None:
        if self._trace is not None and not call.method.exempt:
            self._trace(_span(_line(call)))


def _count(call: EndedCall) -> None:
    meters, code = call.method.meters, call.code
    (meters.ok if code is _OK else meters.handled[code]).inc()
    meters.seconds.observe(call.seconds)


def _line(call: EndedCall) -> Line:
    return Line(
        call.method.path,
        call.code,
        call.seconds,
        call.ended,
        call.peer,
        call.request_id,
        call.reason,
        trace_parent(call.metadata),
    )


def _span(line: Line) -> Span:
    return Span(line.method, line.code, line.seconds, line.ended, line.request_id, line.traceparent)
