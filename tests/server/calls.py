"""Calls as a platform makes them, and what an operator sees of them."""

import http.client
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from prometheus_client.parser import text_string_to_metric_families

from tests import questions
from tests.servers import Process

OK = grpc.StatusCode.OK
SECONDS = 30.0


class Outcome(NamedTuple):
    """How a call ended; ``seconds`` is how long it took."""

    code: grpc.StatusCode
    details: str
    trailers: dict[str, Any]
    response: bytes
    seconds: float

    def detail(self, message: Any) -> Any:
        """Give the detail of that type; None where there is none."""
        status = status_pb2.Status.FromString(self.trailers.get("grpc-status-details-bin", b""))
        for packed in status.details:
            if packed.Is(message.DESCRIPTOR):
                packed.Unpack(message)
                return message
        return None

    @property
    def reason(self) -> str | None:
        info = self.detail(error_details_pb2.ErrorInfo())
        return info.reason if info else None


def raw(request: bytes | Message) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()


def ask(
    target: Any,
    method: str,
    request: bytes | Message | None = None,
    **options: Any,
) -> Outcome:
    """Ask a process or a channel; the method is one of the game's, or a whole path."""
    if isinstance(target, Process):
        with grpc.insecure_channel(target.address) as channel:
            return ask(channel, method, request, **options)
    path = method if method.startswith("/") else questions.path(method)
    data = raw(questions.request(method) if request is None else request)
    start = time.perf_counter()
    try:
        response, call = target.unary_unary(path).with_call(data, **{"timeout": SECONDS, **options})
    except grpc.RpcError as error:
        return _outcome(error, b"", start)
    return _outcome(call, response, start)


async def ask_async(
    channel: Any,
    method: str,
    request: bytes | Message | None = None,
    **options: Any,
) -> Outcome:
    """Make one call on an asynchronous channel."""
    path = method if method.startswith("/") else questions.path(method)
    data = raw(questions.request(method) if request is None else request)
    start = time.perf_counter()
    call = channel.unary_unary(path)(data, **{"timeout": SECONDS, **options})
    try:
        response = await call
    except grpc.aio.AioRpcError as error:
        return _outcome(error, b"", start)
    return Outcome(OK, "", dict(await call.trailing_metadata()), response, _since(start))


def _outcome(call: Any, response: bytes, start: float) -> Outcome:
    trailers = dict(call.trailing_metadata() or ())
    return Outcome(call.code(), call.details() or "", trailers, response, _since(start))


def _since(start: float) -> float:
    return time.perf_counter() - start


def get(process: Process, path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Ask the management port over HTTP."""
    assert process.management is not None
    connection = http.client.HTTPConnection(process.management, timeout=SECONDS)
    try:
        connection.request("GET", path, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


Series = dict[tuple[str, frozenset[tuple[str, str]]], float]


def series(process: Process) -> Series:
    """Scrape: every series by name and labels."""
    status, text = get(process, "/metrics")
    assert status == 200
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def total(scraped: Series, name: str, **labels: str) -> float:
    """Sum the series of a name that have these labels."""
    wanted = set(labels.items())
    return sum(value for (key, has), value in scraped.items() if key == name and wanted <= has)


def memory(pid: int) -> int:
    """Give the resident memory of a process, in bytes."""
    return _status(pid, "VmRSS") * 1024


def _status(pid: int, key: str) -> int:
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:  # noqa: PTH123 - no file, but the kernel
        return int(next(line.split()[1] for line in lines if line.startswith(key)))


def percentile(values: Iterable[float], share: float) -> float:
    """Give the value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
