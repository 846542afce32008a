"""Engine errors and the server's own refusals -> google.rpc.Status."""

from typing import Final

from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from shisanzhi.engine.errors import Fault, InvalidRequestError, Reason

DOMAIN: Final = "shisanzhi"
MAX_DETAIL_BYTES: Final = 4800
"""Bytes of faults, such that all trailers, in base64 as most clients get them, stay under 8 KB."""


def invalid_argument(error: InvalidRequestError) -> status_pb2.Status:
    """Give the status of a request that cannot be answered, with as many faults as fit."""
    violations: list[error_details_pb2.BadRequest.FieldViolation] = []
    size = 0
    for fault in error.faults:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=fault.path, description=fault.description, reason=fault.reason.name
        )
        size += violation.ByteSize() + 4
        if size > MAX_DETAIL_BYTES:
            break
        violations.append(violation)
    more = len(error.faults) - len(violations) + error.more
    first = error.faults[0]
    message = f"{first.path}: {first.description}"
    if more:
        message += f" (and {more} more)"
    bad_request = error_details_pb2.BadRequest(field_violations=violations)
    return _status(code_pb2.INVALID_ARGUMENT, first.reason.name, message[:500], bad_request)


def refusal(status: status_pb2.Status) -> InvalidRequestError | None:
    """Give back the error that :func:`invalid_argument` encoded; None for any other status."""
    bad_request = error_details_pb2.BadRequest()
    if not any(detail.Unpack(bad_request) for detail in status.details):
        return None
    return InvalidRequestError(
        tuple(
            Fault(Reason[violation.reason], violation.field, violation.description)
            for violation in bad_request.field_violations
        )
    )


def malformed() -> status_pb2.Status:
    """Give the status of bytes that are no message of the expected type."""
    return _status(
        code_pb2.INVALID_ARGUMENT,
        "MALFORMED_REQUEST",
        "expected a message of the method's request type, got bytes that are none",
    )


def overloaded(retry_seconds: float) -> status_pb2.Status:
    """Give the status of a call that came while there was too much to do."""
    delay = duration_pb2.Duration()
    delay.FromNanoseconds(int(retry_seconds * 1e9))
    return _status(
        code_pb2.RESOURCE_EXHAUSTED,
        "OVERLOADED",
        "too many calls in hand, try again a little later",
        error_details_pb2.RetryInfo(retry_delay=delay),
    )


def internal(request_id: str) -> status_pb2.Status:
    """Give the status of a fault of the service; what it was stands in the log under that id."""
    return _status(
        code_pb2.INTERNAL,
        "INTERNAL",
        "internal error",
        error_details_pb2.RequestInfo(request_id=request_id),
    )


def _status(code: int, reason: str, message: str, *details: Message) -> status_pb2.Status:
    status = status_pb2.Status(code=code, message=message)
    for detail in (error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN), *details):
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    return status
