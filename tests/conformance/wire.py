"""Calls as they are on the wire, recorded from a real server beside their readable form."""

import base64
import json
import struct
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import (
    error_details_pb2,  # noqa: F401 - its types are found by name when details are written
    status_pb2,
)

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from tests.rpc import messages
from tests.rpc.messages import Case
from tests.rpc.wire import METHODS, SERVICE, STATUS_KEY
from tests.server.raw_http2 import Connection
from tests.servers import serving
from tests.vectors import DIRECTORY, cases

PATH: Final = DIRECTORY / "wire" / "calls.jsonl"
REQUEST_ID: Final = "recorded"
"""Which the calls are made with: the server gives it back, and would else make one up."""
_DATA, _HEADERS, _END_STREAM = 0, 1, 1
_READABLE: Final[Any] = {"preserving_proto_field_name": True}


class Asked(NamedTuple):
    """A call to be recorded. Its request is no message where the bytes are to be none."""

    name: str
    method: str
    request: Message | bytes


def asked() -> Iterator[Asked]:
    """Give every call: each method answered, for each ruleset where that differs, and refused."""
    yield from _answered()
    for method in METHODS:
        refused = [case for case in cases("errors") if case["method"] == method]
        for case in refused[1:2] or refused:
            yield Asked(f"refused: {case['note']}", method, bytes.fromhex(case["request_bytes"]))
    flood = next(case for case in cases("errors") if case["left_out"])
    yield Asked(f"refused: {flood['note']}", flood["method"], bytes.fromhex(flood["request_bytes"]))
    yield Asked("refused: bytes that are no message", "Evaluate", b"\xff")
    yield Asked("refused: a method that is not there", "Shuffle", b"")


def _answered() -> Iterator[Asked]:
    for case in _of_each("evaluate", "ruleset"):
        yield _asked("Evaluate", case, messages.evaluate(case, case["row"]))
    for case in _of_each("validate", "ruleset", "legal"):
        yield _asked("Validate", case, messages.validate(case))
    for case in _of_each("score", "ruleset"):
        yield _asked("Score", case, messages.score(case))
    for case in cases("deal"):
        yield _asked("DealRound", case, messages.deal(case))
    for case in _of_each("arrange", "ruleset", "dragon"):
        yield _asked("Arrange", case, messages.arrange(case))
    arranging = map(messages.arrange, _of_each("arrange", "ruleset"))
    yield Asked("both", "BatchArrange", service_pb2.BatchArrangeRequest(requests=arranging))
    scoring = map(messages.score, _of_each("score", "ruleset"))
    yield Asked("both", "BatchScore", service_pb2.BatchScoreRequest(requests=scoring))
    for case in cases("rulesets"):
        number = messages.ruleset(case["ruleset"])
        yield _asked("GetRuleset", case, service_pb2.GetRulesetRequest(ruleset=number))
    yield Asked("all", "ListRulesets", service_pb2.ListRulesetsRequest())
    yield Asked("all", "GetTexts", service_pb2.GetTextsRequest())
    for case in _of_each("match", "ruleset"):
        yield _asked("StartMatch", case, messages.start_match(case))
        yield _asked("AdvanceMatch", case, _first_turn(case))


def _of_each(kind: str, *fields: str) -> list[Case]:
    """Give the first case of each combination of some fields."""
    first: dict[tuple[Any, ...], Case] = {}
    for case in cases(kind):
        first.setdefault(tuple(case[field] for field in fields), case)
    return list(first.values())


def _asked(method: str, case: Case, request: Message) -> Asked:
    note = f", {case['note']}" if "note" in case else ""
    return Asked(case["ruleset"] + note, method, request)


def _first_turn(case: Case) -> service_pb2.AdvanceMatchRequest:
    opened = case["matches"][0]
    books = {
        name: opened[name] for name in ("player_ids", "next_round", "dealer", "units", "points")
    }
    request = service_pb2.AdvanceMatchRequest(units=case["rounds"][0])
    json_format.ParseDict(books, request.match)
    request.match.ruleset = messages.ruleset(case["ruleset"])
    for line in opened["standings"]:
        seat = line["seat"]
        request.match.standings.add(
            **line,
            player_id=opened["player_ids"][seat],
            units=opened["units"][seat],
            points=opened["points"][seat],
        )
    return request


def record(address: str) -> list[dict[str, Any]]:
    """Make every call and write down what came."""
    count: Counter[str] = Counter()
    recorded = []
    for call in asked():
        count[call.method] += 1
        name = f"{call.method} {count[call.method]}: {call.name}"
        recorded.append({"name": name, **_recorded(address, call)})
    return recorded


def _recorded(address: str, call: Asked) -> dict[str, Any]:
    request = (
        call.request
        if isinstance(call.request, bytes)
        else call.request.SerializeToString(deterministic=True)
    )
    headers, data, trailers = exchange(address, f"/{SERVICE.full_name}/{call.method}", request)
    last = dict(trailers or headers)
    method = SERVICE.methods_by_name.get(call.method)
    return {
        "method": call.method,
        "request": request.hex(),
        "request_json": _json(method.input_type, request) if method else None,
        "headers": headers,
        "response": data.hex() if data is not None else None,
        "response_json": _json(method.output_type, data) if method and data is not None else None,
        "trailers": trailers,
        "status": int(last["grpc-status"]),
        "details_json": _details(last),
    }


def _json(message_type: Any, raw: bytes) -> Any:
    """Write a message as protobuf's JSON; None for bytes that are none."""
    try:
        return json_format.MessageToDict(GetMessageClass(message_type).FromString(raw), **_READABLE)
    except Exception:  # noqa: BLE001 - each implementation of protobuf has its own
        return None


def _details(fields: dict[str, str]) -> Any:
    """Write the rich status of the last fields."""
    raw = fields.get(STATUS_KEY)
    if raw is None:
        return None
    status = status_pb2.Status.FromString(base64.b64decode(raw + "=="))
    return json_format.MessageToDict(status, **_READABLE)


Fields = list[list[str]]


def exchange(address: str, path: str, message: bytes) -> tuple[Fields, bytes | None, Fields]:
    """Make one call; give its headers, the message that came, and the trailers.

    Where there is no message, the only fields are headers.
    """
    with Connection(address) as connection:
        stream = connection.open(path, {"x-request-id": REQUEST_ID})
        connection.send(stream, b"\0" + struct.pack(">I", len(message)) + message, end=True)
        blocks: list[Fields] = []
        data, flags = b"", 0
        while not flags & _END_STREAM:
            kind, flags, number, payload = connection.frame()
            if number != stream:
                flags = 0
            elif kind == _HEADERS:
                blocks.append(
                    [[str(name), str(value)] for name, value in connection._decoder.decode(payload)]
                )
            elif kind == _DATA:
                data += payload
    headers, trailers = (*blocks, [])[:2]
    return headers, _unframed(data) if data else None, trailers


def _unframed(data: bytes) -> bytes:
    compressed, size = struct.unpack(">?I", data[:5])
    if compressed or len(data) != 5 + size:
        raise ValueError(f"expected one message as it is, got {data[:5].hex()} of {len(data)}")
    return data[5:]


def main() -> None:
    """Write the calls down."""
    with serving() as server:
        recorded = record(server.address)
    PATH.parent.mkdir(exist_ok=True)
    lines = [json.dumps(call, ensure_ascii=False) + "\n" for call in recorded]
    PATH.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} calls recorded in {PATH}")


if __name__ == "__main__":
    main()
