"""What the files of the contract tell the generators of other languages."""

import pytest
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileOptions, MethodOptions

from shisanzhi.v1 import (
    arrangement_pb2,
    card_pb2,
    error_pb2,
    game_logic_service_pb2,
    match_pb2,
    round_pb2,
    ruleset_pb2,
)

OUTER_CLASSES = {
    arrangement_pb2.DESCRIPTOR: "ArrangementProto",
    card_pb2.DESCRIPTOR: "CardProto",
    error_pb2.DESCRIPTOR: "ErrorProto",
    game_logic_service_pb2.DESCRIPTOR: "GameLogicServiceProto",
    match_pb2.DESCRIPTOR: "MatchProto",
    round_pb2.DESCRIPTOR: "RoundProto",
    ruleset_pb2.DESCRIPTOR: "RulesetProto",
}
FILES = pytest.mark.parametrize("file", OUTER_CLASSES, ids=lambda file: file.name)
JAVA_LANG = {"Error", "Override", "Object", "Record", "Number", "Process", "Package", "Module"}


@FILES
def test_every_file_has_the_options_of_every_language(file: FileDescriptor) -> None:
    expected = FileOptions(
        csharp_namespace="Shisanzhi.V1",
        go_package="github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1;shisanzhiv1",
        java_multiple_files=True,
        java_outer_classname=OUTER_CLASSES[file],
        java_package="shisanzhi.v1",
        objc_class_prefix="SSZ",
    )
    assert expected == file.GetOptions()


@FILES
def test_no_java_class_has_the_name_of_another(file: FileDescriptor) -> None:
    names = {name for each in OUTER_CLASSES for name in (*types(each), *services(each))}
    assert OUTER_CLASSES[file] not in names | JAVA_LANG
    assert not {*types(file), *services(file)} & JAVA_LANG


def test_every_method_may_be_repeated() -> None:
    service = game_logic_service_pb2.DESCRIPTOR.services_by_name["GameLogicService"]
    assert service.methods
    for method in service.methods:
        assert method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
        assert not method.client_streaming
        assert not method.server_streaming


def types(file: FileDescriptor) -> list[str]:
    return [*file.message_types_by_name, *file.enum_types_by_name]


def services(file: FileDescriptor) -> list[str]:
    return list(file.services_by_name)
