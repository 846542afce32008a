"""Logs: JSON for machines, readable for a terminal; one line per call.

What a request or a response holds is never logged: it has seeds and cards.
"""

import logging
import sys
from typing import Any, Final, TextIO

import structlog

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def configure(log_format: str, level: str, stream: TextIO = sys.stderr) -> None:
    """Set up structlog, and send what libraries log through it."""
    console = log_format == "console" or (log_format == "auto" and stream.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level if console else structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=stream.isatty())
        if console
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [_Forward()]
    root.setLevel(logging.WARNING)


class _Forward(logging.Handler):
    """Sends the records of libraries to structlog, without what they say of a request."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record: its text before arguments, since an argument can hold a request."""
        details: dict[str, Any] = {"logger": record.name}
        if record.exc_info and record.exc_info[0]:
            details["error"] = record.exc_info[0].__name__
        structlog.get_logger().log(record.levelno, str(record.msg), **details)
