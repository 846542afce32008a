"""The other side of a connection: bytes and the generated messages, none of our own code."""

from types import TracebackType
from typing import Any, NamedTuple, Self

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub

SERVICE = service_pb2.DESCRIPTOR.services_by_name["GameLogicService"]
METHODS = tuple(method.name for method in SERVICE.methods)
STATUS_KEY = "grpc-status-details-bin"
TIMEOUT = 30.0


class Refusal(NamedTuple):
    """What a client learns of a call that failed; ``faults`` are paths and reasons, in order."""

    code: grpc.StatusCode
    message: str
    domain: str
    reason: str
    faults: tuple[tuple[str, str], ...]
    descriptions: tuple[str, ...]
    status: bytes
    trailers: tuple[tuple[str, str | bytes], ...]
    left_out: int

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that a person may read."""
        return self.message, *self.descriptions


class Wire:
    """A connection to a server."""

    def __init__(self, address: str) -> None:
        """Connect to ``host:port``."""
        self.channel = grpc.insecure_channel(address)
        self.stub = GameLogicServiceStub(self.channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.channel.close()

    def send(self, method: str, request: bytes) -> bytes | Refusal:
        """Give the response's own bytes, or the refusal."""
        call: Any = self.channel.unary_unary(f"/{SERVICE.full_name}/{method}")
        try:
            response: bytes = call(request, timeout=TIMEOUT)
        except grpc.RpcError as error:
            return refusal_of(error)
        return response

    def ask(self, method: str, request: Message) -> Any:
        """Give the response."""
        response = self.send(method, request.SerializeToString())
        assert isinstance(response, bytes), response
        return GetMessageClass(SERVICE.methods_by_name[method].output_type).FromString(response)

    def refusal(self, method: str, request: Message | bytes) -> Refusal:
        """Give the refusal of a request that cannot be answered."""
        raw = request if isinstance(request, bytes) else request.SerializeToString()
        refusal = self.send(method, raw)
        assert isinstance(refusal, Refusal), refusal
        return refusal


def refusal_of(error: Any) -> Refusal:
    """Read a refusal out of the error that a stub raises, which is also its call."""
    trailers = tuple((key, value) for key, value in error.trailing_metadata() or ())
    raw = dict(trailers).get(STATUS_KEY, b"")
    status = status_pb2.Status.FromString(raw)
    info = error_details_pb2.ErrorInfo()
    bad_request = error_details_pb2.BadRequest()
    infos = [detail.Unpack(info) for detail in status.details]
    assert infos.count(True) <= 1, "expected one ErrorInfo at most, got more"
    for detail in status.details:
        detail.Unpack(bad_request)
    violations = bad_request.field_violations
    return Refusal(
        error.code(),
        error.details() or "",
        info.domain,
        info.reason,
        tuple((violation.field, violation.reason) for violation in violations),
        tuple(violation.description for violation in violations),
        raw,
        trailers,
        int(info.metadata.get("faults_left_out", 0)),
    )
