"""How many connections are open, which grpc does not tell: as the kernel lists them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_TABLES: Final = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))
_UNOWNED: Final = "0"
"""The inode of a socket that no process holds: listening takes it later, or it has ended."""
_LISTENING: Final = "0A"


def count(addresses: Iterable[str]) -> int:
    """Count the connections to the ports of some addresses; 0 where the kernel has no such list."""
    ports = {f"{int(address.rpartition(':')[2]):04X}" for address in addresses}
    return sum(
        local.rpartition(":")[2] in ports and state != _LISTENING and inode != _UNOWNED
        for local, state, inode in _sockets()
    )


def _sockets() -> Iterator[tuple[str, str, str]]:
    """Give local address, state and inode of every TCP socket."""
    for table in _TABLES:
        if table.exists():
            for line in table.read_text("ascii").splitlines()[1:]:
                _, local, _, state, *_rest = fields = line.split()
                yield local, state, fields[9]
