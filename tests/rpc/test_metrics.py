"""The meters: what there is, what it is called, and what it counts."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from shisanzhi import __version__
from shisanzhi.config import load
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.rpc.calls.methods import METHODS
from shisanzhi.rpc.limits import refusals
from shisanzhi.rpc.limits.limits import Limits
from shisanzhi.rpc.limits.refusals import Refusal
from shisanzhi.rpc.observability.core_log import CAUSES
from shisanzhi.rpc.observability.game_metrics import COUNTS
from shisanzhi.rpc.observability.metrics import BUCKETS, CODE_NAMES, REJECTIONS, Metrics
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from tests import questions

OURS = ("grpc_", "shisanzhi_")
NAMES = {
    "grpc_server_started",
    "grpc_server_handled",
    "grpc_server_msg_received",
    "grpc_server_msg_sent",
    "grpc_server_handling_seconds",
    "shisanzhi_arrangements_illegal",
    "shisanzhi_bookings_failed",
    "shisanzhi_build",
    "shisanzhi_connections",
    "shisanzhi_fouls_refused",
    "shisanzhi_in_flight_calls",
    "shisanzhi_incomplete_calls",
    "shisanzhi_log_lines_lost",
    "shisanzhi_management_connections_crowded_out",
    "shisanzhi_matches_started",
    "shisanzhi_rejected_calls",
    "shisanzhi_rounds_dealt",
    "shisanzhi_rounds_scored",
    "shisanzhi_streams",
    "shisanzhi_suggestions",
    "shisanzhi_tls_certificate_expiry_seconds",
    "shisanzhi_tls_handshakes",
    "shisanzhi_tls_handshakes_failed",
    "shisanzhi_tls_reloads",
    "shisanzhi_unsent_calls",
}


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def test_every_meter_is_there_from_the_start_and_says_in_a_sentence_what_it_is(
    metrics: Metrics,
) -> None:
    families = [each for each in metrics.registry.collect() if each.name.startswith(OURS)]
    assert {family.name for family in families} == NAMES
    assert all(family.documentation.endswith(".") for family in families)
    names = {sample.name for family in metrics.registry.collect() for sample in family.samples}
    assert {
        "process_cpu_seconds_total",
        "python_info",
        "python_gc_objects_collected_total",
    } <= names
    assert not any(name.endswith("_created") for name in names)


@pytest.mark.parametrize(("compiled", "solver"), [(True, "compiled"), (False, "interpreted")])
def test_the_build_says_what_runs(
    solver: str, monkeypatch: pytest.MonkeyPatch, *, compiled: bool
) -> None:
    monkeypatch.setattr("shisanzhi.rpc.observability.metrics.COMPILED", compiled)
    (info,) = (each for each in Metrics().registry.collect() if each.name == "shisanzhi_build")
    assert info.samples[0].labels == {
        "version": __version__,
        "grpcio": grpc.__version__,
        "solver": solver,
    }


def test_every_label_has_its_values_from_the_start(metrics: Metrics) -> None:
    def labels(name: str, key: str) -> set[str]:
        families = {each.name: each.samples for each in metrics.registry.collect()}
        return {sample.labels[key] for sample in families[name]}

    metrics.method("unary", "service", "Method")
    assert labels("shisanzhi_rejected_calls", "reason") == set(REJECTIONS)
    assert labels("shisanzhi_tls_handshakes_failed", "cause") == set(CAUSES)
    assert labels("shisanzhi_tls_reloads", "result") == {"done", "failed"}
    assert labels("grpc_server_handled", "grpc_code") == set(CODE_NAMES.values())
    for key, value in (("type", "unary"), ("service", "service"), ("method", "Method")):
        assert labels("grpc_server_started", f"grpc_{key}") == {value}


def test_every_reason_for_a_refusal_can_be_counted() -> None:
    found = {
        each.rejection
        for each in vars(refusals).values()
        if isinstance(each, type) and issubclass(each, Refusal)
    }
    cut_off = {"unsent_count", "unsent_time", "connection_gone"}
    assert (found - {None}) | cut_off == set(REJECTIONS)


def test_codes_are_named_as_others_name_them() -> None:
    assert CODE_NAMES[grpc.StatusCode.OK] == "OK"
    assert CODE_NAMES[grpc.StatusCode.INVALID_ARGUMENT] == "InvalidArgument"
    assert len(CODE_NAMES) == 17


def test_the_buckets_begin_above_nothing() -> None:
    assert BUCKETS[0] == 0.0001


def test_what_is_at_each_limit_is_told(metrics: Metrics) -> None:
    limits = Limits(load({}, {}).settings)
    metrics.follow(limits)

    def told(gauge: str) -> float | None:
        return metrics.registry.get_sample_value(f"shisanzhi_{gauge}")

    limits.in_flight.enter("peer")
    for number, stage in enumerate((limits.incomplete, limits.unsent, limits.unsent_of_streams)):
        for _ in range(number + 2):
            stage.enter(_Call())
    limits.streams.enter("peer")
    assert (told("in_flight_calls"), told("incomplete_calls")) == (1, 2)
    assert (told("unsent_calls"), told("streams")) == (3 + 4, 1)


class _Call:
    peer = "peer"

    def watch(self) -> None: ...
    def give_up(self, refusal: Refusal) -> None: ...
    def cut_off(self, why: str) -> None: ...


def outcome(answer: Callable[[Any], Any], request: object) -> object:
    try:
        return answer(request)
    except InvalidRequestError as error:
        return error.faults


def test_where_nothing_is_counted_an_answer_is_left_as_it_is(metrics: Metrics) -> None:
    answer = METHODS["Evaluate"].answer
    assert metrics.game.counted((), answer, in_threads=True) is answer


@pytest.mark.parametrize("in_threads", [True, False])
def test_what_the_game_did_is_counted_by_ruleset(metrics: Metrics, *, in_threads: bool) -> None:
    """Each method as it answers well, and Score and Validate of a foul."""

    def counted(method: str, request: object) -> list[float]:
        rpc = METHODS[method]
        before = told()
        answer = metrics.game.counted(rpc.counts, rpc.answer, in_threads=in_threads)
        assert outcome(answer, request) == outcome(rpc.answer, request)
        metrics.tallies.flush()
        return [now - then for now, then in zip(told(), before, strict=True)]

    def told() -> list[float]:
        value = metrics.registry.get_sample_value
        return [value(f"{count.name}_total", {"ruleset": "bonus"}) or 0 for count in COUNTS]

    # Dealt, scored, refused for a foul, illegal, matches, suggestions.
    foul = questions.foul()
    and_more = service_pb2.ScoreRequest()
    and_more.MergeFrom(foul)
    and_more.dealer = 9
    illegal = service_pb2.ValidateRequest(
        ruleset=foul.ruleset, cut_card=foul.cut_card, arrangement=foul.arrangements[0]
    )
    assert counted("DealRound", questions.request("DealRound")) == [1, 0, 0, 0, 0, 0]
    assert counted("Score", questions.request("Score")) == [0, 1, 0, 0, 0, 0]
    assert counted("Score", foul) == [0, 0, 1, 0, 0, 0]
    assert counted("Score", and_more) == [0, 0, 1, 0, 0, 0]
    assert counted("Score", type(foul)(ruleset=foul.ruleset)) == [0, 0, 0, 0, 0, 0]
    assert counted("Validate", questions.request("Validate")) == [0, 0, 0, 0, 0, 0]
    assert counted("Validate", illegal) == [0, 0, 0, 1, 0, 0]
    assert counted("Validate", type(illegal)(ruleset=foul.ruleset)) == [0, 0, 0, 0, 0, 0]
    assert counted("StartMatch", questions.request("StartMatch")) == [0, 0, 0, 0, 1, 0]
    several = service_pb2.ArrangeRequest(max_suggestions=3)
    several.MergeFrom(questions.request("Arrange"))
    assert counted("Arrange", several) == [0, 0, 0, 0, 0, 3]
    assert counted("Arrange", type(several)(ruleset=foul.ruleset)) == [0, 0, 0, 0, 0, 0]


def test_a_ruleset_that_there_is_not_is_not_counted(metrics: Metrics) -> None:
    rpc = METHODS["DealRound"]
    answer = metrics.game.counted(rpc.counts, lambda _: None, in_threads=True)
    other: Any = 99
    assert answer(service_pb2.DealRoundRequest(ruleset=other)) is None
    assert metrics.registry.get_sample_value("shisanzhi_bookings_failed_total") == 0
