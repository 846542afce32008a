"""Logs: JSON for machines, readable for a terminal, on stderr."""

import logging
from contextlib import suppress
from typing import Any, Final, TextIO, cast

import structlog
from structlog.typing import Processor

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}

_FLOOD: Final = "socket.accept() out of system resource"
"""What asyncio says a thousand times a second while there are no file descriptors left."""
_FLOOD_SECONDS: Final = 1.0


class Stream:
    """A stream whose reader may go away: then logs are lost, and calls are answered even so."""

    def __init__(self, stream: TextIO) -> None:
        """Take the stream to write to."""
        self._stream = stream

    def write(self, text: str) -> None:
        """Write, if anybody reads."""
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        """Send on what was written, if anybody reads."""
        with suppress(OSError):
            self._stream.flush()

    def fileno(self) -> int:
        """Give the file descriptor."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Tell whether it is a terminal."""
        return self._stream.isatty()


def is_json(log_format: str, stream: Stream) -> bool:
    """Tell whether a stream gets JSON: as said, or where it is no terminal."""
    return log_format == "json" or (log_format == "auto" and not stream.isatty())


def configure(log_format: str, level: str, stream: Stream) -> None:
    """Set up structlog, and send through it what libraries log."""
    renderer: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if is_json(log_format, stream)
        else structlog.dev.ConsoleRenderer(colors=stream.isatty())
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", stream)),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [_Forward()]
    root.setLevel(logging.WARNING)


class _Forward(logging.Handler):
    """Sends the records of libraries to structlog, without what they might say of a request."""

    def __init__(self) -> None:
        """Take every record."""
        super().__init__()
        self._flooded = 0.0
        self.addFilter(self._is_new)

    def _is_new(self, record: logging.LogRecord) -> bool:
        """Let a flood through once a second."""
        if not str(record.msg).startswith(_FLOOD):
            return True
        new = record.created - self._flooded >= _FLOOD_SECONDS
        if new:
            self._flooded = record.created
        return new

    def emit(self, record: logging.LogRecord) -> None:
        """Log the text before its arguments are put in, since an argument can hold a request."""
        details: dict[str, Any] = {"logger": record.name}
        if record.exc_info and record.exc_info[0]:
            details["error"] = record.exc_info[0].__name__
        structlog.get_logger().log(record.levelno, str(record.msg), **details)
