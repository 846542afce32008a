"""Two servers and a gateway before them, for the tests of one file that do them no harm."""

from collections.abc import Iterator

import pytest

from deploy.gateway.local import Running, gateway
from tests.servers import Process, serving


@pytest.fixture(scope="module")
def servers() -> Iterator[list[Process]]:
    with serving() as first, serving() as second:
        yield [first, second]


@pytest.fixture(scope="module")
def before(servers: list[Process], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("gateway")
    with gateway([each.address for each in servers], folder) as running:
        yield running
