"""Which server a client asks; known without importing gRPC."""

from typing import NamedTuple


class Tls(NamedTuple):
    """What a client needs to speak TLS, PEM: whom it trusts and, if it is asked, who it is."""

    ca: bytes
    key: bytes | None = None
    certificate: bytes | None = None


class Target(NamedTuple):
    """A server's ``host:port``, and TLS if it speaks that."""

    address: str
    tls: Tls | None = None
