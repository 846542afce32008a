"""grpc.reflection, v1 and v1alpha: the same messages under two package names.

grpcio-reflection knows only v1alpha; the wire shape of v1 is the same.
"""

from collections.abc import Iterable
from typing import Final

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha._async import ReflectionServicer

_SERVICE: Final = "ServerReflection"
_OLD_PACKAGE: Final = "grpc.reflection.v1alpha"
_PACKAGE: Final = "grpc.reflection.v1"
SERVICE_NAMES: Final = (f"{_PACKAGE}.{_SERVICE}", f"{_OLD_PACKAGE}.{_SERVICE}")


def handlers(services: Iterable[str]) -> dict[str, "grpc.RpcMethodHandler[object, object]"]:
    """Give the handler of each method by name; it describes the named services and itself."""
    _describe_v1()
    servicer = ReflectionServicer((*services, *SERVICE_NAMES))
    return {
        "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(
            servicer.ServerReflectionInfo,
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
    }


def _describe_v1() -> None:
    """Put v1's description into the pool, made from v1alpha's, so that reflection can show it."""
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    text = file.SerializeToString()
    renamed = descriptor_pb2.FileDescriptorProto.FromString(text)
    renamed.name = "grpc/reflection/v1/reflection.proto"
    renamed.package = _PACKAGE
    for message in renamed.message_type:
        for field in message.field:
            field.type_name = field.type_name.replace(_OLD_PACKAGE, _PACKAGE)
    for service in renamed.service:
        for method in service.method:
            method.input_type = method.input_type.replace(_OLD_PACKAGE, _PACKAGE)
            method.output_type = method.output_type.replace(_OLD_PACKAGE, _PACKAGE)
    descriptor_pool.Default().Add(renamed)
