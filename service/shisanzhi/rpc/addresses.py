"""Which socket addresses a host and a port mean, and binding all of them or none."""

import socket
from collections.abc import Callable


class BindError(OSError):
    """An address that cannot be served on; the text says why."""


def bind(host: str, port: int, add_port: Callable[[str], int]) -> tuple[str, ...]:
    """Bind every address of the host; give them as ``address:port``.

    grpc is content when one of several addresses is free, and does not say why none is. So names
    are resolved here and each address is tried with a plain socket first.
    """
    bound = []
    for address in _resolve(host):
        _try(address, port)
        try:
            port = add_port(_join(address, port))
        except RuntimeError as error:
            raise BindError(f"expected to listen on {_join(address, port)}: {error}") from error
        bound.append(_join(address, port))
    return tuple(bound)


def _resolve(host: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise BindError(f"expected a host that resolves, got {host!r}: {error.strerror}") from error
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _try(address: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # Else a connection of the previous process that lingers looks like a port in use.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            probe.listen()
        except OSError as error:
            where = _join(address, port)
            raise BindError(f"expected to listen on {where}: {error.strerror}") from error


def _join(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
