"""All limits of a process: what each call has to pass, in the order in which it does."""

import asyncio
from typing import Final

from shisanzhi.rpc.limits import connections
from shisanzhi.rpc.limits.client_names import ClientNames
from shisanzhi.rpc.limits.gate import Gate
from shisanzhi.rpc.limits.in_flight import InFlight
from shisanzhi.rpc.limits.open_streams import OpenStreams
from shisanzhi.rpc.limits.refusals import CrowdedError, LateError
from shisanzhi.rpc.limits.sizes import max_incomplete
from shisanzhi.rpc.limits.stages import Stage, Waiting
from shisanzhi.rpc.limits.stretch import Stretch
from shisanzhi.rpc.limits.workers import Workers
from shisanzhi.settings import Settings

_TO_ARRIVE: Final = 0.1
"""Seconds that every request has to arrive, however many are on their way."""
_MOST_EXEMPT: Final = 256
"""Calls of health in flight; beyond them the connection that has most gives one up, and a probe has
no more than one."""
_TO_LEAVE: Final = 1.0
"""Seconds that every answer has to leave: who is cut off for one loses all calls."""


class Limits:
    """Incomplete until its request is there, then in flight until its answer is made, then unsent.

    The last until the network has taken the answer.
    """

    def __init__(self, settings: Settings) -> None:
        most = settings.max_concurrent_rpcs
        names = settings.tls_client_names
        self.incomplete: Stage[Waiting] = Stage(
            max_incomplete(settings),
            settings.request_timeout,
            _TO_ARRIVE,
            lambda call: call.give_up(CrowdedError()),
            lambda call: call.give_up(LateError()),
        )
        self.peers = connections.Peers()
        self.stretch = Stretch(self.peers.gone)
        self.in_flight = InFlight(most, self.stretch.calls.make_room)
        self.exempt_in_flight = InFlight(_MOST_EXEMPT, self.stretch.exempt.make_room)
        self.client_names = ClientNames(names) if names else None
        self.max_message_bytes = settings.max_message_bytes
        self.max_batch_bytes = settings.max_batch_bytes
        self.workers = Workers(settings.workers, settings.max_queued)
        self.gate = Gate()
        self.unsent = _unsent(settings)
        self.unsent_of_streams = _unsent(settings)
        self.streams = OpenStreams(settings.max_watchers)
        self._disconnecting: set[str] = set()

    def sweep(self) -> None:
        """End the calls whose client keeps them waiting, and hear of those whose client goes."""
        self.incomplete.sweep()
        self.unsent.sweep()
        self.unsent_of_streams.sweep()
        for call in self.incomplete:
            call.watch()

    def disconnect(self, peer: str) -> None:
        """Close the connection of a client, soon; grpc has no way to end a single call for good."""
        if peer not in self._disconnecting:
            self._disconnecting.add(peer)
            loop = asyncio.get_running_loop()
            closing = loop.run_in_executor(None, connections.disconnect, peer)
            closing.add_done_callback(lambda _: self._disconnecting.discard(peer))


def _unsent(settings: Settings) -> Stage[Waiting]:
    return Stage(
        settings.max_concurrent_rpcs,
        settings.response_timeout,
        _TO_LEAVE,
        lambda call: call.cut_off("unsent_count"),
        lambda call: call.cut_off("unsent_time"),
    )
