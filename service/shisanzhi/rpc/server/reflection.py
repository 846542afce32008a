"""grpc.reflection, v1 and v1alpha: the same messages under two package names.

grpcio-reflection knows only v1alpha; the wire shape of v1 is the same.
"""

from collections.abc import AsyncIterator, Iterable
from typing import Any, Final, cast

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.reflection import aio

import shisanzhi.v1.error_pb2  # noqa: F401 - no message needs it, and clients ask for it
from shisanzhi.rpc.calls.handlers import Handlers

_SERVICE: Final = "ServerReflection"
_OLD_PACKAGE: Final = "grpc.reflection.v1alpha"
_PACKAGE: Final = "grpc.reflection.v1"
SERVICE_NAMES: Final = (f"{_PACKAGE}.{_SERVICE}", f"{_OLD_PACKAGE}.{_SERVICE}")


class _Symbols:
    """All descriptions, by name: also those of methods, which the pool itself does not find."""

    def __init__(self) -> None:
        self._pool = descriptor_pool.Default()

    def __getattr__(self, name: str) -> object:
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802 - protobuf's
        """Give the file that declares it; raises KeyError where there is none."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            return self._pool.FindMethodByName(symbol).containing_service.file


def add_to(handlers: Handlers, services: Iterable[str]) -> None:
    """Describe the named services and reflection itself, under both package names."""
    _describe_v1()
    servicer = aio.ReflectionServicer((*services, *SERVICE_NAMES), _Symbols())

    def converse(requests: AsyncIterator[Any]) -> AsyncIterator[Message]:
        # The types say that it is to be awaited; it is an asynchronous generator.
        return cast("AsyncIterator[Message]", servicer.ServerReflectionInfo(requests, None))

    for service in SERVICE_NAMES:
        path = f"/{service}/ServerReflectionInfo"
        handlers.add_stream(path, reflection_pb2.ServerReflectionRequest, converse, "bidi_stream")


def _describe_v1() -> None:
    """Put v1's description into the pool, made from v1alpha's, so that reflection can show it."""
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    file.name = "grpc/reflection/v1/reflection.proto"
    file.package = _PACKAGE
    for field in (field for message in file.message_type for field in message.field):
        if field.type_name:
            field.type_name = _renamed(field.type_name)
    for method in (method for service in file.service for method in service.method):
        method.input_type = _renamed(method.input_type)
        method.output_type = _renamed(method.output_type)
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())


def _renamed(name: str) -> str:
    return name.replace(f".{_OLD_PACKAGE}.", f".{_PACKAGE}.")
