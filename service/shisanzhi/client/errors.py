"""What went wrong with a call, read out of its status once and for all."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

DETAILS_KEY: Final = "grpc-status-details-bin"
_LEFT_OUT: Final = "faults_left_out"

Detail = TypeVar("Detail", bound=Message)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a request."""

    path: str
    """Where, by the contract's field names, such as ``arrangements[2].middle[4]``."""
    reason: str
    """Why: the name of an ``ErrorReason`` without its prefix, or one that is newer."""
    description: str
    """The same in English, for developers."""


@dataclass(eq=False)  # not frozen: contextlib sets an exception's traceback
class CallError(Exception):
    """A call that was not answered. Branch on ``reason``, and on ``code`` where there is none."""

    method: str
    code: grpc.StatusCode
    message: str
    reason: str = ""
    """Empty where the call failed on its way, in grpc or the network."""
    faults: tuple[Fault, ...] = ()
    """All that is wrong with the request, as far as it fits; empty where it is not to blame."""
    left_out: int = 0
    """Faults that did not fit."""
    retry_after: float | None = None
    """Seconds to wait before the next try, where the service says so."""
    request_id: str = ""
    """What finds the cause in the service's log, of a fault of its own."""

    def __str__(self) -> str:
        """Say it in one line."""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.method}: {self.code.name}{reason}: {self.message}"


def call_error(
    method: str, code: grpc.StatusCode, message: str, trailers: Iterable[tuple[str, str | bytes]]
) -> CallError:
    """Read what a failed call ended with.

    >>> call_error("Score", grpc.StatusCode.UNAVAILABLE, "no server", [])
    CallError(method='Score', code=<StatusCode.UNAVAILABLE: (14, 'unavailable')>, \
message='no server', reason='', faults=(), left_out=0, retry_after=None, request_id='')
    """
    status = _status(dict(trailers).get(DETAILS_KEY))
    info = _detail(status, error_details_pb2.ErrorInfo())
    retry = _detail(status, error_details_pb2.RetryInfo())
    bad_request = _detail(status, error_details_pb2.BadRequest())
    faults = tuple(
        Fault(each.field, each.reason, each.description) for each in bad_request.field_violations
    )
    left_out = int(info.metadata.get(_LEFT_OUT, "0"))
    wait = retry.retry_delay.ToNanoseconds() / 1e9 if retry.HasField("retry_delay") else None
    request_id = _detail(status, error_details_pb2.RequestInfo()).request_id
    # By position, as an exception is pickled.
    return CallError(method, code, message, info.reason, faults, left_out, wait, request_id)


def _status(raw: str | bytes | None) -> status_pb2.Status:
    """Read the rich status; it is empty where there is none, or what a proxy made of it is none."""
    try:
        return status_pb2.Status.FromString(raw if isinstance(raw, bytes) else b"")
    except DecodeError:
        return status_pb2.Status()


def _detail(status: status_pb2.Status, empty: Detail) -> Detail:
    """Fill a detail of one type; it stays empty where the status has none."""
    for each in status.details:
        if each.Unpack(empty):
            break
    return empty
