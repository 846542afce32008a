"""A grpcio client that balances by the service config that we ship, over servers that restart."""

import pytest

from tests.server.test_stopping import restart_one_of_two

pytestmark = pytest.mark.real


def test_restarting_one_of_two_servers_ten_times_fails_no_call() -> None:
    assert restart_one_of_two(10) > 1000
