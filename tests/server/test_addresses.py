"""Which addresses a host means, on machines of other kinds: in network namespaces of their own."""

import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from shisanzhi.rpc.server import addresses
from tests.servers import COMMAND, Process, serving

NAMESPACES = ("unshare", "--user", "--map-root-user", "--net", "--mount")
NO_IPV6 = "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6"
LOOPBACK = "ip link set lo up"
LINK_LOCAL = "ip addr add fe80::1/64 dev lo nodad"
BOTH = "127.0.0.1 localhost\n::1 localhost\n"


def machine(*made_by: str) -> Sequence[str | Path]:
    """Give what runs a command on a machine that some shell commands make out of this one."""
    prefix = (*NAMESPACES, "sh", "-ec", " && ".join((*made_by, 'exec "$@"')), "sh")
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine gives no network namespace of one's own")
    return prefix


def health(process: Process, target: str) -> str:
    """Ask for the health of a target from within the server's network."""
    inside = ("nsenter", "--user", "--net", "--preserve-credentials", f"--target={process.pid}")
    asked = [*inside, str(COMMAND), "health", "--target", target]
    ended = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False)
    return ended.stdout.strip() or ended.stderr


@pytest.fixture
def hosts(tmp_path: Path) -> str:
    """Give the shell command that has ``localhost`` mean both loopback addresses."""
    file = tmp_path / "hosts"
    file.write_text(BOTH)
    return f"mount --bind {file} /etc/hosts"


def test_a_name_is_served_without_the_family_that_the_machine_lacks(hosts: str) -> None:
    command = (*machine(NO_IPV6, LOOPBACK, hosts), COMMAND)
    flags = ("--management-host", "localhost")
    with serving("--host", "localhost", *flags, command=command) as process:
        assert [line.partition(":")[0] for line in process.stdout] == [
            "management on 127.0.0.1",
            "serving on 127.0.0.1",
        ]
        assert health(process, process.address) == "SERVING"


def test_a_name_is_served_on_both_families_where_there_are_both(hosts: str) -> None:
    command = (*machine(LOOPBACK, hosts), COMMAND)
    with serving("--host", "localhost", command=command) as process:
        port = process.address.rpartition(":")[2]
        assert {health(process, f"{host}:{port}") for host in ("[::1]", "127.0.0.1")} == {"SERVING"}


def test_an_address_of_a_family_that_the_machine_lacks_is_an_error() -> None:
    command = [*machine(NO_IPV6, LOOPBACK), COMMAND, "serve", "--host", "::1", "--port", "0"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert ended.returncode == 3
    assert "expected to listen on [::1]:0: Cannot assign requested address" in ended.stderr


def test_a_link_local_address_is_served_on_in_its_zone() -> None:
    command = (*machine(LOOPBACK, LINK_LOCAL), COMMAND)
    flags = ("--host", "fe80::1%lo", "--management-host", "fe80::1%lo")
    with serving(*flags, command=command) as process:
        assert process.address.startswith("[fe80::1%lo]:")
        assert (process.management or "").startswith("[fe80::1%lo]:")
        assert health(process, process.address) == "SERVING"


def test_an_address_keeps_its_zone() -> None:
    _, interface = socket.if_nameindex()[0]
    assert addresses.resolve(f"fe80::1%{interface}") == (f"fe80::1%{interface}",)


def test_a_name_with_an_address_of_another_machine_means_that_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0))
        for address in ("127.0.0.1", "192.0.2.1", "127.0.0.1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert addresses.resolve("two.example") == ("127.0.0.1", "192.0.2.1")
