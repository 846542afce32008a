"""One log line per call.

Nearly every line is that of a call that went well, so in JSON that line is put together by hand:
through structlog it would cost a fifth of the whole call. What a request or a response holds is
never logged: it has seeds and cards.
"""

import json
import time
from functools import lru_cache
from typing import Any, Final, NamedTuple

import grpc
import structlog
from structlog.typing import FilteringBoundLogger

from shisanzhi.rpc.observability.logs import whereabouts
from shisanzhi.rpc.observability.output import Output

_OK: Final = grpc.StatusCode.OK
_FAULTS_OF_OURS: Final = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}


class Line(NamedTuple):
    """What is said of one call; ``ended`` is in seconds since 1970."""

    method: str
    code: grpc.StatusCode
    seconds: float
    ended: float
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

    def __init__(self, ok_every: int, json_output: Output | None = None) -> None:
        """Log one of so many OK calls, none for 0.

        With an output, OK calls are written to it as JSON; else all goes through structlog.
        """
        self._logger: FilteringBoundLogger = structlog.get_logger()
        self._ok_every = ok_every
        self._ok_count = 0
        self._output = json_output
        self._texts: list[str] = []

    def wants(self, code: grpc.StatusCode) -> bool:
        """Tell whether a call that ended with that code is to be logged."""
        if code is not _OK:
            return True
        if self._ok_every == 0:
            return False
        self._ok_count += 1
        return self._ok_count % self._ok_every == 0

    def write(self, line: Line) -> None:
        """Log a call, after those before it; it may wait for :meth:`flush`."""
        if line.code is _OK and self._output is not None:
            self._texts.append(_json(line))
            return
        self.flush()
        write = self._logger.error if line.code in _FAULTS_OF_OURS else self._logger.info
        write("call", **line.fields())

    def flush(self) -> None:
        """Send on what waits."""
        texts, self._texts = self._texts, []
        if texts and self._output is not None:
            self._output.write("".join(texts))

    def unexpected(self, error: Exception, method: str, request_id: str) -> None:
        """Log where an error came from; not its text, which can hold cards or a seed."""
        self._logger.error(
            "unexpected error", method=method, request_id=request_id, **whereabouts(error)
        )


def _json(line: Line) -> str:
    """Render as structlog's JSONRenderer would; method and request id need no escapes."""
    traced = f', "traceparent": "{line.traceparent}"' if line.traceparent else ""
    return (
        f'{{"method": "{line.method}", "code": "OK", "ms": {line.seconds * 1000:.3f}, '
        f'"peer": {_quoted(line.peer)}, "request_id": "{line.request_id}"{traced}, '
        f'"event": "call", "level": "info", "timestamp": "{_timestamp(line.ended)}"}}\n'
    )


def _timestamp(seconds: float) -> str:
    whole = int(seconds)
    return f"{_to_the_second(whole)}.{int((seconds - whole) * 1e6):06}Z"


@lru_cache(maxsize=1024)
def _quoted(peer: str) -> str:
    return json.dumps(peer)


@lru_cache(maxsize=2)
def _to_the_second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
