"""Which call it is: the client's word where it is sane, one of ours where it is not."""

import pytest

from shisanzhi.rpc.observability.request_id import request_id, trace_parent

TRACE_PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.mark.parametrize("given", ["x", "a-sane_id.1:2/3+4=5@6", "x" * 128])
def test_a_sane_id_is_kept(given: str) -> None:
    assert request_id([("other", "mine"), ("x-request-id", given)]) == given


@pytest.mark.parametrize("given", ["", "two words", "鐵", "x\n", "x" * 129, b"bytes"])
def test_another_is_replaced(given: str | bytes) -> None:
    assert request_id([("x-request-id", given)]) != given


def test_no_two_calls_are_named_alike() -> None:
    process, _, number = request_id([]).rpartition("-")
    next_process, _, next_number = request_id([]).rpartition("-")
    assert (process, int(number, 16) + 1) == (next_process, int(next_number, 16))
    assert len(bytes.fromhex(process)) == 6


def test_of_a_header_that_comes_twice_the_first_counts() -> None:
    assert request_id([("x-request-id", "a"), ("x-request-id", "b")]) == "a"


def test_a_trace_is_gone_on_with_if_it_is_one() -> None:
    assert trace_parent([("traceparent", TRACE_PARENT)]) == TRACE_PARENT
    for wrong in (TRACE_PARENT.upper(), f"{TRACE_PARENT}-1", TRACE_PARENT.encode()):
        assert trace_parent([("traceparent", wrong)]) is None
    assert trace_parent([("x-request-id", TRACE_PARENT)]) is None
