"""Logs: JSON for machines, readable for a terminal, on stderr."""

import logging
import traceback
from contextlib import suppress
from typing import Any, Final, TextIO, cast

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from shisanzhi.rpc.observability.output import Output

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}

_FLOOD: Final = "socket.accept() out of system resource"
"""What asyncio says a thousand times a second while there are no file descriptors left."""
_FLOOD_SECONDS: Final = 1.0


def is_json(log_format: str, output: Output) -> bool:
    """Tell whether an output gets JSON: as said, or where it is no terminal."""
    return log_format == "json" or (log_format == "auto" and not output.isatty())


def configure(log_format: str, level: str, output: Output) -> None:
    """Set up structlog, and send through it what libraries log."""
    renderer: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if is_json(log_format, output)
        else structlog.dev.ConsoleRenderer(colors=output.isatty())
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _printable,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", output)),
        cache_logger_on_first_use=True,
    )
    # It says at length of each header that is no UTF-8, of which a client sends hundreds a call.
    logging.getLogger("grpc._cython.cygrpc").setLevel(logging.CRITICAL)
    root = logging.getLogger()
    root.handlers = [_Forward()]
    root.setLevel(logging.WARNING)


def say_lost(lines: int, total: int) -> None:
    """Say how many lines are missing: since this was last said, and in all."""
    structlog.get_logger().error("log lines lost", lines=lines, total=total)


def whereabouts(error: BaseException | None) -> dict[str, Any]:
    """Give the fields that tell what an error was and where, and nothing of its text."""
    frames = traceback.extract_tb(error.__traceback__) if error else ()
    return {
        "error": type(error).__qualname__,
        "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


def _printable(_logger: WrappedLogger, _level: str, event: EventDict) -> EventDict:
    r"""Escape in each text what could begin a new line, or tell a terminal what to do.

    >>> _printable(None, "info", {"method": "/鐵\n\x1b[2J"})
    {'method': '/鐵\\n\\x1b[2J'}
    """
    return {
        key: value if not isinstance(value, str) or value.isprintable() else _escaped(value)
        for key, value in event.items()
    }


def _escaped(text: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


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
        with suppress(Exception):  # whoever logs must not hear of it
            structlog.get_logger().log(record.levelno, str(record.msg), **details)
