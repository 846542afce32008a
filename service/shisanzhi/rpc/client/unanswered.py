"""What a client says of a server that gives no answer; known without importing gRPC."""

import enum


class Hint(enum.Enum):
    """What may help against it."""

    SPEAKS_TLS = "it speaks TLS: name whom to trust with --tls-ca"
    SPEAKS_PLAINTEXT = "it speaks plaintext: leave out --tls-ca"
    NEWER = "it may be newer than this command"


class UnansweredError(Exception):
    """A server that is not there, or that failed; the cause is the ``grpc.RpcError``."""

    def __init__(self, address: str, got: str, hint: Hint | None = None) -> None:
        """Take who was asked and what came instead of an answer."""
        advice = f"; {hint.value}" if hint else ""
        super().__init__(f"expected an answer from {address}, got {got}{advice}")
        self.address = address
        self.got = got
        self.hint = hint
