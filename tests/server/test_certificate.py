"""What a certificate says of itself is read as OpenSSL reads it."""

import base64
import ssl
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from shisanzhi.rpc.server.certificate import expiry, has_known_key
from tests.server.authority import Authority
from tests.server.calls import series, total
from tests.servers import serving

openssl: Any = ssl


def told(path: Path) -> float:
    """Ask what Python's own tests ask, which is not public."""
    return float(ssl.cert_time_to_seconds(openssl._ssl._test_decode_cert(str(path))["notAfter"]))


P256 = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def self_signed(folder: Path, *options: str, key: Sequence[str] = P256) -> Path:
    path = folder / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-nodes",
        "-subj",
        "/CN=x",
        "-keyout",
        str(folder / "key"),
    ]
    subprocess.run([*command, *key, *options, "-out", str(path)], check=True, capture_output=True)
    return path


@pytest.mark.parametrize("days", ["1", "3650", "36500", "1000000"])
def test_the_end_is_what_openssl_says_in_either_form_of_time(tmp_path: Path, days: str) -> None:
    path = self_signed(tmp_path, "-days", days)
    assert expiry(path.read_bytes()) == told(path)


def test_of_a_chain_it_is_the_first_whatever_stands_before_it(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    leaf = authority.issue("leaf", "DNS:localhost").certificate
    first = self_signed(tmp_path, "-days", "7")
    assert told(first) != told(leaf)
    chain = b"subject=CN = x\n" + first.read_bytes() + leaf.read_bytes()
    assert expiry(chain) == told(first)


def test_what_is_no_certificate_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a certificate"):
        expiry(b"-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n")


@pytest.mark.parametrize(
    ("key", "known"),
    [
        (("rsa:2048",), True),
        (("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"), True),
        (("ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"), True),
        (("ec", "-pkeyopt", "ec_paramgen_curve:secp521r1"), False),
        (("ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"), False),
        (("ed25519",), False),
    ],
)
def test_a_key_is_known_if_clients_of_grpc_can_check_it(
    tmp_path: Path, key: Sequence[str], *, known: bool
) -> None:
    path = self_signed(tmp_path, key=("-newkey", *key))
    assert has_known_key(path.read_bytes()) is known


def der(tag: int, content: bytes) -> bytes:
    return bytes([tag, len(content)]) + content


@pytest.mark.parametrize(
    ("tag", "end", "expected"),
    [
        (0x17, b"491231235959Z", "2049-12-31 23:59:59"),
        (0x17, b"500101000000Z", "1950-01-01 00:00:00"),
        (0x17, b"700101000001Z", "1970-01-01 00:00:01"),
        (0x18, b"20500101000000Z", "2050-01-01 00:00:00"),
    ],
)
def test_two_digits_are_a_year_of_1950_to_2049(tag: int, end: bytes, expected: str) -> None:
    validity = der(0x30, der(0x17, b"490101000000Z") + der(tag, end))
    fields = (der(0xA0, b"\2"), der(2, b"\1"), der(0x30, b""), der(0x30, b""), validity)
    certificate = der(0x30, der(0x30, b"".join(fields)))
    text = base64.b64encode(certificate)
    pem = b"-----BEGIN CERTIFICATE-----\n" + text + b"\n-----END CERTIFICATE-----\n"
    assert str(datetime.fromtimestamp(expiry(pem), UTC)) == f"{expected}+00:00"


def test_the_metric_tells_it(tmp_path: Path) -> None:
    pair = Authority(tmp_path).issue("server", "DNS:localhost,IP:127.0.0.1")
    flags = ("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key))
    with serving(*flags) as process:
        name = "shisanzhi_tls_certificate_expiry_seconds"
        assert total(series(process), name) == told(pair.certificate)
