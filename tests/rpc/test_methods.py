"""The table of methods: it is whole, and what it says of a method is what the method does."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message
from prometheus_client import Counter

from shisanzhi.config import load
from shisanzhi.engine.solver import arranger
from shisanzhi.rpc.calls import methods
from shisanzhi.rpc.calls.handlers import Handlers
from shisanzhi.rpc.calls.methods import METHODS, SERVICE, Rpc, Weight
from shisanzhi.rpc.calls.served_method import ServedMethod
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.observability.access_log import AccessLog
from shisanzhi.rpc.observability.game_metrics import COUNTS, SCORED, Count
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.observability.recorder import Recorder
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from tests import questions


@pytest.mark.parametrize("method", questions.METHODS)
def test_a_method_answers_with_the_response_of_the_contract(method: str) -> None:
    described = SERVICE.methods_by_name[method]
    response = METHODS[method].answer(questions.request(method))
    assert response.DESCRIPTOR.full_name == described.output_type.full_name


WRONG: dict[str, tuple[str, Callable[[list[Rpc]], list[Rpc]]]] = {
    "one forgotten": ("Evaluate", lambda rpcs: rpcs[1:]),
    "one too many": ("Cheat", lambda rpcs: [*rpcs, rpcs[0]._replace(name="Cheat")]),
    "another request": (
        "Evaluate",
        lambda rpcs: [rpcs[0]._replace(request_type=service_pb2.ScoreRequest), *rpcs[1:]],
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_table_that_is_not_the_contracts_does_not_load(wrong: str) -> None:
    name, changed = WRONG[wrong]
    with pytest.raises(
        ValueError, match=f"expected the methods of the contract.* {re.escape(str([name]))}$"
    ):
        methods._table(*changed(list(METHODS.values())))


def test_what_is_counted_of_no_method_is_not_counted_at_all() -> None:
    counted = {count for rpc in METHODS.values() for count in rpc.counts}
    assert counted == set(COUNTS)


@pytest.mark.parametrize("rpc", METHODS.values(), ids=METHODS)
def test_the_weight_says_what_else_is_to_be_said(rpc: Rpc) -> None:
    assert (rpc.each is not None) == (rpc.weight is Weight.BATCH)
    assert rpc.quick is None or rpc.weight is Weight.COMPILED
    assert (rpc.quick is not None) == (rpc.name == "Arrange" and arranger.COMPILED)
    assert not (rpc.each and rpc.counts), "a batch is counted as what it has many of"


class Service:
    """What serves the methods, and the metrics in which it counts."""

    def __init__(self) -> None:
        self.metrics = Metrics()
        limits = Limits(load({}, {}, None).settings)
        self._handlers = Handlers(limits, self.metrics, Recorder(self.metrics, AccessLog(0)))

    def serve(self, rpc: Rpc) -> ServedMethod:
        self._handlers.add(rpc)
        call: Any = self._handlers.maker(questions.path(rpc.name))()
        served: ServedMethod = call.method
        return served

    def told(self, count: Count) -> float | None:
        """Give what a scrape would give now, without the tallies."""
        return self.metrics.registry.get_sample_value(f"{count.name}_total", {"ruleset": "bonus"})


def run(test: Callable[[Service], None]) -> None:
    async def within_a_loop() -> None:
        test(Service())

    asyncio.run(within_a_loop())


def test_a_count_that_nobody_made_is_an_error_before_anything_is_served() -> None:
    def test(service: Service) -> None:
        uncounted = Count("shisanzhi_other", "Others.", lambda _: 1)
        with pytest.raises(KeyError):
            service.serve(METHODS["Score"]._replace(counts=(uncounted,)))

    run(test)


def test_what_a_thread_counts_is_told_at_once_and_what_the_loop_counts_when_somebody_looks() -> (
    None
):
    def test(service: Service) -> None:
        served = service.serve(METHODS["Score"])
        request: Message = questions.request("Score")
        assert served.at_once is not None
        served.at_once(request)
        assert service.told(SCORED) == 0
        served.answer(request)
        assert service.told(SCORED) == 1
        service.metrics.tallies.flush()
        assert service.told(SCORED) == 2

    run(test)


def test_what_a_thread_counts_while_the_counter_is_told_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its turn may come at any moment: here, while counters are brought up to date."""

    def test(service: Service) -> None:
        served = service.serve(METHODS["Score"])
        request: Message = questions.request("Score")
        assert served.at_once is not None
        served.at_once(request)
        inc = Counter.inc

        def interrupted(counter: Counter, *arguments: Any) -> None:
            inc(counter, *arguments)
            monkeypatch.setattr(Counter, "inc", inc)
            served.answer(request)

        monkeypatch.setattr(Counter, "inc", interrupted)
        service.metrics.tallies.flush()
        service.metrics.tallies.flush()
        assert service.told(SCORED) == 2

    run(test)
