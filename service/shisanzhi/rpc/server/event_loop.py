"""The event loop of a server: asyncio's, save that it hears of what grpc has done in whole.

grpc.aio wakes the loop with a byte for each event, handles all events there are, and reads one of
the bytes. Where more than one comes in a turn, the rest heap up in the socket until it is full;
then grpc's thread waits to write, so that one event is handled in each turn of the loop, in the
order in which they came, whoever they are for.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final, TypeVarTuple

from shisanzhi.rpc import core

_Ts = TypeVarTuple("_Ts")
_BYTES: Final = 1024
"""More than the kernel holds of writes of a byte."""


class EventLoop(asyncio.SelectorEventLoop):
    """Takes all bytes that wake it before it handles events; none is lost, for they come after."""

    def add_reader(self, fd: Any, callback: Callable[[*_Ts], Any], *args: *_Ts) -> None:  # noqa: ANN401 - as asyncio has it
        """Watch a socket, as any loop does; that of grpc is read to its end first."""
        if core.handles_events(callback):
            super().add_reader(fd, _drained, fd, callback)
        else:
            super().add_reader(fd, callback, *args)


def _drained(waking: socket.socket, handle: Callable[[], object]) -> None:
    waking.recv(_BYTES)
    handle()
