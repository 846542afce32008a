"""Logs: JSON for machines, readable for a terminal; one line per call.

What a request or a response holds is never logged: it has seeds and cards.
"""

import logging
import sys
import traceback
from typing import Any, Final, TextIO

import grpc
import structlog
from structlog.typing import FilteringBoundLogger, Processor

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}

_FAULTS_OF_OURS: Final = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}


def configure(log_format: str, level: str, stream: TextIO = sys.stderr) -> None:
    """Set up structlog, and send through it what libraries log."""
    console = log_format == "console" or (log_format == "auto" and stream.isatty())
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(colors=stream.isatty())
        if console
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [_Forward()]
    root.setLevel(logging.WARNING)


class _Forward(logging.Handler):
    """Sends the records of libraries to structlog, without what they might say of a request."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log the text before its arguments are put in, since an argument can hold a request."""
        details: dict[str, Any] = {"logger": record.name}
        if record.exc_info and record.exc_info[0]:
            details["error"] = record.exc_info[0].__name__
        structlog.get_logger().log(record.levelno, str(record.msg), **details)


class AccessLog:
    """Writes one line per call."""

    __slots__ = ("_logger", "_ok_count", "_ok_every")

    def __init__(self, ok_every: int) -> None:
        """Log one of so many OK calls, none for 0, and every other call."""
        self._logger: FilteringBoundLogger = structlog.get_logger()
        self._ok_every = ok_every
        self._ok_count = 0

    def wants(self, code: grpc.StatusCode) -> bool:
        """Tell whether a call that ended with that code is to be logged."""
        if code is not grpc.StatusCode.OK:
            return True
        if self._ok_every == 0:
            return False
        self._ok_count += 1
        return self._ok_count % self._ok_every == 0

    def call(  # noqa: PLR0913 - one argument for each part of the line
        self,
        *,
        method: str,
        code: grpc.StatusCode,
        seconds: float,
        peer: str,
        request_id: str,
        reason: str | None,
        traceparent: str | None,
    ) -> None:
        """Log one call; parts that are None are left out."""
        optional = {"reason": reason, "traceparent": traceparent}
        write = self._logger.error if code in _FAULTS_OF_OURS else self._logger.info
        write(
            "call",
            method=method,
            code=code.name,
            ms=round(seconds * 1000, 3),
            peer=peer,
            request_id=request_id,
            **{key: value for key, value in optional.items() if value is not None},
        )

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
