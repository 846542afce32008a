"""What the solver's kernel needs of Cython when it runs as plain Python: names that do nothing.

Cython's pure Python mode reads the types of a function from decorators. Where Cython is not
installed, or the kernel was not compiled, these stand in for them.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., object])

compiled: Final = False


class _Type:
    """A C type, or a view of many of them: ``double[::1]``."""

    def __getitem__(self, _extent: slice) -> "_Type":
        return self


bint = int = double = _Type()


def _unchanged(function: _Function) -> _Function:
    return function


def locals(**_types: _Type) -> Callable[[_Function], _Function]:  # noqa: A001 - Cython's name
    """Say the types of arguments and variables."""
    return _unchanged


def returns(_type: _Type) -> Callable[[_Function], _Function]:
    """Say the type of the answer."""
    return _unchanged


def exceptval(*, check: bool) -> Callable[[_Function], _Function]:  # noqa: ARG001 - Cython's name
    """Say that the function raises nothing."""
    return _unchanged


def boundscheck(_on: bool) -> Callable[[_Function], _Function]:  # noqa: FBT001 - Cython's signature
    """Say whether indexes are checked."""
    return _unchanged


wraparound = boundscheck
cfunc = inline = _unchanged


def _no_gil() -> AbstractContextManager[None]:
    return nullcontext()


class _NoGil:
    """Both ``@nogil`` and ``with nogil:``."""

    def __call__(self, function: _Function) -> _Function:
        return function

    def __enter__(self) -> None:
        """Let go of nothing."""

    def __exit__(self, *_error: object) -> None:
        """Take nothing back."""


nogil = _NoGil()
