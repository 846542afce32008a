"""Why a command gives no answer, on stderr, and its exit code."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import click

from shisanzhi.cli import streams, wording
from shisanzhi.cli.language import language_of
from shisanzhi.config import ConfigError
from shisanzhi.engine.errors import Fault, InvalidRequestError
from shisanzhi.engine.names import Text
from shisanzhi.rpc.client.unanswered import UnansweredError

ANSWERED: Final = 0
NO: Final = 1
REFUSED: Final = 2
UNANSWERED: Final = 3
NOT_WRITTEN: Final = 4
FAILED: Final = 5
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141
"""The last two as a shell has them, for SIGINT and SIGPIPE."""


class NotStartedError(Exception):
    """A server that could not start; the text says why."""


class NobodyReadsError(Exception):
    """An output whose reader has left."""


@contextmanager
def pipes_told_apart() -> Iterator[None]:
    """Keep a reader that has left from click, which would exit with 1: that is a no."""
    try:
        yield
    except BrokenPipeError as error:
        raise NobodyReadsError from error


def run(command: Callable[[], Any], words: Sequence[str]) -> int:
    """Run a command that was given in these words; tell of its failure; give its exit code."""
    try:
        streams.prepare()
        code = command()
    except Exception as error:  # noqa: BLE001 - whatever it is, its exit code must not say no
        return _Teller(words).report(error)
    return code if isinstance(code, int) else ANSWERED


class _Failure(NamedTuple):
    """What is told: the exit code, the error, the faults of a request and how many more."""

    exit_code: int
    message: Text
    faults: Sequence[Fault] = ()
    more: int = 0


class _Teller:
    """Tells a person in lines, or a program in JSON."""

    def __init__(self, words: Sequence[str]) -> None:
        """Look how to tell it in the words themselves: what else they say may be wrong."""
        self._as_json = "--json" in words
        self._language = language_of(words)

    def report(self, error: Exception) -> int:
        """Tell of an error; give its exit code."""
        if isinstance(error, click.Abort):
            return INTERRUPTED
        if isinstance(error, NobodyReadsError | OSError):
            streams.abandon()
        if isinstance(error, NobodyReadsError):
            return NOBODY_READS
        failure = _failure(error)
        if failure is None:
            streams.tell("".join(traceback.format_exception(error)).rstrip())
            return FAILED
        if isinstance(error, click.UsageError) and not self._as_json:
            streams.tell(wording.how_to_use(error).say(self._language))
        streams.tell(self._document(failure) if self._as_json else self._lines(failure))
        return failure.exit_code

    def _document(self, failure: _Failure) -> str:
        faults = [
            {
                "path": fault.path,
                "reason": fault.reason.name,
                "description": wording.description(fault).say(self._language),
            }
            for fault in failure.faults
        ]
        message = failure.message.say(self._language)
        return streams.to_json({"error": message, "faults": faults, "more": failure.more})

    def _lines(self, failure: _Failure) -> str:
        lines = [
            wording.error(failure.message),
            *map(wording.fault, failure.faults),
            *([wording.more(failure.more)] if failure.more else []),
        ]
        return "\n".join(line.say(self._language) for line in lines)


_KINDS: Final[Sequence[tuple[type[Exception], int, Callable[[Any], Text]]]] = (
    (UnansweredError, UNANSWERED, wording.unanswered),
    (NotStartedError, UNANSWERED, wording.as_said),
    (ConfigError, REFUSED, wording.as_said),
    (click.ClickException, REFUSED, wording.usage),
    (OSError, NOT_WRITTEN, wording.not_written),
)


def _failure(error: Exception) -> _Failure | None:
    """Say what an error means to who asked; None for a fault of ours."""
    if isinstance(error, InvalidRequestError):
        message = wording.refused(len(error.faults) + error.more)
        return _Failure(REFUSED, message, error.faults, error.more)
    for kind, exit_code, say in _KINDS:
        if isinstance(error, kind):
            return _Failure(exit_code, say(error))
    return None
