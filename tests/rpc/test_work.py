"""What a request costs is bounded by its size, whatever its bytes.

``python -m tests.bench.requests`` tells the figures.
"""

import pytest

from shisanzhi.rpc.calls.unary_call import LIGHT_BYTES
from tests import hostile_requests, questions
from tests.bench.requests import Cost, costs

LEGAL = "Evaluate: rows"


@pytest.fixture(scope="module")
def full() -> list[Cost]:
    return costs(hostile_requests.FULL)


def legal(found: list[Cost]) -> Cost:
    return next(each for each in found if each.name == LEGAL)


def test_no_request_costs_much_more_than_the_largest_that_is_answered(full: list[Cost]) -> None:
    # The costliest takes a quarter more; where every fault was sought it was eight times as long.
    assert full[0].milliseconds < 2.5 * legal(full).milliseconds, full[0]


def test_a_request_that_holds_the_event_loop_costs_less_than_one_that_need_not(
    full: list[Cost],
) -> None:
    light = costs(LIGHT_BYTES)
    assert all(each.size <= LIGHT_BYTES for each in light)
    assert light[0].milliseconds < legal(full).milliseconds, light[0]


def test_every_method_is_tried_with_its_worst() -> None:
    requests = hostile_requests.REQUESTS | hostile_requests.BATCHES
    tried = {hostile_requests.method_of(name) for name in requests}
    assert tried == set(questions.METHODS)


def test_hostile_requests_are_as_large_as_they_may_be() -> None:
    for name in hostile_requests.REQUESTS:
        size = len(hostile_requests.make(name)[1])
        assert size <= hostile_requests.FULL
        assert size > 0.9 * hostile_requests.FULL or "rows" in name, (name, size)
