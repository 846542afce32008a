"""Which addresses are served on, and what is said of one that cannot be."""

import socket
from typing import Any

import pytest

from shisanzhi.rpc.server import addresses
from shisanzhi.rpc.server.addresses import BindError


class Grpc:
    """Stands in for grpc, which binds what it is given and chooses a port for 0."""

    def __init__(self, port: int = 0) -> None:
        self.asked: list[str] = []
        self._port = port

    def add_port(self, address: str) -> int:
        self.asked.append(address)
        if not self._port:
            raise RuntimeError("no more descriptors")
        return self._port


def resolve_to(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    monkeypatch.setattr(addresses, "resolve", lambda _: found)


def test_every_address_of_a_name_is_bound_and_all_to_one_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolve_to(monkeypatch, "127.0.0.1", "127.0.0.2")
    with socket.create_server(("127.0.0.3", 0)) as free:
        port = free.getsockname()[1]
    grpc = Grpc(port)
    bound = addresses.bind("two.example", 0, grpc.add_port)
    assert grpc.asked == ["127.0.0.1:0", f"127.0.0.2:{port}"]
    assert bound == (f"127.0.0.1:{port}", f"127.0.0.2:{port}")


def test_what_grpc_says_where_it_cannot_bind_is_handed_on() -> None:
    with pytest.raises(BindError) as raised:
        addresses.bind("127.0.0.1", 0, Grpc().add_port)
    assert str(raised.value) == "expected to listen on 127.0.0.1:0: no more descriptors"


def test_grpc_is_not_asked_for_what_cannot_be_had() -> None:
    grpc = Grpc(1)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(BindError):
        addresses.bind("127.0.0.1", taken.getsockname()[1], grpc.add_port)
    assert grpc.asked == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_port_in_use_is_said_so(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BindError) as raised:
            addresses.probe(host, port)
    where = addresses.join(host, port)
    assert str(raised.value) == f"expected to listen on {where}: Address already in use"
    addresses.probe(host, port)


def test_a_port_on_which_a_connection_lingers_is_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        with socket.create_connection(address) as client:
            listener.accept()[0].close()
            assert client.recv(1) == b""
    addresses.probe(*address)


def test_a_host_that_does_not_resolve_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BindError, match=r"expected a host that resolves, got 'x\.\.y'"):
        addresses.resolve("x..y")

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(BindError, match="expected a host that resolves, got 'x'"):
        addresses.resolve("x")


def names(monkeypatch: pytest.MonkeyPatch, *found: tuple[Any, str]) -> None:
    """Have a name mean some addresses; those that are numeric already mean themselves."""
    ask = socket.getaddrinfo

    def answer(host: str, *rest: Any, **named: Any) -> Any:
        if host != "a.name":
            return ask(host, *rest, **named)
        return [(family, named["type"], 6, "", (address, 0)) for family, address in found]

    monkeypatch.setattr(socket, "getaddrinfo", answer)


def test_a_family_that_the_machine_lacks_is_left_out_unless_there_is_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    v4, v6 = (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")
    names(monkeypatch, v6, v4, v4)
    assert addresses.resolve("a.name") == ("::1", "127.0.0.1")
    lacking: list[str] = ["::1"]
    can_listen = addresses._can_listen
    monkeypatch.setattr(
        addresses, "_can_listen", lambda address: address not in lacking and can_listen(address)
    )
    assert addresses.resolve("a.name") == ("127.0.0.1",)
    names(monkeypatch, v6)
    assert addresses.resolve("a.name") == ("::1",)
    lacking[:] = ["127.0.0.1"]
    names(monkeypatch, (socket.AF_INET6, "2001:db8::1"), (socket.AF_INET, "192.0.2.1"))
    assert addresses.resolve("a.name") == ("2001:db8::1",)
    lacking[:] = ["::1"]
    assert addresses.resolve("a.name") == ("192.0.2.1",)


def test_whether_an_address_can_be_had_is_tried_on_any_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[tuple[str, int]] = []
    monkeypatch.setattr(addresses, "_listen", lambda *where: tried.append(where))
    assert addresses._can_listen("127.0.0.1")
    assert tried == [("127.0.0.1", 0)]
