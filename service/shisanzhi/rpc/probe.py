"""Ask a server for its health, as a probe does."""

from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2

from shisanzhi.rpc.health import SERVICE_NAME


class ProbeError(OSError):
    """A server that gave no status; the text says why."""


def ask(
    target: str, service: str, seconds: float, tls: Sequence[bytes | None] | None = None
) -> str:
    """Give the name of the status, such as ``SERVING``; ``tls`` is CA, key and certificate, PEM.

    Raises :class:`ProbeError`.
    """
    credentials = grpc.ssl_channel_credentials(*tls) if tls else None
    plain = grpc.insecure_channel
    with grpc.secure_channel(target, credentials) if credentials else plain(target) as channel:
        check = channel.unary_unary(
            f"/{SERVICE_NAME}/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        try:
            response = check(health_pb2.HealthCheckRequest(service=service), timeout=seconds)
        except grpc.RpcError as error:
            raise ProbeError(f"{target}: {error.code().name}: {error.details()}") from error
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(response.status))
