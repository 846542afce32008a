"""One real server for each module that asks for it."""

from collections.abc import Iterator

import pytest

from tests.rpc.wire import Wire
from tests.servers import serving


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    """A connection to a server process of the module's own."""
    with serving() as process, Wire(process.address) as connection:
        yield connection
