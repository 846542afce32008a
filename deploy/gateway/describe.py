"""Writes what the gateway needs to know of the contract, and what it says of it.

python -m deploy.gateway.describe FOLDER

`shisanzhi.binpb` is the contract with the types of its errors, for transcoding; `openapi.json` is
the contract for those who speak JSON over HTTP, with the comments of the .proto files.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from google.rpc import status_pb2
from grpc_tools import protoc

import shisanzhi
from deploy.gateway.examples import examples

ROOT: Final = Path(__file__).resolve().parents[2]
PROTO: Final = ROOT / "proto"
ERRORS: Final = ("google/rpc/status.proto", "google/rpc/error_details.proto")
DETAILS: Final = ("ErrorInfo", "BadRequest", "RetryInfo", "RequestInfo")
PUBLIC: Final = frozenset(
    {"Evaluate", "Validate", "Score", "Arrange", "GetRuleset", "ListRulesets", "GetTexts"}
)
"""The methods that the public listener opens; see envoy.yaml."""

Schema = dict[str, Any]
_Field = FieldDescriptorProto


def main(folder: Path) -> None:
    """Write both files."""
    contract = compiled()
    (folder / "openapi.json").write_text(
        json.dumps(openapi(contract), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    for file in contract.file:
        file.ClearField("source_code_info")
    (folder / "shisanzhi.binpb").write_bytes(contract.SerializeToString(deterministic=True))


def compiled() -> FileDescriptorSet:
    """Compile the contract, with its comments."""
    protos = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("shisanzhi/v1/*.proto"))
    well_known = files("grpc_tools") / "_proto"
    common = Path(status_pb2.__file__).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "set"
        failed = protoc.main(
            [
                "protoc",
                f"--proto_path={PROTO}",
                f"--proto_path={common}",
                f"--proto_path={well_known}",
                "--include_imports",
                "--include_source_info",
                f"--descriptor_set_out={out}",
                *protos,
                *ERRORS,
            ]
        )
        if failed:
            sys.exit("expected a contract that compiles")
        return FileDescriptorSet.FromString(out.read_bytes())


def openapi(contract: FileDescriptorSet) -> Schema:
    """Describe the contract as OpenAPI 3.1."""
    own = [file for file in contract.file if file.package == "shisanzhi.v1"]
    service_file = next(file for file in own if file.service)
    service = service_file.service[0]
    says = _comments(service_file)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Shisanzhi",
            "version": shisanzhi.__version__,
            "summary": "Game logic of Taiwanese thirteen-card poker (十三支), as JSON over HTTP.",
            "description": says[6, 0] + "\n\n" + _JSON,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "public", "description": "Open on the public listener."},
            {"name": "platform", "description": "Open on the platform's listener alone."},
        ],
        "paths": {
            f"/shisanzhi.v1.{service.name}/{method.name}": {
                "post": _operation(method, says[6, 0, 2, i])
            }
            for i, method in enumerate(service.method)
        },
        "components": {
            "schemas": dict(sorted([*_schemas(own), *_error_schemas(contract)])),
            "responses": {"Error": _ERROR},
        },
    }


_JSON: Final = """
Each method is a POST of its request as JSON. Fields have the names of the contract (`cut_card`; the
lower camel case of proto3's JSON, `cutCard`, is understood too), enum values are their names
(`CARD_SPADES_ACE`), bytes are base64. What is unset may be left out. An answer lists every number,
flag and list; messages without a value are left out. A request that cannot be answered gets HTTP
status 400 and a google.rpc.Status: its `details` hold a google.rpc.ErrorInfo with a reason from
ErrorReason and a google.rpc.BadRequest with every fault. What the gateway refuses by itself (403,
404, 413, 429, 503, 504, and JSON that is none) has a code and a message alone.
""".replace("\n", " ").strip()

_ERROR: Final[Schema] = {
    "description": "The call failed: a google.rpc.Status says why.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}},
}
_CODES: Final = ("400", "403", "413", "429", "500", "501", "503", "504")


def _operation(method: Any, says: str) -> Schema:
    request, response = examples()[method.name]
    answer: Schema = {"schema": _reference(method.output_type)}
    if len(json.dumps(response)) < 4000:
        answer["example"] = response
    return {
        "operationId": method.name,
        "summary": says.split(". ", maxsplit=1)[0].rstrip(".") + ".",
        "description": says,
        "tags": ["public"] if method.name in PUBLIC else ["platform"],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": _reference(method.input_type), "example": request}
            },
        },
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": answer}},
            **{code: {"$ref": "#/components/responses/Error"} for code in _CODES},
        },
    }


def _reference(type_name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{type_name.rpartition('.')[2]}"}


def _comments(file: FileDescriptorProto) -> dict[tuple[int, ...], str]:
    """Give every leading comment, as paragraphs, by the path of what it describes."""
    return {
        tuple(location.path): "\n\n".join(
            " ".join(line.strip() for line in paragraph.splitlines())
            for paragraph in location.leading_comments.replace("\n \n", "\n\n")
            .strip()
            .split("\n\n")
        )
        for location in file.source_code_info.location
        if location.leading_comments
    }


def _schemas(own: list[FileDescriptorProto]) -> Iterator[tuple[str, Schema]]:
    for file in own:
        says = _comments(file)
        for i, message in enumerate(file.message_type):
            yield message.name, _message(message, says, (4, i))
        for i, enum in enumerate(file.enum_type):
            yield enum.name, _enum(enum, says, (5, i))


def _message(
    message: DescriptorProto, says: dict[tuple[int, ...], str], path: tuple[int, ...]
) -> Schema:
    return {
        "type": "object",
        "description": says.get(path, ""),
        "properties": {
            field.name: _field(field, says.get((*path, 2, i), ""))
            for i, field in enumerate(message.field)
        },
    }


def _field(field: FieldDescriptorProto, says: str) -> Schema:
    one = _value(field)
    if field.label == _Field.LABEL_REPEATED:
        return {"type": "array", "description": says, "items": one}
    return {"description": says, **one}


_SCALARS: Final[dict[int, Schema]] = {
    _Field.TYPE_BOOL: {"type": "boolean"},
    _Field.TYPE_BYTES: {
        "type": "string",
        "contentEncoding": "base64",
        "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    },
    _Field.TYPE_DOUBLE: {"type": "number", "format": "double"},
    _Field.TYPE_INT32: {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
    _Field.TYPE_SINT32: {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
    _Field.TYPE_STRING: {"type": "string"},
    _Field.TYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
}


def _value(field: FieldDescriptorProto) -> Schema:
    if field.type in {_Field.TYPE_ENUM, _Field.TYPE_MESSAGE}:
        return _reference(field.type_name)
    return _SCALARS[field.type]


def _enum(
    enum: EnumDescriptorProto, says: dict[tuple[int, ...], str], path: tuple[int, ...]
) -> Schema:
    values = "\n".join(
        f"- `{value.name}` ({value.number}): {says.get((*path, 2, i), '')}"
        for i, value in enumerate(enum.value)
    )
    return {
        "type": "string",
        "description": f"{says.get(path, '')}\n\n{values}",
        "enum": [value.name for value in enum.value],
    }


def _error_schemas(contract: FileDescriptorSet) -> Iterator[tuple[str, Schema]]:
    """Give Status and the details that the service sends; `Any` says by `@type` which one it is."""
    file = next(file for file in contract.file if file.name == ERRORS[1])
    for message in file.message_type:
        if message.name in DETAILS:
            schema = {
                "type": "object",
                "required": ["@type"],
                "properties": {
                    "@type": {"const": f"type.googleapis.com/google.rpc.{message.name}"},
                    **{field.name: _detail(field) for field in message.field},
                },
            }
            yield message.name, schema
    yield (
        "Status",
        {
            "type": "object",
            "description": "How a call failed.",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "integer", "description": "The status code of gRPC."},
                "message": {"type": "string", "description": "For developers, in English."},
                "details": {
                    "type": "array",
                    "description": "A reason, faults, when to come back, a request id.",
                    "items": {"anyOf": [_reference(f".{each}") for each in DETAILS]},
                },
            },
        },
    )


def _detail(field: FieldDescriptorProto) -> Schema:
    if field.name == "field_violations":
        texts = {name: {"type": "string"} for name in ("field", "description", "reason")}
        return {"type": "array", "items": {"type": "object", "properties": texts}}
    if field.name == "metadata":
        return {"type": "object", "additionalProperties": {"type": "string"}}
    return {"type": "string"}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
