"""Ask a server for its health, as a probe does."""

import grpc
from grpc_health.v1 import health_pb2

from shisanzhi.rpc.client.channel import connect, unanswered
from shisanzhi.rpc.client.target import Target
from shisanzhi.rpc.server.health import SERVICE_NAME


def ask(target: Target, service: str, seconds: float) -> str:
    """Give the name of the status, such as ``SERVING``, or the number of one that has none here.

    Raises :class:`~shisanzhi.rpc.client.unanswered.UnansweredError`.
    """
    with connect(target) as channel:
        check = channel.unary_unary(
            f"/{SERVICE_NAME}/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        try:
            response = check(health_pb2.HealthCheckRequest(service=service), timeout=seconds)
        except grpc.RpcError as error:
            raise unanswered(target, error) from error
    names = health_pb2.HealthCheckResponse.ServingStatus.DESCRIPTOR.values_by_number
    status = names.get(response.status)
    return str(status.name if status else response.status)
