"""A method's name may be any bytes: that call is answered, and every other one too."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests import questions
from tests.server.authority import Authority
from tests.server.calls import OK, ask
from tests.servers import Process, serving

PATHS = (
    b"/\xff",
    questions.path("Evaluate").encode() + b"\xff",
    b"/\xe9\x90",
    b"/\xed\xa0\x80",
    b"/grpc.health.v1.Health/Check\xff",
    "/é/鐵".encode(),
)
HEALTH = "/grpc.health.v1.Health/Check"


def refused(channel: Any, path: bytes) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as error:
        channel.unary_unary(path)(b"", timeout=10)
    return error.value.code()


def test_each_is_unknown_and_all_others_are_served(server: Process) -> None:
    with (
        grpc.insecure_channel(server.address) as hostile,
        grpc.insecure_channel(server.address) as other,
    ):
        for path in PATHS:
            assert refused(hostile, path) is grpc.StatusCode.UNIMPLEMENTED
            assert ask(other, "Evaluate").code is OK
            assert ask(hostile, "Evaluate").code is OK


def test_what_is_in_flight_meanwhile_is_not_lost(server: Process) -> None:
    with grpc.insecure_channel(server.address) as channel:
        hard: Any = channel.unary_unary(questions.path("Arrange"))
        calls = [hard.future(questions.raw("Arrange"), timeout=10) for _ in range(20)]
        for path in PATHS:
            refused(channel, path)
        assert all(call.result() for call in calls)


def test_the_management_port_survives_them_too(server: Process) -> None:
    with grpc.insecure_channel(server.management or "") as channel:
        for path in PATHS:
            assert refused(channel, path) is grpc.StatusCode.UNIMPLEMENTED
            assert ask(channel, HEALTH, b"").code is OK


@contextmanager
def over_tls(folder: Path) -> Iterator[Any]:
    authority = Authority(folder)
    pair = authority.issue("server", "DNS:localhost,IP:127.0.0.1")
    flags = ("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key))
    with serving(*flags) as process:
        credentials = grpc.ssl_channel_credentials(authority.certificate.read_bytes())
        with grpc.secure_channel(process.address, credentials) as channel:
            yield channel


def test_over_tls_as_well(tmp_path: Path) -> None:
    with over_tls(tmp_path) as channel:
        for path in PATHS:
            assert refused(channel, path) is grpc.StatusCode.UNIMPLEMENTED
            assert ask(channel, "Evaluate").code is OK
