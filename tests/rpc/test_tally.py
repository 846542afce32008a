"""Tallies lose nothing and count nothing twice."""

from prometheus_client import CollectorRegistry, Counter

from shisanzhi.rpc.observability.tally import Tallies


def test_a_counter_is_told_what_was_counted_since() -> None:
    registry = CollectorRegistry()
    counter = Counter("calls", "Calls.", ("method",), registry=registry)
    tallies = Tallies()
    # Two tallies may count for one series, as the two ports do for health.
    first, second = tallies.of(counter.labels("a")), tallies.of(counter.labels("a"))

    def told() -> float | None:
        return registry.get_sample_value("calls_total", {"method": "a"})

    first.inc()
    second.inc(2)
    assert told() == 0
    tallies.settle()
    assert told() == 3
    tallies.settle()
    assert told() == 3
    first.inc()
    tallies.settle()
    assert told() == 4
