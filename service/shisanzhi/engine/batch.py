"""Many questions in one: all are answered, each as it is by itself, or none is."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from shisanzhi.engine.errors import Faults, InvalidRequestError, Reason

MAX_REQUESTS: Final = 1000

_Request = TypeVar("_Request")
_Answer = TypeVar("_Answer")


def answer_each(
    ask: Callable[[_Request], _Answer], requests: Sequence[_Request]
) -> Iterator[_Answer | None]:
    """Answer one after another, in order, so that the caller may pause in between.

    Gives None for one that cannot be answered, and in the end raises
    :class:`~shisanzhi.engine.errors.InvalidRequestError` with the faults of all of them, their
    paths within ``requests``. The number of requests is checked before any of them.

    >>> list(answer_each(str, [1, 2]))
    ['1', '2']
    >>> list(answer_each(str, []))
    Traceback (most recent call last):
    ...
    shisanzhi.engine.errors.InvalidRequestError: requests: expected 1 to 1000 requests, got 0
    """
    faults = Faults()
    if not 1 <= len(requests) <= MAX_REQUESTS:
        text = f"expected 1 to {MAX_REQUESTS} requests, got {len(requests)}"
        faults.add(Reason.REQUEST_COUNT, "requests", text)
        faults.check()
    for index, request in enumerate(requests):
        try:
            answer = ask(request)
        except InvalidRequestError as error:
            faults.add_all(f"requests[{index}]", error)
            yield None
        else:
            yield answer
    faults.check()


def answer_all(
    ask: Callable[[_Request], _Answer], requests: Sequence[_Request]
) -> tuple[_Answer, ...]:
    """Answer all at one go, in order; raises what :func:`answer_each` raises."""
    return tuple([answer for answer in answer_each(ask, requests) if answer is not None])
