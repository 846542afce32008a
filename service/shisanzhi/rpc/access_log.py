"""One log line per call.

Nearly every line is that of a call that went well, so in JSON that line is put together by hand:
through structlog it would cost a fifth of the whole call. Such lines are written together, a little
late. What a request or a response holds is never logged: it has seeds and cards.
"""

import asyncio
import json
import time
import traceback
from typing import Any, Final, NamedTuple

import grpc
import structlog
from structlog.typing import FilteringBoundLogger

from shisanzhi.rpc.logs import Stream

_OK: Final = grpc.StatusCode.OK
_LATEST: Final = 0.05
"""Seconds by which a line may be late."""
_FAULTS_OF_OURS: Final = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}


class Line(NamedTuple):
    """What is said of one call; ``reason`` and ``traceparent`` only where there is one."""

    method: str
    code: grpc.StatusCode
    seconds: float
    peer: str
    request_id: str
    reason: str | None = None
    traceparent: str | None = None

    def fields(self) -> dict[str, Any]:
        """Give it as the fields of a log line."""
        optional = {"reason": self.reason, "traceparent": self.traceparent}
        return {
            "method": self.method,
            "code": self.code.name,
            "ms": round(self.seconds * 1000, 3),
            "peer": self.peer,
            "request_id": self.request_id,
            **{key: value for key, value in optional.items() if value is not None},
        }


class AccessLog:
    """Writes the lines: all of calls that failed, some or all of the others."""

    def __init__(self, ok_every: int, json_stream: Stream | None = None) -> None:
        """Log one of so many OK calls, none for 0.

        With a stream, OK calls are written to it as JSON; else all goes through structlog.
        """
        self._logger: FilteringBoundLogger = structlog.get_logger()
        self._ok_every = ok_every
        self._ok_count = 0
        self._stream = json_stream
        self._pending: list[str] = []
        self._second = 0
        self._second_text = ""

    def wants(self, code: grpc.StatusCode) -> bool:
        """Tell whether a call that ended with that code is to be logged."""
        if code is not _OK:
            return True
        if self._ok_every == 0:
            return False
        self._ok_count += 1
        return self._ok_count % self._ok_every == 0

    def call(self, line: Line) -> None:
        """Log one call."""
        if line.code is _OK and self._stream is not None:
            self._write(self._json(line))
        elif line.code in _FAULTS_OF_OURS:
            self._logger.error("call", **line.fields())
        else:
            self._logger.info("call", **line.fields())

    def unexpected(self, error: Exception, method: str, request_id: str) -> None:
        """Log where an error came from; not its text, which can hold cards or a seed."""
        frames = traceback.extract_tb(error.__traceback__)
        self._logger.error(
            "unexpected error",
            method=method,
            request_id=request_id,
            error=type(error).__qualname__,
            frames=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        )

    def _json(self, line: Line) -> str:
        """Render as structlog's JSONRenderer would; method and request id need no escapes."""
        now = time.time()
        second = int(now)
        if second != self._second:
            self._second = second
            self._second_text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        traced = f', "traceparent": "{line.traceparent}"' if line.traceparent else ""
        return (
            f'{{"method": "{line.method}", "code": "OK", "ms": {line.seconds * 1000:.3f}, '
            f'"peer": {json.dumps(line.peer)}, "request_id": "{line.request_id}"{traced}, '
            f'"event": "call", "level": "info", '
            f'"timestamp": "{self._second_text}.{int((now - second) * 1e6):06}Z"}}\n'
        )

    def _write(self, text: str) -> None:
        if not self._pending:
            asyncio.get_running_loop().call_later(_LATEST, self.flush)
        self._pending.append(text)

    def flush(self) -> None:
        """Write what waits to be written."""
        if self._stream is not None and self._pending:
            text = "".join(self._pending)
            self._pending.clear()
            self._stream.write(text)
            self._stream.flush()
