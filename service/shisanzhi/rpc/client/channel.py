"""Channels to a server: where all of ours are made, and what is said of one that fails."""

import socket
import ssl
from typing import Any, Final

import grpc

from shisanzhi.rpc.client.target import Target
from shisanzhi.rpc.client.unanswered import Hint, UnansweredError

# A proxy of the environment is one for web pages, and grpc would send even loopback through it.
_OPTIONS: Final = (("grpc.enable_http_proxy", 0),)
_NO_TLS: Final = "WRONG_VERSION_NUMBER"
_HANDSHAKE_SECONDS: Final = 1.0


def connect(target: Target) -> grpc.Channel:
    """Open a channel straight to the server; it connects when it is first used."""
    if target.tls is None:
        return grpc.insecure_channel(target.address, _OPTIONS)
    credentials = grpc.ssl_channel_credentials(*target.tls)
    return grpc.secure_channel(target.address, credentials, _OPTIONS)


def unanswered(target: Target, error: grpc.RpcError) -> UnansweredError:
    """Say what came of a call that failed, with a hint where the two sides do not match."""
    call: Any = error  # the error that a stub raises is also its grpc.Call
    code, details = call.code(), str(call.details())
    hint = _hint(target, details) if code is grpc.StatusCode.UNAVAILABLE else None
    return UnansweredError(target.address, f"{code.name}: {details}", hint)


def _hint(target: Target, details: str) -> Hint | None:
    if target.tls is not None:
        return Hint.SPEAKS_PLAINTEXT if _NO_TLS in details else None
    return Hint.SPEAKS_TLS if _speaks_tls(target.address) else None


def _speaks_tls(address: str) -> bool:
    """Shake hands to see: grpc only tells that the server hung up."""
    host, _, port = address.rpartition(":")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nothing is sent to it
    try:
        where = (host.strip("[]"), int(port))
        with (
            socket.create_connection(where, _HANDSHAKE_SECONDS) as connection,
            context.wrap_socket(connection),
        ):
            return True
    except (OSError, ValueError):
        return False
