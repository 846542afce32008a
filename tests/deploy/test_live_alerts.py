"""A real Prometheus with the shipped rules watches two servers: the right alerts fire alone."""

import copy
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from deploy.gateway.local import gateway
from deploy.prometheus import rules
from tests import questions
from tests.deploy.monitoring import dashboard_queries, firing, prometheus, samples
from tests.server.calls import ask
from tests.servers import FAULTY, Process, serving, stop, wait_for

pytestmark = pytest.mark.real


def quick() -> dict[str, Any]:
    """Give the shipped rules, but things must last two seconds in place of minutes."""
    hurried = copy.deepcopy(rules())
    for group in hurried["groups"]:
        for rule in group["rules"]:
            if "for" in rule:
                rule["for"] = "2s"
    return hurried


@contextmanager
def played(*addresses: str) -> Iterator[None]:
    """Ask every method, at one address after the other, over and over for the length of a block."""
    over = threading.Event()

    def play() -> None:
        channels = [grpc.insecure_channel(address) for address in addresses]
        while not over.is_set():
            for channel in channels:
                for method in questions.METHODS:
                    ask(channel, method)
                ask(channel, "Score", questions.foul())
        for channel in channels:
            channel.close()

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def management(*servers: Process) -> list[str]:
    return [str(server.management) for server in servers]


SLOW = {"ShisanzhiSlow", "ShisanzhiSlowForLong"}
"""They may be right on a busy machine, whatever is tested; promtool tests them by themselves."""


def test_nothing_fires_while_all_is_well(tmp_path: Path) -> None:
    with (
        serving() as first,
        serving() as second,
        gateway([first.address, second.address], tmp_path) as running,
        played(running.platform),
        prometheus(tmp_path, management(first, second), [running.metrics], quick()) as port,
    ):
        wait_for(lambda: bool(samples(port, "shisanzhi:errors:ratio5m")), 20)
        time.sleep(6)
        assert firing(port) - SLOW == set()


def test_calls_that_fail_and_are_slow_raise_the_two_alerts_on_them(tmp_path: Path) -> None:
    with (
        serving() as first,
        serving(command=FAULTY) as second,  # Evaluate fails, Arrange takes half a second
        played(first.address, second.address),
        prometheus(tmp_path, management(first, second), (), quick()) as port,
    ):
        expected = {"ShisanzhiFailing", "ShisanzhiFailingSlowly"}
        wait_for(lambda: expected <= firing(port), 40)
        time.sleep(3)
        # A twentieth of the calls is slow: not enough for the other two.
        assert firing(port) - SLOW == expected


def test_a_server_that_is_gone_raises_the_alert_on_it_alone(tmp_path: Path) -> None:
    with (
        serving() as first,
        serving() as second,
        played(first.address),
        prometheus(tmp_path, management(first, second), (), quick()) as port,
    ):
        wait_for(lambda: len(samples(port, 'up{job="shisanzhi"} == 1')) == 2, 20)
        stop(second)
        wait_for(lambda: "ShisanzhiReplicaDown" in firing(port), 40)
        time.sleep(3)
        assert firing(port) - SLOW == {"ShisanzhiReplicaDown"}


def test_every_query_of_the_dashboard_finds_something(tmp_path: Path) -> None:
    with (
        serving() as first,
        serving() as second,
        gateway([first.address, second.address], tmp_path) as running,
        played(running.platform),
        prometheus(tmp_path, management(first, second), [running.metrics]) as port,
    ):
        queries = dashboard_queries("10s")
        assert len(queries) > 25
        alerts = queries.pop()
        assert "ALERTS" in alerts
        assert samples(port, alerts) == []
        silent = queries

        def all_found() -> bool:
            silent[:] = [query for query in silent if not samples(port, query)]
            return not silent

        with suppress(AssertionError):
            wait_for(all_found, 30)
        assert silent == []
