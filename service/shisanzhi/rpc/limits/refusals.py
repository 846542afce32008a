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


class GoneError(Exception):
    """The client went away: there is nobody to tell."""


class OverloadedError(Refusal):
    """Too many calls are in flight."""

    status = status.overloaded(RETRY_AFTER)
    reason = "OVERLOADED"
    rejection = "concurrency"


class QueueFullError(OverloadedError):
    """Too many heavy calls wait for a thread."""

    rejection = "queue"


class MessageTooLargeError(Refusal):
    reason = "MESSAGE_TOO_LARGE"
    status = status.build(
        code_pb2.RESOURCE_EXHAUSTED, reason, "the request is larger than this server takes"
    )
    rejection = "message_size"


class ClientNameError(Refusal):
    reason = "CLIENT_NAME"
    status = status.build(
        code_pb2.PERMISSION_DENIED, reason, "the client's certificate has no allowed name"
    )
    rejection = "client_name"


class ExpiredError(Refusal):
    reason = "DEADLINE"
    status = status.build(
        code_pb2.DEADLINE_EXCEEDED, reason, "the deadline passed before the work was done"
    )
    rejection = "deadline"


class CrowdedError(OverloadedError):
    """Too many calls wait for their request; most of them, or the oldest, are of this client."""

    rejection = "incomplete_count"


class LateError(Refusal):
    reason = "REQUEST_LATE"
    status = status.build(code_pb2.DEADLINE_EXCEEDED, reason, "the request did not arrive in time")
    rejection = "incomplete_time"


class StreamsError(Refusal):
    reason = "TOO_MANY_STREAMS"
    status = status.build(
        code_pb2.RESOURCE_EXHAUSTED, reason, "too many streams are open on this connection"
    )
    rejection = "streams"


class MalformedError(Refusal):
    status = status.malformed()
    reason = "MALFORMED_REQUEST"


class UnknownMethodError(Refusal):
    reason = "UNKNOWN_METHOD"
    status = status.build(code_pb2.UNIMPLEMENTED, reason, "unknown method")


class UnknownServiceError(Refusal):
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
