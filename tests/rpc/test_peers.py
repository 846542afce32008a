"""Which peers' connections have gone, though grpc hands over their calls."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from shisanzhi.rpc.limits import connections
from shisanzhi.rpc.limits.connections import Peers
from tests.servers import wait_for

Pair = tuple[socket.socket, str]
"""The server's end of a connection, and its peer as grpc names it."""


@pytest.fixture(params=["127.0.0.1", "::1"])
def pairs(request: pytest.FixtureRequest) -> Iterator[list[Pair]]:
    """Give three connections to one address."""
    host = request.param
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server((host, 0), family=family))
        made = []
        for _ in range(3):
            stack.enter_context(socket.create_connection(listener.getsockname()[:2]))
            end, (_, port, *_) = listener.accept()
            stack.enter_context(end)
            made.append(
                (end, f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}")
            )
        yield made


def test_a_peer_has_gone_once_its_connection_is_closed(pairs: list[Pair]) -> None:
    (_, one), (_, two), (end, three) = pairs
    end.close()
    peers = Peers()
    assert not peers.has_gone(one)
    wait_for(lambda: peers.has_gone(three))
    assert not peers.has_gone(two)


def test_a_connection_known_and_then_closed_is_found_out_with_the_next(pairs: list[Pair]) -> None:
    (_, one), (end, two), _ = pairs
    peers = Peers()
    assert not any(map(peers.has_gone, (one, two)))
    end.close()
    wait_for(lambda: peers.has_gone("ipv4:192.0.2.1:443"))
    wait_for(lambda: peers.has_gone(two))
    assert not peers.has_gone(one)


def test_where_no_connection_is_found_by_its_name_none_has_gone(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_DESCRIPTORS", "/nowhere")
    peers = Peers()
    assert not any(peers.has_gone(name) for _, name in pairs)


def test_a_peer_without_a_name_had_gone_before_it_could_be_asked_for() -> None:
    assert Peers().has_gone("")


def test_those_that_have_gone_are_told_of_many(pairs: list[Pair]) -> None:
    (_, one), (end, two), (other_end, three) = pairs
    peers = Peers()
    assert not any(map(peers.has_gone, (one, two)))
    end.close()
    other_end.close()
    wait_for(lambda: list(peers.gone([one, two, three])) == [two, three])
    assert not peers.gone([one, two, three])  # it is too soon to look again
