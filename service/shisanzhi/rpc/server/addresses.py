"""Which socket addresses a host and a port mean, and binding all of them or none."""

import socket
from collections.abc import Callable
from typing import Final

_NUMERIC: Final = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV


class BindError(OSError):
    """An address that cannot be served on; the text says why."""


def bind(host: str, port: int, add_port: Callable[[str], int]) -> tuple[str, ...]:
    """Have grpc bind every address of the host; give them as ``address:port``.

    grpc is content when one of several addresses is free, and does not say why none is. So names
    are resolved here and each address is tried with a plain socket first. Raises
    :class:`BindError`.
    """
    bound = []
    for address in resolve(host):
        probe(address, port)
        where = join(address, port)
        try:
            port = add_port(where)
        except RuntimeError as error:
            raise BindError(f"expected to listen on {where}: {error}") from error
        bound.append(join(address, port))
    return tuple(bound)


def resolve(host: str) -> tuple[str, ...]:
    """Give the addresses of a host, each once; raises :class:`BindError` where there are none.

    A name can have addresses of a family that the machine lacks, such as ``::1`` in a hosts file
    where there is no IPv6. These are left out, unless there are no others.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BindError(f"expected a host that resolves, got {host!r}: {error}") from error
    # As the kernel writes it, an address keeps its zone: "fe80::1%eth0".
    named = dict.fromkeys(socket.getnameinfo(each, _NUMERIC)[0] for *_, each in found)
    return tuple(filter(_has_its_family, named)) or tuple(named)


def _has_its_family(address: str) -> bool:
    return _can_listen(address) or _can_listen("::1" if ":" in address else "127.0.0.1")


def _can_listen(address: str) -> bool:
    try:
        _listen(address, 0)
    except OSError:
        return False
    return True


def probe(address: str, port: int) -> None:
    """Raise :class:`BindError` where nothing can listen, such as on a port in use."""
    try:
        _listen(address, port)
    except OSError as error:
        where = join(address, port)
        raise BindError(f"expected to listen on {where}: {error.strerror}") from error


def _listen(address: str, port: int) -> None:
    """Listen for a moment."""
    found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    family, kind, protocol, _, where = found[0]
    with socket.socket(family, kind, protocol) as tried:
        # Else a connection of the previous process that lingers looks like a port in use.
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind(where)
        tried.listen()


def join(address: str, port: int) -> str:
    """Write an address and a port as one.

    >>> join("127.0.0.1", 80), join("fe80::1%eth0", 80)
    ('127.0.0.1:80', '[fe80::1%eth0]:80')
    """
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
