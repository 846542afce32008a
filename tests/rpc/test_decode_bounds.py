"""Of a list that no question may have only the length is decoded."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from shisanzhi.engine.batch import MAX_REQUESTS
from shisanzhi.engine.checks import LONGEST, MAX_ROWS
from shisanzhi.rpc.messages import decode
from tests.rpc.wire import SERVICE

DECODED: dict[str, Callable[[Any], object]] = {
    "Evaluate": decode.evaluate_request,
    "Validate": decode.validate_request,
    "Score": decode.score_request,
    "DealRound": decode.deal_round_request,
    "Arrange": decode.arrange_request,
    "BatchArrange": decode.batch_arrange_request,
    "BatchScore": decode.batch_score_request,
    "StartMatch": decode.start_match_request,
    "AdvanceMatch": decode.advance_match_request,
}
LENGTH = 32_000
LONG = {
    ("Evaluate", 1): MAX_ROWS,
    ("BatchArrange", 1): MAX_REQUESTS,
    ("BatchScore", 1): MAX_REQUESTS,
}
"""Lists that may be longer than a deck, by method and depth."""

Path = tuple[FieldDescriptor, ...]


def lists(message: Descriptor, above: Path = ()) -> Iterator[Path]:
    """Find the ways to every list of a message and of those within it."""
    for field in message.fields:
        path = (*above, field)
        if field.is_repeated:
            yield path
        if field.message_type is not None:
            yield from lists(field.message_type, path)


PATHS = {
    ".".join((method, *(field.name for field in path))): (method, path)
    for method in DECODED
    for path in lists(SERVICE.methods_by_name[method].input_type)
}
ITEMS: dict[int, Any] = {FieldDescriptor.CPPTYPE_STRING: "x", FieldDescriptor.CPPTYPE_INT32: 1}


def filled(method: str, path: Path, length: int) -> Any:
    """Make a request with a list of that length, and one item in each list on the way."""
    request: Any = GetMessageClass(SERVICE.methods_by_name[method].input_type)()
    at = request
    for field in path[:-1]:
        at = getattr(at, field.name)
        if field.is_repeated:
            at = at.add()
        at.SetInParent()
    items = getattr(at, path[-1].name)
    if path[-1].message_type is not None:
        for _ in range(length):
            items.add()
    else:
        of_bytes = path[-1].type == FieldDescriptor.TYPE_BYTES
        items.extend([b"x" if of_bytes else ITEMS.get(path[-1].cpp_type, 1)] * length)
    return request


def tuples(value: object) -> Iterator[tuple[Any, ...]]:
    """Give every tuple within a value."""
    if isinstance(value, tuple):
        yield value
        for item in value:
            yield from tuples(item)


@pytest.mark.parametrize(("method", "path"), PATHS.values(), ids=PATHS)
def test_of_an_endless_list_the_length_is_known_and_nothing_is_decoded(
    method: str, path: Path
) -> None:
    found = [*tuples(DECODED[method](filled(method, path, LENGTH)))]
    assert [list(value) for value in found if len(value) == LENGTH] == [[]]
    assert all(len(list(value)) < LENGTH for value in found)


@pytest.mark.parametrize(("method", "path"), PATHS.values(), ids=PATHS)
def test_a_list_as_long_as_any_may_be_is_decoded(method: str, path: Path) -> None:
    most = LONG.get((method, len(path)), LONGEST)
    found = [*tuples(DECODED[method](filled(method, path, most)))]
    assert [most] == [len(list(value)) for value in found if len(value) == most]
