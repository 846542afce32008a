"""The connections that are open, and which have gone though grpc hands over their calls."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

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


def test_the_connections_of_a_port_are_counted(pairs: list[Pair]) -> None:
    address = f"host:{pairs[0][0].getsockname()[1]}"
    with socket.create_server(("127.0.0.1", 0)) as other:
        elsewhere = f"host:{other.getsockname()[1]}"
        with socket.create_connection(other.getsockname()):
            assert connections.count([elsewhere]) == 0, "nobody has taken it yet"
            with other.accept()[0]:
                assert connections.count([elsewhere]) == 1
                assert connections.count([address]) == 3
                assert connections.count([elsewhere, address]) == 4


REST = "00000000:00000000 00:00000000 00000000     0        8"
TABLE = f"""  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeo
   0: 0100007F:0050 0100007F:C000 01 {REST} 4711 1
   1: 00000000:0050 00000000:0000 0A {REST} 4712 1
   2: 0100007F:0050 0100007F:C001 01 {REST} 0 1
   3: 0100007F:0051 0100007F:0050 01 {REST} 4713 1
   4: 0100007F:0050 0100007F:C002 08 {REST} 4714 1
"""


def test_those_that_only_listen_or_are_nobodys_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "tcp"
    table.write_text(TABLE)
    monkeypatch.setattr(connections, "_TABLES", (tmp_path / "nowhere", table))
    assert connections.count(["127.0.0.1:80"]) == 2
    assert connections.count(["127.0.0.1:81"]) == 1


def test_a_connection_is_closed_and_no_other(pairs: list[Pair]) -> None:
    mine, yours = socket.socketpair()
    with mine, yours:
        connections.disconnect(pairs[1][1])
        ends = [end for end, _ in pairs]
        for each in (*ends, mine):
            each.setblocking(False)  # noqa: FBT003 - by place only
        assert ends[1].recv(1) == b""
        for each in (ends[0], ends[2], mine):
            with pytest.raises(BlockingIOError):
                each.recv(1)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv6:%5Bfe80::1%25eth0%5D:80", ("fe80::1", 80)),
        ("tcp:fe80::1%eth0:80", ("fe80::1", 80)),
        ("ipv6:%5B::ffff:192.0.2.1%5D:80", ("192.0.2.1", 80)),
    ],
)
def test_a_peer_is_known_by_either_of_its_names(peer: str, address: tuple[str, int]) -> None:
    assert connections._address(peer) == address


class System:
    """A system that has some connections, and takes its time to say which."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.0) -> None:
        self.now = 0.0
        self.there = [ONE, TWO]
        self.looks = 0
        self._seconds = seconds
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(connections, "_peers", self._look)

    def _look(self) -> set[tuple[str, int]]:
        self.looks += 1
        self.now += self._seconds
        return set(map(connections._address, self.there))


ONE, TWO, THREE, FOUR = (f"ipv4:127.0.0.1:{port}" for port in range(1, 5))


def test_what_is_known_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    system, peers = System(monkeypatch), Peers()
    assert not any(map(peers.has_gone, (ONE, TWO, ONE)))
    assert system.looks == 1


def test_who_has_gone_is_gone_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another may come from the same port, but not so soon."""
    system, peers = System(monkeypatch), Peers()
    assert not peers.has_gone(ONE)
    assert peers.has_gone(THREE) is True
    system.there.append(THREE)
    system.now = 0.1
    assert peers.has_gone(THREE) is True
    assert system.looks == 2
    system.now = 0.2
    assert peers.has_gone(THREE) is False


def test_who_has_gone_long_ago_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    system, peers = System(monkeypatch), Peers()
    assert not peers.has_gone(ONE)
    assert peers.has_gone(THREE)
    system.now = 0.2
    assert peers.has_gone(FOUR)
    assert list(peers._gone) == [FOUR]


def test_one_whose_call_ended_unanswered_is_looked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system, peers = System(monkeypatch), Peers()
    assert not any(map(peers.has_gone, (ONE, TWO)))
    system.there.remove(ONE)
    assert not peers.has_gone(ONE)
    peers.doubt(ONE)
    peers.doubt(THREE)
    assert peers.has_gone(ONE)


def test_looking_takes_no_more_than_a_fifth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    system, peers = System(monkeypatch, seconds=0.5), Peers()
    assert not peers.has_gone(ONE)
    for now, looks in ((0.5, 1), (2.4, 1), (2.5, 2)):
        system.now = now
        assert peers.has_gone(THREE) == (looks == 2)
        assert system.looks == looks
