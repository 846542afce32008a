"""The recorded calls are what a real server says today, to the byte."""

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import pytest

from tests.conformance import wire
from tests.rpc.wire import METHODS
from tests.servers import serving

KEPT = [json.loads(line) for line in wire.PATH.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def recorded() -> list[dict[str, Any]]:
    with serving() as server:
        return wire.record(server.address)


def differences(kept: list[dict[str, Any]], recorded: list[dict[str, Any]]) -> Iterator[str]:
    """Name each call, and what of it, that is not as it was recorded."""
    nothing: dict[str, Any] = {}
    for number, (old, new) in enumerate(zip_longest(kept, recorded, fillvalue=nothing), start=1):
        for field in old.keys() | new.keys():
            if old.get(field) != new.get(field):
                name = old.get("name") or new.get("name")
                yield f"line {number}, {name}: {field}: {old.get(field)} is now {new.get(field)}"


def test_the_recorded_calls_are_fresh(recorded: list[dict[str, Any]]) -> None:
    """If not, and that is as it should be: `make wire-vectors`."""
    assert not list(differences(KEPT, recorded))


@pytest.mark.parametrize("field", ["request", "response"])
def test_a_byte_that_changed_is_told(recorded: list[dict[str, Any]], field: str) -> None:
    changed = json.loads(json.dumps(recorded))
    call = next(each for each in changed if each["method"] == "Score" and each[field])
    call[field] = call[field][:-2] + f"{int(call[field][-2:], 16) ^ 1:02x}"
    (difference,) = differences(changed, recorded)
    assert f"{call['name']}: {field}: " in difference


def test_every_method_is_recorded_answered_and_where_it_can_be_refused() -> None:
    answered = {call["method"] for call in KEPT if call["status"] == 0}
    refused = {call["method"] for call in KEPT if call["status"] == 3}
    assert answered == set(METHODS)
    assert refused == set(METHODS) - {"ListRulesets", "GetTexts"}
    assert len({call["name"] for call in KEPT}) == len(KEPT)
