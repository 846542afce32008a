"""Health: what is said of each name, and what a watcher hears."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from grpc_health.v1 import health_pb2

from shisanzhi.rpc.limits.refusals import MalformedError, UnknownServiceError
from shisanzhi.rpc.server.health import Health
from tests.rpc.here import Here, run

Request = health_pb2.HealthCheckRequest
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
NAMES = ("", "a.Service", "liveness")


def told(health: Health) -> list[int]:
    """Give what is said of each name, which is the same whichever way one asks."""
    checked = [health.check(Request(service=name)).status for name in NAMES]
    listed: Any = health.list(Request())
    assert {name: each.status for name, each in listed.statuses.items()} == dict(
        zip(NAMES, checked, strict=True)
    )
    return checked


def test_what_is_ready_and_what_is_alive() -> None:
    health = Health(["a.Service"])
    assert (told(health), health.serving) == ([NOT_SERVING, NOT_SERVING, SERVING], False)
    health.set_serving()
    assert (told(health), health.serving) == ([SERVING] * 3, True)
    health.drain()
    assert (told(health), health.serving) == ([NOT_SERVING, NOT_SERVING, SERVING], False)
    health.fail()
    assert (told(health), health.alive) == ([NOT_SERVING] * 3, False)


def test_what_fails_is_neither_ready_nor_alive() -> None:
    health = Health(["a.Service"])
    health.set_serving()
    health.fail()
    assert told(health) == [NOT_SERVING] * 3


def test_all_names_are_listed_where_they_are_asked_for() -> None:
    async def test(here: Here) -> None:
        response = (await here.ask("/grpc.health.v1.Health/List", b"")).response
        listed: Any = here.server.health.list(Request())
        assert type(listed).FromString(response) == listed

    run(test)


def test_a_name_that_there_is_not_is_not_found() -> None:
    with pytest.raises(UnknownServiceError):
        Health(["a.Service"]).check(Request(service="another"))


async def requests(*names: str) -> AsyncIterator[health_pb2.HealthCheckRequest]:
    for name in names:
        yield Request(service=name)


@pytest.mark.parametrize(
    ("name", "heard"),
    [
        ("", [NOT_SERVING, SERVING, NOT_SERVING]),
        ("liveness", [SERVING]),
        ("another", [SERVICE_UNKNOWN]),
    ],
)
def test_a_watcher_hears_of_each_change_once_and_then_of_the_end(
    name: str, heard: list[int]
) -> None:
    async def watch() -> list[int]:
        health, statuses = Health([]), []

        async def listen() -> None:
            statuses.extend([each.status async for each in health.watch(requests(name))])

        listening = asyncio.ensure_future(listen())
        for change in (health.set_serving, health.set_serving, health.drain):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            change()
        begun = asyncio.get_running_loop().time()
        await asyncio.wait_for(listening, 5)
        assert asyncio.get_running_loop().time() - begun > 0.15, "some clients lose what is late"
        return statuses

    assert asyncio.run(watch()) == heard


def test_who_watches_nothing_is_told_so() -> None:
    async def watch() -> None:
        await anext(Health([]).watch(requests()))

    with pytest.raises(MalformedError):
        asyncio.run(watch())
