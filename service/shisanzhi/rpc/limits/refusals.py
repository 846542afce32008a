"""Why the server itself refuses a call, whatever the game logic would have said."""

from typing import ClassVar, Final, NamedTuple

from google.rpc import code_pb2, status_pb2

from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.rpc.messages import status

RETRY_AFTER: Final = 0.1
"""Seconds after which a refused client may come back: some hundred calls take less."""


class Refusal(Exception):  # noqa: N818 - the word of this room
    """A call refused, with the status to send. ``rejection`` is what it is counted under."""

    status: status_pb2.Status
    reason: ClassVar[str]
    rejection: ClassVar[str | None] = None


class OverloadedError(Refusal):
    """Too many calls are in hand."""

    status = status.overloaded(RETRY_AFTER)
    reason = "OVERLOADED"
    rejection = "concurrency"


class QueueFullError(OverloadedError):
    """Too many heavy calls wait for a thread."""

    rejection = "queue"


class MessageTooLargeError(Refusal):
    """The request is larger than the operator allows."""

    reason = "MESSAGE_TOO_LARGE"
    status = status.build(
        code_pb2.RESOURCE_EXHAUSTED, reason, "the request is larger than this server takes"
    )
    rejection = "message_size"


class ClientNameError(Refusal):
    """The client's certificate has none of the names that are allowed."""

    reason = "CLIENT_NAME"
    status = status.build(
        code_pb2.PERMISSION_DENIED, reason, "the client's certificate has no allowed name"
    )
    rejection = "client_name"


class ExpiredError(Refusal):
    """The deadline passed before the work was done."""

    reason = "DEADLINE"
    status = status.build(
        code_pb2.DEADLINE_EXCEEDED, reason, "the deadline passed before the work was done"
    )
    rejection = "deadline"


class CrowdedError(OverloadedError):
    """Too many calls wait for their request, and this one has waited longest."""

    rejection = "incomplete_count"


class LateError(Refusal):
    """The request did not arrive in time."""

    reason = "REQUEST_LATE"
    status = status.build(code_pb2.DEADLINE_EXCEEDED, reason, "the request did not arrive in time")
    rejection = "incomplete_time"


class StreamsError(Refusal):
    """The connection holds as many streams of health and reflection as it may."""

    reason = "TOO_MANY_STREAMS"
    status = status.build(
        code_pb2.RESOURCE_EXHAUSTED, reason, "too many streams are open on this connection"
    )
    rejection = "streams"


class MalformedError(Refusal):
    """The bytes are no message of the expected type."""

    status = status.malformed()
    reason = "MALFORMED_REQUEST"


class UnknownMethodError(Refusal):
    """There is no such method."""

    reason = "UNKNOWN_METHOD"
    status = status.build(code_pb2.UNIMPLEMENTED, reason, "unknown method")


class UnknownServiceError(Refusal):
    """Health was asked about a service that is not here."""

    reason = "UNKNOWN_SERVICE"
    status = status.build(code_pb2.NOT_FOUND, reason, "unknown service")


class Explained(NamedTuple):
    """An error as the client, the metrics and the log are told of it."""

    status: status_pb2.Status
    reason: str
    rejection: str | None = None
    unexpected: bool = False


def explain(error: Exception, request_id: str) -> Explained:
    """Give the status for any error; one that nobody foresaw is INTERNAL and says nothing."""
    if isinstance(error, Refusal):
        return Explained(error.status, error.reason, error.rejection)
    if isinstance(error, InvalidRequestError):
        return Explained(status.invalid_argument(error), error.faults[0].reason.name)
    return Explained(status.internal(request_id), "INTERNAL", unexpected=True)
