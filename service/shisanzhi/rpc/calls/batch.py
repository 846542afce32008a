"""Works on a batch in pieces, so that others have their turn in between."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from shisanzhi.engine.batch import answer_each
from shisanzhi.rpc.limits.refusals import MalformedError

_PIECE: Final = 0.005
"""Seconds of work after which others have their turn; a hundredth of that goes into the change."""


def in_pieces(respond: Callable[[bytes], bytes], raw: bytes) -> Iterator[bytes | None]:
    """Answer a batch of requests, each as ``respond`` answers it alone, from bytes to bytes.

    Gives None after each piece of work, and in the end the response. A request is parsed when its
    turn comes: so what waits in between is bytes, of which no more is held than was sent.
    """
    responses = []
    pause = perf_counter() + _PIECE
    for response in answer_each(respond, _split(raw)):
        responses.append(response)
        if perf_counter() >= pause:
            yield None
            pause = perf_counter() + _PIECE
    yield _Parts(parts=responses).SerializeToString()


def _split(raw: bytes) -> Sequence[bytes]:
    """Give the bytes of each request of a batch."""
    try:
        parts: Sequence[bytes] = _Parts.FromString(raw).parts
    except DecodeError as error:
        raise MalformedError from error
    return parts


def _message_of_bytes() -> Any:  # noqa: ANN401 - a type made here has no name to mypy
    """Make the type of a message whose first field has bytes where a batch has messages.

    Protobuf writes both alike.
    """
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="parts.proto", syntax="proto3")
    file.message_type.add(name="Parts").field.add(
        name="parts", number=1, label=field.LABEL_REPEATED, type=field.TYPE_BYTES
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("Parts"))


_Parts: Final = _message_of_bytes()
