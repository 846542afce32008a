"""Who goes away before anything was asked is no client that asked badly."""

from collections import Counter

import grpc
import pytest

from tests import questions
from tests.server.calls import ask, series, total
from tests.server.raw_http2 import Connection
from tests.servers import Process, wait_for

CALLS = 400
AT_ONCE = 40


def ended(process: Process, method: str) -> Counter[str]:
    """Give how many calls of a method ended with which code, and how many were not begun."""
    scraped = series(process)
    handled, rejected = "grpc_server_handled_total", "shisanzhi_rejected_calls_total"
    codes = {
        code: int(total(scraped, handled, grpc_method=method, grpc_code=code))
        for code in ("Cancelled", "InvalidArgument")
    }
    return Counter({**codes, "unbegun": int(total(scraped, rejected, reason="connection_gone"))})


@pytest.mark.parametrize("method", ["Evaluate", "Arrange"])
def test_calls_that_are_cut_off_are_cancelled_however_busy_the_server_is(
    server: Process, method: str
) -> None:
    before = ended(server, method)
    for _ in range(CALLS // AT_ONCE):
        with Connection(server.address) as connection:
            for _ in range(AT_ONCE):
                connection.open(questions.path(method), {})
            connection.ping()
    wait_for(lambda: (ended(server, method) - before).total() == CALLS)
    assert (ended(server, method) - before)["InvalidArgument"] == 0


def test_calls_that_end_without_a_request_are_malformed(server: Process) -> None:
    before = ended(server, "Evaluate")
    with Connection(server.address) as connection:
        for _ in range(20):
            code = connection.raw_call(questions.path("Evaluate"), b"", {})
            assert code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
        wait_for(lambda: ended(server, "Evaluate") - before == {"InvalidArgument": 20})
        assert server.line('"reason": "MALFORMED_REQUEST"')
        assert ask(server, "Evaluate").code is grpc.StatusCode.OK
