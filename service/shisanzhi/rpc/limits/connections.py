"""The connections that are open, of which grpc tells nothing: as the kernel knows them."""

import os
import socket
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import unquote

_TABLES: Final = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))
_DESCRIPTORS: Final = "/dev/fd"
_FAMILIES: Final = {socket.AF_INET, socket.AF_INET6}
_UNOWNED: Final = "0"
"""The inode of a socket that no process holds: listening takes it later, or it has ended."""
_LISTENING: Final = "0A"
_SOON: Final = 0.2
"""Seconds within which no other connection comes from the same port."""
_OFTEN: Final = 0.02
"""Seconds between two looks for the connections of calls that wait."""
_SHARE: Final = 5
"""Looking at all connections takes no more than one part in so many of the time."""
_Address: TypeAlias = tuple[str, int]


def count(addresses: Iterable[str]) -> int:
    """Count the connections to the ports of some addresses; 0 where the kernel does not tell."""
    ports = {f"{int(address.rpartition(':')[2]):04X}" for address in addresses}
    return sum(
        local.rpartition(":")[2] in ports and state != _LISTENING and inode != _UNOWNED
        for local, state, inode in _sockets()
    )


def _sockets() -> Iterator[tuple[str, str, str]]:
    for table in _TABLES:
        with suppress(OSError):
            for line in table.read_text("ascii").splitlines()[1:]:
                _, local, _, state, *_rest = fields = line.split()
                yield local, state, fields[9]


def disconnect(peer: str) -> None:
    """Close the connection to a peer, named as grpc names it, such as ``ipv4:127.0.0.1:80``.

    grpc notices, and ends every call of it. It takes some microseconds for each open descriptor.
    """
    wanted = _address(peer)
    for descriptor in _descriptors():
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                with socket.socket(fileno=os.dup(descriptor)) as each:
                    if each.family in _FAMILIES and _peer_of(each) == wanted:
                        each.shutdown(socket.SHUT_RDWR)


class Peers:
    """Tells whether a peer's connection has ended, though grpc hands its calls over still.

    A client can ask, reset its connection and come again, faster than all that is worked on. What
    is not known for certain is taken for open. Used by the event loop alone.
    """

    __slots__ = ("_addresses", "_gone", "_look_again", "_look_for_gone", "_open")

    def __init__(self) -> None:
        """Know no peer yet."""
        self._addresses: set[_Address] = set()
        self._open: dict[str, _Address] = {}
        self._gone: dict[str, float] = {}
        self._look_again = self._look_for_gone = 0.0

    def has_gone(self, peer: str) -> bool:
        """Tell it of a peer, named as grpc names it, from which there was a connection."""
        if peer in self._open:
            return False
        if not peer:  # it had gone before grpc could ask for its name
            return True
        now = time.monotonic()
        return now < self._gone.get(peer, 0) or self._is_missing(peer, now)

    def gone(self, peers: Iterable[str]) -> Collection[str]:
        """Give those of them whose connection has ended; none where it is too soon to look."""
        now = time.monotonic()
        if now < self._look_for_gone:
            return ()
        self._look(now)
        self._look_for_gone = max(self._look_again, now + _OFTEN)
        if not self._open:  # the system's names may be other ones than grpc's
            return ()
        return [peer for peer in peers if _address(peer) not in self._addresses]

    def doubt(self, peer: str) -> None:
        """Hear that a call of it ended unanswered: for its next one, look."""
        if address := self._open.pop(peer, None):
            self._addresses.discard(address)

    def _is_missing(self, peer: str, now: float) -> bool:
        address = _address(peer)
        if address not in self._addresses and now >= self._look_again:
            self._look(now)
            # While none is found by its name, the system's names may be other ones than grpc's.
            if address not in self._addresses and self._open:
                self._gone[peer] = now + _SOON
                return True
        if address in self._addresses:
            self._open[peer] = address
        return False

    def _look(self, now: float) -> None:
        found = self._addresses = _peers()
        self._open = {peer: address for peer, address in self._open.items() if address in found}
        self._gone = {peer: until for peer, until in self._gone.items() if now < until}
        self._look_again = now + _SHARE * (time.monotonic() - now)


def _descriptors() -> list[int]:
    """Give the open ones; none where the system does not tell, or has none left to look with."""
    with suppress(OSError):
        return [int(name) for name in os.listdir(_DESCRIPTORS)]  # noqa: PTH208 - names, not paths
    return []


def _peers() -> set[_Address]:
    """Give the peers of all connections of the process; it takes a microsecond or two for each."""
    found = set()
    for descriptor in _descriptors():
        with suppress(OSError):
            peer = _peer_at(descriptor)
            if isinstance(peer, tuple):  # that of a pair of the process itself is a path
                found.add(_address(f"tcp:{peer[0]}:{peer[1]}"))
    return found


def _peer_at(descriptor: int) -> object:
    each = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0, descriptor)
    try:
        return each.getpeername()
    finally:
        each.detach()  # it is grpc's


def _peer_of(connection: socket.socket) -> tuple[str, int]:
    host, port, *_ = connection.getpeername()
    return _address(f"tcp:{host}:{port}")


def _address(peer: str) -> tuple[str, int]:
    """Read a peer. grpc serves IPv4 on sockets of IPv6, so one address has two forms.

    >>> _address("ipv4:127.0.0.1:80"), _address("ipv6:%5B::1%5D:80")
    (('127.0.0.1', 80), ('::1', 80))
    >>> _address("tcp:::ffff:127.0.0.1:80")
    ('127.0.0.1', 80)
    """
    host, _, port = unquote(peer).partition(":")[2].rpartition(":")
    return host.strip("[]").partition("%")[0].removeprefix("::ffff:"), int(port)
