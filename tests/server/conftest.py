"""A server for the tests of one file that do it no harm."""

from collections.abc import Iterator

import grpc
import pytest

from tests.servers import Process, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Process]:
    with serving() as process:
        yield process


@pytest.fixture(scope="module")
def channel(server: Process) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(server.address) as connected:
        yield connected
