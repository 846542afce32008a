"""Which socket addresses a host and a port mean, and binding all of them or none."""

import socket
from collections.abc import Callable


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
    """Give the addresses of a host, each once; raises :class:`BindError` where there are none."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BindError(f"expected a host that resolves, got {host!r}: {error}") from error
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def probe(address: str, port: int) -> None:
    """Raise :class:`BindError` where nothing can listen, such as on a port in use."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        # Else a connection of the previous process that lingers looks like a port in use.
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((address, port))
            tried.listen()
        except OSError as error:
            where = join(address, port)
            raise BindError(f"expected to listen on {where}: {error.strerror}") from error


def join(address: str, port: int) -> str:
    """Write an address and a port as one.

    >>> join("127.0.0.1", 80), join("::1", 80)
    ('127.0.0.1:80', '[::1]:80')
    """
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
