"""The connections that are open, of which grpc tells nothing: as the kernel knows them."""

import os
import socket
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote

_TABLES: Final = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))
_DESCRIPTORS: Final = "/dev/fd"
_FAMILIES: Final = {socket.AF_INET, socket.AF_INET6}
_UNOWNED: Final = "0"
"""The inode of a socket that no process holds: listening takes it later, or it has ended."""
_LISTENING: Final = "0A"


def count(addresses: Iterable[str]) -> int:
    """Count the connections to the ports of some addresses; 0 where the kernel does not tell."""
    ports = {f"{int(address.rpartition(':')[2]):04X}" for address in addresses}
    return sum(
        local.rpartition(":")[2] in ports and state != _LISTENING and inode != _UNOWNED
        for local, state, inode in _sockets()
    )


def _sockets() -> Iterator[tuple[str, str, str]]:
    """Give local address, state and inode of every TCP socket."""
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
    for descriptor in map(int, os.listdir(_DESCRIPTORS)):  # noqa: PTH208 - names, not paths
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                with socket.socket(fileno=os.dup(descriptor)) as each:
                    if each.family in _FAMILIES and _peer_of(each) == wanted:
                        each.shutdown(socket.SHUT_RDWR)


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
