"""Why a command gives no answer, on stderr, and its exit code."""

import json
from collections.abc import Sequence
from typing import IO, Any

import click

from shisanzhi.engine.errors import Fault, InvalidRequestError

REFUSED = 2
UNANSWERED = 3


class _Failure(click.ClickException):
    """An error told to a person in lines, or to a program in JSON."""

    def __init__(
        self, message: str, faults: Sequence[Fault] = (), more: int = 0, *, as_json: bool
    ) -> None:
        super().__init__(message)
        self._faults = faults
        self._more = more
        self._as_json = as_json

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the error."""
        lines = [self._document()] if self._as_json else self._lines()
        click.echo("\n".join(lines), file=file, err=True)

    def _document(self) -> str:
        faults = [
            {"path": fault.path, "reason": fault.reason.name, "description": fault.description}
            for fault in self._faults
        ]
        document = {"error": self.message, "faults": faults, "more": self._more}
        return json.dumps(document, ensure_ascii=False)

    def _lines(self) -> list[str]:
        faults = [
            f"  {fault.path or 'request'}: {fault.description} ({fault.reason.name})"
            for fault in self._faults
        ]
        more = [f"  and {self._more} more"] if self._more else []
        return [f"error: {self.message}", *faults, *more]


class Refused(_Failure):
    """The question cannot be answered as it stands."""

    exit_code = REFUSED

    def __init__(self, error: InvalidRequestError, *, as_json: bool) -> None:
        """Take the faults."""
        count = len(error.faults) + error.more
        message = f"{count} fault{'s' * (count > 1)} in the request"
        super().__init__(message, error.faults, error.more, as_json=as_json)


class Unanswered(_Failure):
    """The server gave no answer."""

    exit_code = UNANSWERED
