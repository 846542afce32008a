"""A batch gets what its requests get one by one, in pieces that give others their turn."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.rpc.calls import batch
from shisanzhi.rpc.calls.methods import METHODS
from shisanzhi.rpc.limits.refusals import MalformedError
from tests import hostile_requests, questions
from tests.rpc.test_bad_input import CASES
from tests.rpc.test_determinism import GOOD
from tests.rpc.wire import SERVICE, Refusal, Wire

BATCHES = {name: rpc.each for name, rpc in METHODS.items() if rpc.each is not None}
by_batch = pytest.mark.parametrize("method", BATCHES)


def single(method: str) -> Callable[[bytes], bytes]:
    """Give what answers one request of a batch, from bytes to bytes."""
    parse = GetMessageClass(SERVICE.methods_by_name[BATCHES[method]].input_type).FromString

    def respond(raw: bytes) -> bytes:
        response: Message = METHODS[BATCHES[method]].answer(parse(raw))
        return response.SerializeToString()

    return respond


def message(method: str) -> Any:
    return GetMessageClass(SERVICE.methods_by_name[method].input_type)


def good(method: str) -> list[Any]:
    """Give requests that a batch may hold, in no order."""
    requests = [request for name, request in GOOD if name == BATCHES[method]]
    Random(9).shuffle(requests)
    return requests[:40]


def whole(pieces: Iterator[bytes | None]) -> bytes:
    *pauses, response = pieces
    assert pauses == [None] * len(pauses)
    assert response is not None
    return response


@by_batch
def test_a_batch_gets_what_its_requests_get_one_by_one(wire: Wire, method: str) -> None:
    requests = good(method)
    responses = wire.ask(method, message(method)(requests=requests)).responses
    assert [wire.ask(BATCHES[method], request) for request in requests] == list(responses)


@by_batch
def test_in_pieces_and_at_one_go_it_is_the_same_to_the_byte(method: str) -> None:
    request = message(method)(requests=good(method))
    answer: Message = METHODS[method].answer(request)
    raw = request.SerializeToString()
    assert answer.SerializeToString() == whole(batch.in_pieces(single(method), raw))


@by_batch
def test_in_pieces_and_at_one_go_the_same_is_refused(method: str) -> None:
    bad = [case.request for case in CASES.values() if case.method == BATCHES[method]]
    bad += good(method)[:3]
    for requests in (bad, [], bad[:1] * 1001):
        request = message(method)(requests=requests)
        with pytest.raises(InvalidRequestError) as at_one_go:
            METHODS[method].answer(request)
        with pytest.raises(InvalidRequestError) as in_pieces:
            whole(batch.in_pieces(single(method), request.SerializeToString()))
        assert at_one_go.value.faults == in_pieces.value.faults


@by_batch
def test_the_faults_of_a_batch_are_those_of_its_requests_with_their_places(
    wire: Wire, method: str
) -> None:
    bad = [case.request for case in CASES.values() if case.method == BATCHES[method]][:5]
    expected = [
        (f"requests[{place}].{path}", reason)
        for place, request in enumerate(bad)
        for path, reason in wire.refusal(BATCHES[method], request).faults
    ]
    assert expected == list(wire.refusal(method, message(method)(requests=bad)).faults)


def test_of_a_thousand_faulty_requests_a_thousand_faults_are_kept_and_the_rest_counted() -> None:
    request = message("BatchScore")(requests=[{}] * 1000)
    with pytest.raises(InvalidRequestError) as refused:
        whole(batch.in_pieces(single("BatchScore"), request.SerializeToString()))
    assert (len(refused.value.faults), refused.value.more) == (1000, 2000)


def test_a_piece_ends_when_its_time_is_over_whether_or_not_requests_are_at_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock goes on by 2 ms whenever somebody looks, so that three requests are a piece."""
    now = count()
    monkeypatch.setattr(batch, "perf_counter", lambda: next(now) * 0.002)
    rounds: tuple[list[Any], ...] = (good("BatchScore")[:9], [{}] * 9)
    for requests in rounds:
        raw = message("BatchScore")(requests=requests).SerializeToString()
        pieces = batch.in_pieces(single("BatchScore"), raw)
        assert [next(pieces) for _ in range(3)] == [None] * 3
    pieces = batch.in_pieces(
        single("BatchScore"), message("BatchScore")(requests=rounds[0]).SerializeToString()
    )
    assert [piece is None for piece in pieces] == [True, True, True, False]


def test_what_takes_no_time_is_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "perf_counter", lambda: 1.0)
    raw = message("BatchScore")(requests=good("BatchScore")[:3]).SerializeToString()
    assert len(list(batch.in_pieces(single("BatchScore"), raw))) == 1


def test_bytes_that_are_no_batch_are_malformed() -> None:
    with pytest.raises(MalformedError):
        whole(batch.in_pieces(single("BatchScore"), b"\xff"))


def pieces_of(name: str) -> list[float]:
    """Work on a batch in pieces, on forty at most; give the CPU time of each."""
    method, raw = hostile_requests.make(name)
    took = []
    pieces = batch.in_pieces(single(method), raw)
    for _ in range(40):
        started = time.thread_time()
        try:
            response = next(pieces)
        except InvalidRequestError:
            response = b""
        took.append(time.thread_time() - started)
        if response is not None:
            break
    return took


@pytest.mark.parametrize("name", hostile_requests.BATCHES)
def test_no_piece_of_a_batch_takes_long_whatever_is_in_it(name: str) -> None:
    """Three times as long as a piece should take; one in ten may take longer.

    The machine may be busy, so CPU time counts, of the best of three.
    """
    tries = [sorted(pieces_of(name)) for _ in range(3)]
    assert min(took[len(took) * 9 // 10] for took in tries) < 0.015, tries


def test_the_largest_answers_fit_into_what_clients_take_by_default() -> None:
    """Grpc's own limit is 4 MiB; the comments of the contract promise half of that."""
    ask = {method: single(method) for method in BATCHES}
    hard = hostile_requests.hard_hand(0)
    answers = {
        "BatchArrange": max(len(ask["BatchArrange"](raw)) for raw in (hard, *hands())),
        "BatchScore": max(
            len(ask["BatchScore"](request.SerializeToString()))
            for name, request in GOOD
            if name == "Score"
        ),
    }
    assert 1000 * (answers["BatchArrange"] + 3) < 2e6
    assert 1000 * (answers["BatchScore"] + 3) < 1e6


def hands() -> Iterator[bytes]:
    for name, request in GOOD:
        if name == "Arrange":
            yield request.SerializeToString()


def test_a_batch_with_one_request_that_is_no_message_is_malformed(wire: Wire) -> None:
    """What cannot be parsed is malformed as a whole, wherever in it that is."""
    requests = [questions.raw("Score"), b"\xff"]
    raw = b"".join(map(partial(hostile_requests.field, 1), requests))
    refusal = wire.send("BatchScore", raw)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "MALFORMED_REQUEST"
