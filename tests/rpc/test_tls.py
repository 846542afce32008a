"""The server's certificate and key, as files: which are taken, and what is said of others."""

import asyncio
import ssl
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from structlog.testing import capture_logs

from shisanzhi.config import load
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.server import tls
from shisanzhi.rpc.server.certificate import expiry
from shisanzhi.rpc.server.tls import Certificates, Pair, TlsError
from shisanzhi.settings import Settings
from tests.server import authority as authorities


class Files(NamedTuple):
    """A certificate and its key in files, and another such pair; an authority's certificate."""

    folder: Path
    certificate: Path
    key: Path
    other: authorities.Pair
    ca: Path

    def settings(self, **flags: object) -> Settings:
        texts = {"tls_certificate": self.certificate, "tls_key": self.key} | flags
        return load({key: str(value) for key, value in texts.items()}, {}).settings

    def put(self, pair: authorities.Pair) -> None:
        self.certificate.write_bytes(pair.certificate.read_bytes())
        self.key.write_bytes(pair.key.read_bytes())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("tls")
    authority = authorities.Authority(folder)
    mine, other = (authority.issue(name, "DNS:localhost") for name in ("mine", "other"))
    return Files(folder, mine.certificate, mine.key, other, authority.certificate)


@pytest.fixture
def files(made: Files, tmp_path: Path) -> Files:
    copied = made._replace(certificate=tmp_path / "a.pem", key=tmp_path / "a.key")
    copied.put(authorities.Pair(made.certificate, made.key))
    return copied


def test_what_is_read_is_what_is_there(files: Files) -> None:
    pair = Pair(files.certificate.read_bytes(), files.key.read_bytes(), None)
    assert Pair.read(files.settings()) == pair
    with_ca = Pair.read(files.settings(tls_client_ca=files.ca))
    assert with_ca == pair._replace(client_ca=files.ca.read_bytes())
    assert isinstance(with_ca.configuration(), grpc.ServerCertificateConfiguration)


def test_the_files_are_named_that_are_not_good(files: Files, tmp_path: Path) -> None:
    missing, empty = tmp_path / "missing", tmp_path / "empty"
    empty.touch()
    for wrong, text in (
        ({"tls_key": missing}, f"expected a readable file, got {missing}: No such file"),
        ({"tls_key": files.other.key}, f"got {files.certificate} and {files.other.key}: "),
        ({"tls_certificate": empty}, f"expected a certificate and its key, got {empty} and "),
        ({"tls_client_ca": empty}, f"expected CA certificates, got {empty}: "),
    ):
        with pytest.raises(TlsError) as raised:
            Pair.read(files.settings(**wrong))
        assert text in str(raised.value)


@pytest.mark.parametrize("unset", ["tls_certificate", "tls_key"])
def test_half_of_it_is_not_enough(files: Files, unset: str) -> None:
    given: dict[str, Any] = {"tls_certificate": "x", "tls_key": "x"} | {unset: None}
    with pytest.raises(TlsError, match="expected both a certificate and a key"):
        Pair.read(Settings(**given))
    assert files.key.exists()


def test_files_that_are_rotated_while_they_are_read_are_not_taken(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was checked would not be what was read."""
    check = tls._check

    def rotated_meanwhile(*paths: Any) -> None:
        files.put(files.other)
        check(*paths)

    first = files.certificate.read_bytes()
    assert Pair.read(files.settings()).certificate == first
    monkeypatch.setattr(tls, "_check", rotated_meanwhile)
    with pytest.raises(TlsError, match="expected files that stand still while read"):
        Pair.read(files.settings())
    assert Pair.read(files.settings()).certificate == files.other.certificate.read_bytes() != first


def test_the_first_files_that_are_not_good_are_told_of(files: Files) -> None:
    certificates = Certificates(files.settings(), Metrics())
    files.key.unlink()
    with capture_logs() as logged:
        certificates.reload()
    assert len(logged) == 1


def test_a_key_behind_a_passphrase_asks_nobody(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords: list[object] = []
    load_chain = ssl.SSLContext.load_cert_chain

    def loading(context: Any, certificate: Any, key: Any, password: Any = None) -> None:
        passwords.append(password)
        load_chain(context, certificate, key, password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", loading)
    Pair.read(files.settings())
    assert passwords == [""]


def test_files_that_change_are_taken_if_they_are_good(files: Files) -> None:
    metrics = Metrics()
    certificates = Certificates(files.settings(), metrics)
    first = files.certificate.read_bytes()

    def told(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(f"shisanzhi_tls_{name}", labels)

    assert told("certificate_expiry_seconds") == expiry(first)
    with capture_logs() as logged:
        certificates.reload()
        assert (logged, told("reloads_total", result="done")) == ([], 0)
        files.key.write_bytes(b"")
        for _ in range(2):
            certificates.reload()
        assert certificates._pair.certificate == first
        assert told("reloads_total", result="failed") == 1
        files.put(files.other)
        certificates.reload()
        assert certificates._pair.certificate == files.other.certificate.read_bytes()
        assert told("reloads_total", result="done") == 1
        files.key.write_bytes(b"")
        certificates.reload()
        assert told("reloads_total", result="failed") == 2
    not_taken = "TLS files not taken, keeping the last good ones"
    assert [(line["event"], line["log_level"]) for line in logged] == [
        *((not_taken, "error"), ("TLS files reloaded", "info"), (not_taken, "error"))
    ]
    assert logged[0]["error"].startswith("expected a certificate and its key")


def test_the_end_of_what_is_taken_is_told(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = Metrics()
    certificates = Certificates(files.settings(), metrics)
    monkeypatch.setattr(tls, "expiry", lambda _: 17.0)
    files.put(files.other)
    certificates.reload()
    told = metrics.registry.get_sample_value("shisanzhi_tls_certificate_expiry_seconds")
    assert told == 17


def test_a_handshake_uses_what_was_taken_last(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Grpc asks at each handshake, and is told only of a change."""
    given: list[Any] = []

    def credentials(first: object, fetch: object, **named: object) -> None:
        given.extend((first, fetch, named))

    monkeypatch.setattr(grpc, "dynamic_ssl_server_credentials", credentials)
    monkeypatch.setattr(Pair, "configuration", lambda pair: pair.key)
    metrics = Metrics()
    certificates = Certificates(files.settings(), metrics)
    certificates.credentials()
    first, fetch, named = given
    assert first == files.key.read_bytes()
    assert named == {"require_client_authentication": False}
    assert fetch() is None
    files.put(files.other)
    certificates.reload()
    assert fetch() == files.other.key.read_bytes()
    assert fetch() is None
    assert metrics.registry.get_sample_value("shisanzhi_tls_handshakes_total") == 3


def test_clients_show_a_certificate_where_there_is_an_authority_for_them(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    required: list[object] = []
    monkeypatch.setattr(
        grpc,
        "dynamic_ssl_server_credentials",
        lambda *_, require_client_authentication: required.append(require_client_authentication),
    )
    Certificates(files.settings(tls_client_ca=files.ca), Metrics()).credentials()
    assert required == [True]


def test_the_files_are_looked_at_again_and_again(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    sleep = asyncio.sleep

    async def sleeping(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", sleeping)

    async def watch() -> None:
        certificates = Certificates(files.settings(tls_reload_interval=7), Metrics())
        looks = asyncio.Semaphore(0)
        loop = asyncio.get_running_loop()
        certificates.reload = lambda: loop.call_soon_threadsafe(looks.release)  # type: ignore[method-assign, assignment]
        watching = asyncio.ensure_future(certificates.watch())
        for _ in range(2):
            await asyncio.wait_for(looks.acquire(), 5)
        watching.cancel()
        assert set(slept) == {7}

    asyncio.run(watch())
