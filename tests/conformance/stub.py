"""A server of a handler on a free loopback port, healthy as the shipped service config asks."""

from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from tests.rpc.wire import SERVICE


@contextmanager
def stub_server(handler: grpc.GenericRpcHandler) -> Iterator[str]:
    """Run one for the length of a block; give its address."""
    server = grpc.server(futures.ThreadPoolExecutor(8), [handler])
    healthy = health.HealthServicer()
    healthy.set(SERVICE.full_name, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(healthy, server)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield address
    finally:
        server.stop(None).wait()
