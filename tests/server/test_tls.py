"""TLS: refusals to start, refusals of clients, and files that change while the server runs."""

import json
import os
import ssl
import subprocess
from pathlib import Path

import grpc
import pytest

from tests.server.authority import Authority, Pair
from tests.server.calls import OK, Outcome, ask, get, series, total
from tests.server.test_certificate import self_signed
from tests.server.test_starting import refused
from tests.servers import COMMAND, Process, serving, wait_for

SERVER_NAMES = "DNS:localhost,IP:127.0.0.1"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def pair(authority: Authority) -> Pair:
    return authority.issue("server", SERVER_NAMES)


def flags(pair: Pair, *others: str | Path) -> tuple[str, ...]:
    return (
        *("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key)),
        *("--tls-reload-interval", "0.2", *map(str, others)),
    )


def ask_tls(
    process: Process,
    authority: Authority,
    client: Pair | None = None,
    method: str = "Evaluate",
    request: bytes | None = None,
) -> Outcome:
    credentials = grpc.ssl_channel_credentials(
        authority.certificate.read_bytes(),
        client.key.read_bytes() if client else None,
        client.certificate.read_bytes() if client else None,
    )
    with grpc.secure_channel(process.address, credentials) as channel:
        return ask(channel, method, request, timeout=10)


def served_certificate(process: Process) -> str:
    host, _, port = process.address.rpartition(":")
    return ssl.get_server_certificate((host, int(port)), timeout=10).strip()


def failed_handshakes(process: Process, cause: str) -> float:
    return total(series(process), "shisanzhi_tls_handshakes_failed_total", cause=cause)


def test_serves_tls_and_never_plaintext(authority: Authority, pair: Pair) -> None:
    with serving(*flags(pair)) as process:
        assert ask_tls(process, authority).code is OK
        assert ask(process, "Evaluate", timeout=3).code is grpc.StatusCode.UNAVAILABLE
        assert get(process, "/healthz") == (200, "serving\n")
        plain = subprocess.run(
            [COMMAND, "health", "--target", process.management or ""], check=False
        )
        assert plain.returncode == 0
        probe = ("--target", process.address, "--tls-ca", authority.certificate)
        assert subprocess.run([COMMAND, "health", *probe], check=False).returncode == 0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["--tls-certificate", "CERTIFICATE"], "--tls-certificate and --tls-key together"),
        (["--tls-key", "KEY"], "--tls-certificate and --tls-key together"),
        (["--tls-certificate", "CERTIFICATE", "--tls-key", "KEY"], "--tls-ca with them"),
        (["--tls-certificate", "", "--tls-key", ""], "--tls-ca with them"),
        (["--tls-ca", ""], "expected a file that can be read, got ''"),
        (["--tls-ca", "CERTIFICATE", "--tls-certificate", "", "--tls-key", "KEY"], "got ''"),
    ],
)
def test_a_probe_never_falls_back_to_plaintext(
    server: Process, pair: Pair, given: list[str], expected: str
) -> None:
    """The server here speaks plaintext, so a probe that did would say SERVING."""
    files = {"CERTIFICATE": str(pair.certificate), "KEY": str(pair.key)}
    given = [files.get(word, word) for word in given]
    probe = subprocess.run(
        [COMMAND, "health", "--target", server.address, *given],
        capture_output=True,
        text=True,
        check=False,
    )
    assert probe.returncode == 2
    assert expected in probe.stderr
    assert not probe.stdout


def test_refuses_to_start_on_half_set_missing_unreadable_or_mismatched_files(
    authority: Authority, pair: Pair, tmp_path: Path
) -> None:
    other = authority.issue("other", SERVER_NAMES)
    empty, folder = tmp_path / "empty.pem", tmp_path / "folder"
    empty.touch()
    folder.mkdir()
    certificate, key = str(pair.certificate), str(pair.key)
    unknown = self_signed(tmp_path, key=("-newkey", "ed25519"))
    for given in (
        ("--tls-certificate", str(unknown), "--tls-key", str(tmp_path / "key")),
        ("--tls-certificate", certificate),
        ("--tls-key", key),
        ("--tls-client-ca", certificate),
        ("--tls-client-names", "platform"),
        ("--tls-certificate", certificate, "--tls-key", key, "--tls-client-names", "platform"),
        ("--tls-certificate", str(tmp_path / "missing"), "--tls-key", key),
        ("--tls-certificate", certificate, "--tls-key", str(tmp_path / "missing")),
        ("--tls-certificate", certificate, "--tls-key", str(folder)),
        ("--tls-certificate", str(empty), "--tls-key", key),
        ("--tls-certificate", certificate, "--tls-key", str(empty)),
        ("--tls-certificate", certificate, "--tls-key", certificate),
        ("--tls-certificate", certificate, "--tls-key", str(other.key)),
        (*flags(pair), "--tls-client-ca", str(empty)),
        (*flags(pair), "--tls-client-ca", str(tmp_path / "missing")),
    ):
        assert "expected" in refused("--port", "0", *given), given


def test_a_client_needs_a_certificate_of_the_ca(
    authority: Authority, pair: Pair, tmp_path: Path
) -> None:
    good = authority.issue("client", "DNS:platform")
    stranger = Authority(tmp_path, "strangers").issue("stranger", "DNS:platform")
    with serving(*flags(pair, "--tls-client-ca", authority.certificate)) as process:
        assert ask_tls(process, authority, good).code is OK
        for client, cause in ((None, "no_certificate"), (stranger, "bad_certificate")):
            assert not failed_handshakes(process, cause)
            outcome = ask_tls(process, authority, client)
            assert outcome.code is grpc.StatusCode.UNAVAILABLE
            wait_for(lambda cause=cause: failed_handshakes(process, cause) >= 1)  # type: ignore[misc]
        assert all(json.loads(line) for line in process.log)


def test_a_client_needs_an_allowed_name(authority: Authority, pair: Pair) -> None:
    mtls = ("--tls-client-ca", authority.certificate)
    with serving(*flags(pair, *mtls, "--tls-client-names", "platform,spiffe://tw/bot")) as process:
        for name in ("DNS:platform", "URI:spiffe://tw/bot", "DNS:other,DNS:platform"):
            assert ask_tls(process, authority, authority.issue("good", name)).code is OK
        bad = authority.issue("bad", "DNS:platform.example,DNS:other")
        outcome = ask_tls(process, authority, bad)
        assert outcome.code is grpc.StatusCode.PERMISSION_DENIED
        health = ask_tls(process, authority, bad, "/grpc.health.v1.Health/Check", b"")
        assert health.code is OK
        assert total(series(process), "shisanzhi_rejected_calls_total", reason="client_name") == 1


@pytest.mark.parametrize("way", ["replaced", "switched"])
def test_changed_files_are_picked_up(authority: Authority, tmp_path: Path, way: str) -> None:
    old, new = (authority.issue(name, SERVER_NAMES) for name in ("old", "new"))
    live = Pair(tmp_path / "live" / "tls.crt", tmp_path / "live" / "tls.key")
    version = iter(range(9))

    def put(pair: Pair) -> None:
        """Put files in place one by one, or as Kubernetes does: by switching a symbolic link."""
        folder = live.key.parent if way == "replaced" else tmp_path / f"version{next(version)}"
        folder.mkdir(exist_ok=True)
        (folder / "tls.crt").write_bytes(pair.certificate.read_bytes())
        (folder / "tls.key").write_bytes(pair.key.read_bytes())
        if way == "switched":
            (tmp_path / "next").symlink_to(folder)
            os.replace(tmp_path / "next", live.key.parent)  # noqa: PTH105 - of the link itself

    put(old)
    with serving(*flags(live)) as process:
        assert served_certificate(process) in old.certificate.read_text()
        put(new)
        wait_for(lambda: served_certificate(process) in new.certificate.read_text())
        assert total(series(process), "shisanzhi_tls_reloads_total", result="done") == 1
        put(Pair(old.certificate, new.key))
        wait_for(
            lambda: total(series(process), "shisanzhi_tls_reloads_total", result="failed") >= 1
        )
        assert "keeping the last good ones" in process.text
        assert served_certificate(process) in new.certificate.read_text()
        assert ask_tls(process, authority).code is OK
        put(old)
        wait_for(lambda: served_certificate(process) in old.certificate.read_text())
