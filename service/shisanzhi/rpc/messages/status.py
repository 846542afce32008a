"""Engine errors and the server's own refusals -> google.rpc.Status."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from shisanzhi.engine.errors import Fault, InvalidRequestError, Reason

DOMAIN: Final = "shisanzhi"
MAX_DETAIL_BYTES: Final = 4800
"""Bytes of faults, such that all trailers, in base64 as most clients get them, stay under 8 KB."""

MAX_MESSAGE: Final = 500
_VIOLATION_OVERHEAD: Final = 4
"""Bytes that a message takes around itself inside another."""

_LEFT_OUT: Final = "faults_left_out"
"""The key in ErrorInfo's metadata for how many faults did not fit."""


def invalid_argument(error: InvalidRequestError) -> status_pb2.Status:
    """Give the status of a request that cannot be answered, with as many faults as fit."""
    violations = list(_fitting(error.faults))
    more = len(error.faults) - len(violations) + error.more
    first = error.faults[0]
    message = f"{first.path}: {first.description}" if first.path else first.description
    others = len(error.faults) - 1 + error.more
    left_out = {_LEFT_OUT: str(more)} if more else {}
    return build(
        code_pb2.INVALID_ARGUMENT,
        first.reason.name,
        message[:MAX_MESSAGE] + (f" (and {others} more)" if others else ""),
        error_details_pb2.BadRequest(field_violations=violations),
        metadata=left_out,
    )


def refusal(status: status_pb2.Status) -> InvalidRequestError | None:
    """Give back the error that :func:`invalid_argument` encoded; None for any other status.

    Faults that did not fit are counted; a reason that is newer than this version is UNSPECIFIED.
    """
    bad_request, info = error_details_pb2.BadRequest(), error_details_pb2.ErrorInfo()
    if not any(detail.Unpack(bad_request) for detail in status.details):
        return None
    for detail in status.details:
        detail.Unpack(info)
    faults = tuple(
        Fault(
            Reason.__members__.get(violation.reason, Reason.UNSPECIFIED),
            violation.field,
            violation.description,
        )
        for violation in bad_request.field_violations
    )
    return InvalidRequestError(faults, int(info.metadata.get(_LEFT_OUT, 0)))


def malformed() -> status_pb2.Status:
    """Give the status of bytes that are no message of the expected type."""
    text = "expected a message of the method's request type, got bytes that are none"
    return invalid_argument(InvalidRequestError((Fault(Reason.MALFORMED_REQUEST, "", text),)))


def overloaded(retry_seconds: float) -> status_pb2.Status:
    """Give the status of a call that came while there was too much to do."""
    delay = duration_pb2.Duration()
    delay.FromNanoseconds(int(retry_seconds * 1e9))
    return build(
        code_pb2.RESOURCE_EXHAUSTED,
        "OVERLOADED",
        "too many calls in hand, try again a little later",
        error_details_pb2.RetryInfo(retry_delay=delay),
    )


def internal(request_id: str) -> status_pb2.Status:
    """Give the status of a fault of the service; what it was stands in the log under that id."""
    return build(
        code_pb2.INTERNAL,
        "INTERNAL",
        "internal error",
        error_details_pb2.RequestInfo(request_id=request_id),
    )


def build(
    code: int,
    reason: str,
    message: str,
    *details: Message,
    metadata: Mapping[str, str] | None = None,
) -> status_pb2.Status:
    """Put a status together; its reason is one of the contract's ``ErrorReason``."""
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
    status = status_pb2.Status(code=code, message=message)
    for detail in (info, *details):
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    return status


def _fitting(
    faults: Iterable[Fault],
) -> Iterator[error_details_pb2.BadRequest.FieldViolation]:
    """Encode faults until the trailers are full."""
    size = 0
    for fault in faults:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=fault.path, description=fault.description, reason=fault.reason.name
        )
        size += violation.ByteSize() + _VIOLATION_OVERHEAD
        if size > MAX_DETAIL_BYTES:
            return
        yield violation
