"""A server that ends calls as a stopping one ends those that it cuts off: they are CANCELLED."""

import time
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from tests.questions import SERVICE


class CuttingOff(grpc.GenericRpcHandler):
    """Cuts off the first calls, each after a while; answers those after them."""

    def __init__(self, times: int, seconds: float) -> None:
        self.address = ""
        self._seconds = seconds
        self.cut_off(times)

    def cut_off(self, times: int) -> None:
        """Start anew: count from nothing, and cut off so many."""
        self.asked = 0
        self._times = times

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        if not handler_call_details.method.startswith(f"/{SERVICE}/"):
            return None
        return grpc.unary_unary_rpc_method_handler(self.answer)

    def answer(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        self.asked += 1
        if self.asked <= self._times:
            time.sleep(self._seconds)
            context.abort(grpc.StatusCode.CANCELLED, "cut off")
        return request


@contextmanager
def cutting_off(times: int, seconds: float = 0) -> Iterator[CuttingOff]:
    """Run one for the length of a block."""
    handler = CuttingOff(times, seconds)
    server = grpc.server(futures.ThreadPoolExecutor(8), [handler])
    healthy = health.HealthServicer()
    healthy.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(healthy, server)
    handler.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield handler
    finally:
        server.stop(None).wait()
