"""Health and reflection, as probes, balancers and people with a command line use them."""

import asyncio
import queue
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from shisanzhi.rpc.server.health import Health
from tests.questions import SERVICE
from tests.server.calls import ask, get
from tests.servers import COMMAND, Process, serving

messages: Any = health_pb2  # its types are older than List
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
ENDED = -1
"""Stands for the end of a stream."""
CONTRACT = Path(__file__).parents[2] / "proto"
NAMES = ("", SERVICE, "liveness")


def health(channel: grpc.Channel) -> Any:
    return health_pb2_grpc.HealthStub(channel)


def check(channel: grpc.Channel, name: str) -> int:
    response = health(channel).Check(health_pb2.HealthCheckRequest(service=name), timeout=10)
    return int(response.status)


def watch(channel: grpc.Channel, name: str) -> Any:
    return health(channel).Watch(health_pb2.HealthCheckRequest(service=name))


def reading(watcher: Any) -> "queue.SimpleQueue[int]":
    """Read from now on: grpc's client loses a message that nobody waits for when the end comes."""
    statuses: queue.SimpleQueue[int] = queue.SimpleQueue()

    def read() -> None:
        # A channel that is closed under its reader raises more than RpcError.
        with suppress(Exception):
            for response in watcher:
                statuses.put(response.status)
        statuses.put(ENDED)

    threading.Thread(target=read, daemon=True).start()
    return statuses


def reflect(channel: grpc.Channel, version: str, **question: Any) -> Any:
    path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
    call = channel.stream_stream(
        path,
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    return next(call(iter([reflection_pb2.ServerReflectionRequest(**question)]), timeout=10))


def described(channel: grpc.Channel, version: str, **question: Any) -> Any:
    """Give the file that reflection answers with, without those that it imports."""
    answer = reflect(channel, version, **question)
    files = answer.file_descriptor_response.file_descriptor_proto
    assert files, answer
    return descriptor_pb2.FileDescriptorProto.FromString(files[0])


@pytest.mark.parametrize("name", NAMES)
def test_check_answers_for_each_name(channel: grpc.Channel, name: str) -> None:
    assert check(channel, name) == SERVING


def test_check_of_an_unknown_name_is_not_found(channel: grpc.Channel) -> None:
    outcome = ask(channel, "/grpc.health.v1.Health/Check", b"\x0a\x01x")
    assert outcome.code is grpc.StatusCode.NOT_FOUND


def test_list_answers_for_all_names(channel: grpc.Channel) -> None:
    listed = health(channel).List(messages.HealthListRequest(), timeout=10)
    assert dict.fromkeys(NAMES, SERVING) == {
        name: response.status for name, response in listed.statuses.items()
    }


def test_watch_of_an_unknown_name_waits_for_it(channel: grpc.Channel) -> None:
    call = watch(channel, "unknown")
    assert next(call).status == SERVICE_UNKNOWN
    assert call.is_active()
    call.cancel()


def test_a_change_while_a_status_is_sent_is_told_too() -> None:
    async def requests() -> AsyncIterator[health_pb2.HealthCheckRequest]:
        yield health_pb2.HealthCheckRequest()

    async def run() -> list[int]:
        told = Health(())
        told.set_serving()
        watcher = told.watch(requests())
        statuses = [(await anext(watcher)).status]
        told.drain()
        return statuses + [response.status async for response in watcher]

    assert asyncio.run(run()) == [SERVING, NOT_SERVING]


def test_liveness_stays_serving_while_the_rest_drains() -> None:
    with (
        serving("--drain-delay", "1") as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        statuses = reading(watch(channel, ""))
        assert statuses.get(timeout=10) == SERVING
        process.signal()
        assert statuses.get(timeout=10) == NOT_SERVING
        assert check(channel, SERVICE) == NOT_SERVING
        assert check(channel, "liveness") == SERVING
        assert get(process, "/healthz")[0] == 503
        assert get(process, "/livez")[0] == 200


def test_health_and_reflection_can_be_switched_off() -> None:
    with (
        serving("--health", "false", "--reflection", "false") as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        for path in (
            "/grpc.health.v1.Health/Check",
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        ):
            assert ask(channel, path, b"").code is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_reflection_lists_and_describes_every_service(channel: grpc.Channel, version: str) -> None:
    listed = reflect(channel, version, list_services="*")
    names = {service.name for service in listed.list_services_response.service}
    assert names == {
        SERVICE,
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
    }
    for name in names:
        file = described(channel, version, file_containing_symbol=name)
        assert name in {f"{file.package}.{service.name}" for service in file.service}


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_reflection_finds_every_method_by_its_full_name(
    channel: grpc.Channel, version: str
) -> None:
    listed = reflect(channel, version, list_services="*")
    found = set()
    for name in (service.name for service in listed.list_services_response.service):
        file = described(channel, version, file_containing_symbol=name)
        service = next(each for each in file.service if name.endswith(each.name))
        for symbol in (f"{name}.{method.name}" for method in service.method):
            assert described(channel, version, file_containing_symbol=symbol) == file
            found.add(symbol)
    assert found >= {
        f"{SERVICE}.Score",
        "grpc.health.v1.Health.Watch",
        "grpc.reflection.v1.ServerReflection.ServerReflectionInfo",
        "grpc.reflection.v1alpha.ServerReflection.ServerReflectionInfo",
    }


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_reflection_knows_all_of_the_contract(channel: grpc.Channel, version: str) -> None:
    symbols = set()
    for path in CONTRACT.rglob("*.proto"):
        file = described(channel, version, file_by_filename=str(path.relative_to(CONTRACT)))
        for each in (*file.service, *file.message_type, *file.enum_type):
            symbol = f"{file.package}.{each.name}"
            assert described(channel, version, file_containing_symbol=symbol) == file
            symbols.add(symbol)
    assert {"shisanzhi.v1.ErrorReason", "shisanzhi.v1.RoundResult", SERVICE} <= symbols


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
@pytest.mark.parametrize("symbol", [f"{SERVICE}.None", f"{SERVICE}.Score.None", "shisanzhi.v1", ""])
def test_reflection_does_not_find_what_is_not_there(
    channel: grpc.Channel, version: str, symbol: str
) -> None:
    answer = reflect(channel, version, file_containing_symbol=symbol)
    assert answer.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]
    assert answer.original_request.file_containing_symbol == symbol


def test_buf_curl_finds_its_way_by_reflection(server: Process) -> None:
    buf = Path(sys.executable).with_name("buf")
    url = f"http://{server.address}/{SERVICE}/GetRuleset"
    answered = subprocess.run(
        [
            *(buf, "curl", "--http2-prior-knowledge", "--protocol", "grpc"),
            *("--data", '{"ruleset": "RULESET_CLASSIC"}', url),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "RULESET_CLASSIC" in answered.stdout, answered.stderr


def probe(*arguments: str) -> tuple[int, str]:
    ended = subprocess.run(
        [COMMAND, "health", *arguments], capture_output=True, text=True, timeout=30, check=False
    )
    return ended.returncode, ended.stdout.strip()


def test_the_health_command_is_a_probe(server: Process) -> None:
    assert server.management is not None
    assert probe("--target", server.address) == (0, "SERVING")
    assert probe("--target", server.management, "--service", SERVICE) == (0, "SERVING")
    assert probe("--target", server.address, "--service", "unknown") == (3, "")
    assert probe("--target", "127.0.0.1:1") == (3, "")
