"""Reflection, under both of its names: what there is, and how it is described."""

from typing import Any

import pytest
from google.protobuf import descriptor_pb2
from grpc_reflection.v1alpha import reflection_pb2

from tests.questions import SERVICE
from tests.rpc.here import Here, run

FILES = {
    "grpc.reflection.v1": "grpc/reflection/v1/reflection.proto",
    "grpc.reflection.v1alpha": "grpc_reflection/v1alpha/reflection.proto",
}
PACKAGES = tuple(FILES)
REFLECTIONS = tuple(f"{package}.ServerReflection" for package in PACKAGES)
Request = reflection_pb2.ServerReflectionRequest


async def reflect(here: Here, package: str, **question: Any) -> Any:
    call = here.channel.stream_stream(
        f"/{package}.ServerReflection/ServerReflectionInfo",
        Request.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )(iter([Request(**question)]), timeout=10)
    answer = await call.read()
    await call.code()
    return answer


async def described(here: Here, package: str, symbol: str) -> Any:
    answer = await reflect(here, package, file_containing_symbol=symbol)
    files = answer.file_descriptor_response.file_descriptor_proto
    return descriptor_pb2.FileDescriptorProto.FromString(files[0])


def test_every_service_is_listed() -> None:
    async def test(here: Here) -> None:
        for package in PACKAGES:
            answer = await reflect(here, package, list_services="*")
            listed = [each.name for each in answer.list_services_response.service]
            assert sorted(listed) == ["grpc.health.v1.Health", *REFLECTIONS, SERVICE]
            path = f"/{package}.ServerReflection/ServerReflectionInfo"
            kind = "bidi_stream"
            assert here.counted("handled_total", path, kind, grpc_code="OK") == 1

    run(test)


def test_what_is_switched_off_is_not_listed() -> None:
    async def test(here: Here) -> None:
        answer = await reflect(here, PACKAGES[0], list_services="*")
        listed = [each.name for each in answer.list_services_response.service]
        assert sorted(listed) == [*REFLECTIONS, SERVICE]

    run(test, health=False)


@pytest.mark.parametrize("package", PACKAGES)
def test_reflection_describes_itself_in_its_own_package(package: str) -> None:
    async def test(here: Here) -> None:
        for asked in PACKAGES:
            file = await described(here, asked, f"{package}.ServerReflection.ServerReflectionInfo")
            assert (file.package, file.name) == (package, FILES[package])
            (method,) = file.service[0].method
            assert method.input_type == f".{package}.ServerReflectionRequest"
            assert method.output_type == f".{package}.ServerReflectionResponse"
            types = {field.type_name for each in file.message_type for field in each.field}
            assert all(name.startswith(f".{package}.") for name in types - {""})

    run(test)


def test_the_contract_is_described_as_it_is() -> None:
    async def test(here: Here) -> None:
        for symbol in ("shisanzhi.v1.ErrorReason", SERVICE, f"{SERVICE}.Score"):
            file = await described(here, PACKAGES[0], symbol)
            assert file.package == "shisanzhi.v1"
            assert file.name.startswith("shisanzhi/v1/")
        answer = await reflect(here, PACKAGES[0], file_by_filename="shisanzhi/v1/card.proto")
        assert answer.file_descriptor_response.file_descriptor_proto
        answer = await reflect(here, PACKAGES[0], file_containing_symbol=f"{SERVICE}.None")
        assert answer.error_response.error_code == 5

    run(test)
