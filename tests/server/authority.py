"""Certificates for tests, made by openssl."""

import subprocess
from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    """Files with a certificate and its key, PEM."""

    certificate: Path
    key: Path


class Authority:
    """A certificate authority of a test's own, in a folder."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        self._folder = folder
        self._name = name
        self.certificate, self._key = folder / f"{name}.pem", folder / f"{name}.key"
        _openssl(
            *("req", "-x509", "-nodes", "-days", "2", "-subj", f"/CN={name}", *_EC),
            *("-keyout", self._key, "-out", self.certificate),
        )

    def issue(self, file: str, san: str) -> Pair:
        """Sign a certificate for subject alternative names such as ``DNS:a,IP:127.0.0.1``."""
        pair = Pair(self._folder / f"{file}.pem", self._folder / f"{file}.key")
        request = self._folder / f"{file}.csr"
        _openssl(
            *("req", "-nodes", "-subj", f"/CN={file}", *_EC, "-addext", f"subjectAltName={san}"),
            *("-keyout", pair.key, "-out", request),
        )
        _openssl(
            *("x509", "-req", "-days", "2", "-copy_extensions", "copy", "-in", request),
            *("-CA", self.certificate, "-CAkey", self._key, "-CAcreateserial"),
            *("-out", pair.certificate),
        )
        return pair


_EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)  # noqa: S607 - as installed
