"""What books, logs or traces a call must not keep its answer from the client."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

import structlog
from prometheus_client import Counter
from structlog.typing import FilteringBoundLogger

from shisanzhi.rpc.observability.logs import whereabouts

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Safely:
    """Does what may fail: a failure is counted and, once a second, logged; and that is all."""

    def __init__(self, failures: Counter) -> None:
        """Take what counts the failures."""
        self._failures = failures
        self._logger: FilteringBoundLogger = structlog.get_logger()
        self._said = -1.0

    def __call__(
        self,
        book: Callable[_Arguments, _Result],
        *arguments: _Arguments.args,
        **named: _Arguments.kwargs,
    ) -> _Result | None:
        """Do it; give what it gives, and None where it failed."""
        try:
            return book(*arguments, **named)
        except Exception as error:  # noqa: BLE001 - whatever it is, the answer matters more
            with suppress(Exception):
                self._failed(error)
            return None

    def _failed(self, error: Exception) -> None:
        self._failures.inc()
        now = time.monotonic()
        if now - self._said >= 1:
            self._said = now
            self._logger.error("not booked", **whereabouts(error))
