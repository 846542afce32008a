"""One method as it is served: from bytes to bytes, and all that is looked up once for it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError, Message

from shisanzhi.rpc.limits.in_flight import InFlight
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.limits.refusals import MalformedError, MessageTooLargeError
from shisanzhi.rpc.limits.sizes import MAX_EXEMPT_BYTES
from shisanzhi.rpc.observability.metrics import MethodMeters
from shisanzhi.rpc.observability.recorder import Recorder


class ServedMethod(NamedTuple):
    """``at_once`` answers a small request in the event loop, or raises TakesLongerError.

    What it does not answer, ``answer`` does in a thread. A compiled method lets go of the
    interpreter there. An exempt one knows few limits and is not logged. A batch is worked on in
    pieces; ``parse`` and ``answer`` are those of each request.
    """

    path: str
    parse: Callable[[bytes], Any]
    answer: Callable[[Any], Any]
    meters: MethodMeters
    limits: Limits
    recorder: Recorder
    at_once: Callable[[Any], Any] | None = None
    compiled: bool = False
    exempt: bool = False
    batch: bool = False

    @property
    def max_bytes(self) -> int:
        return self.limits.max_batch_bytes if self.batch else self.limits.max_message_bytes

    @property
    def in_flight(self) -> InFlight:
        return self.limits.exempt_in_flight if self.exempt else self.limits.in_flight

    def respond(self, raw: bytes) -> bytes:
        response: Message = self.answer(self.read(raw))
        return response.SerializeToString()

    def respond_at_once(self, raw: bytes) -> bytes:
        """Do the same at once, if that is to be had; raises TakesLongerError."""
        assert self.at_once is not None  # noqa: S101 - whoever asks has looked
        response: Message = self.at_once(self.read(raw))
        return response.SerializeToString()

    def read(self, raw: bytes) -> Any:  # noqa: ANN401 - a message of the method's type
        """Parse a request; raises :class:`MalformedError`, :class:`MessageTooLargeError`."""
        if self.exempt and len(raw) > MAX_EXEMPT_BYTES:
            raise MessageTooLargeError
        try:
            return self.parse(raw)
        except DecodeError as error:
            raise MalformedError from error
