"""What all calls of a process share: its limits, its books, its threads."""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeAlias

import grpc
from google.protobuf.message import DecodeError, Message

from shisanzhi.rpc.calls.servicer import TakesLongerError
from shisanzhi.rpc.limits import connections
from shisanzhi.rpc.limits.refusals import CrowdedError, LateError, MalformedError, Refusal
from shisanzhi.rpc.limits.stages import Stage, Streams
from shisanzhi.rpc.limits.work import Gate, Hands, Stretch, Workers
from shisanzhi.rpc.observability.books import Ledger
from shisanzhi.rpc.observability.metrics import MethodMeters, Metrics
from shisanzhi.rpc.server.channel_options import max_incomplete
from shisanzhi.settings import Settings

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class Waiting(Protocol):
    """A call, as the stages know it."""

    def watch(self) -> None:
        """Hear of it when the client goes away while the call waits."""

    def give_up(self, refusal: Refusal) -> None:
        """Refuse a call that waits for its request."""

    def cut_off(self, why: str) -> None:
        """End a call whose answer nobody takes."""


class Guard:
    """Limits, books and threads."""

    def __init__(
        self,
        settings: Settings,
        metrics: Metrics,
        ledger: Ledger,
        admit: Callable[[Context], None] | None = None,
    ) -> None:
        """Take the limits; admit raises a Refusal for a client that may not call."""
        most = settings.max_concurrent_rpcs
        self.metrics = metrics
        self.ledger = ledger
        self.admit = admit
        self.max_message_bytes = settings.max_message_bytes
        self.max_batch_bytes = settings.max_batch_bytes
        self.incomplete: Stage[Waiting] = Stage(
            max_incomplete(settings),
            settings.request_timeout,
            lambda call: call.give_up(CrowdedError()),
            lambda call: call.give_up(LateError()),
        )
        self.hands = Hands(most)
        self.stretch = Stretch()
        self.workers = Workers(settings.workers, settings.max_queued)
        self.gate = Gate()
        self.unsent: Stage[Waiting] = Stage(
            most,
            settings.response_timeout,
            lambda call: call.cut_off("unsent_count"),
            lambda call: call.cut_off("unsent_time"),
        )
        self.streams = Streams(settings.max_watchers)
        self._disconnecting: set[str] = set()

    def tell(self, metrics: Metrics) -> None:
        """Have the metrics say how many calls are in each stage."""
        metrics.in_flight.set_function(lambda: self.hands.count)
        metrics.incomplete.set_function(lambda: len(self.incomplete))
        metrics.unsent.set_function(lambda: len(self.unsent))
        metrics.streams.set_function(lambda: self.streams.count)

    def sweep(self) -> None:
        """End the calls whose client keeps them waiting, and hear of those whose client goes."""
        self.incomplete.sweep()
        self.unsent.sweep()
        for call in self.incomplete:
            call.watch()

    def disconnect(self, peer: str) -> None:
        """Close the connection of a client, soon; grpc has no way to end a single call for good."""
        if peer not in self._disconnecting:
            self._disconnecting.add(peer)
            loop = asyncio.get_running_loop()
            closing = loop.run_in_executor(None, connections.disconnect, peer)
            closing.add_done_callback(lambda _: self._disconnecting.discard(peer))


class Method(NamedTuple):
    """One method from bytes to bytes, and all that is looked up once for it.

    ``at_once`` answers a small request in the event loop, or raises
    :class:`~servicer.TakesLongerError`; what it does not answer, ``answer`` does in a thread. A
    compiled method lets go of the interpreter there. An exempt one knows no limits and is not
    logged. A batch is worked on in pieces; ``parse`` and ``answer`` are those of each request.
    """

    path: str
    parse: Callable[[bytes], Any]
    answer: Callable[[Any], Any]
    meters: MethodMeters
    guard: Guard
    at_once: Callable[[Any], Any] | None = None
    compiled: bool = False
    exempt: bool = False
    batch: bool = False

    @property
    def max_bytes(self) -> int:
        """The size of the largest request."""
        return self.guard.max_batch_bytes if self.batch else self.guard.max_message_bytes

    def respond(self, raw: bytes) -> bytes:
        """Parse, ask, serialise."""
        response: Message = self.answer(self.read(raw))
        return response.SerializeToString()

    def respond_at_once(self, raw: bytes) -> bytes:
        """Do the same at once."""
        if self.at_once is None:
            raise TakesLongerError
        response: Message = self.at_once(self.read(raw))
        return response.SerializeToString()

    def read(self, raw: bytes) -> Any:  # noqa: ANN401 - a message of the method's type
        """Parse a request."""
        try:
            return self.parse(raw)
        except DecodeError as error:
            raise MalformedError from error
