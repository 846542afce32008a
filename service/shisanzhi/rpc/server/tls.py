"""Server credentials from files, looked at again while the server runs.

A half-set, missing, unreadable or mismatched file refuses to start; there is no way to plaintext.
"""

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, Self, cast

import grpc
import structlog
from structlog.typing import FilteringBoundLogger

from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.server.certificate import expiry, has_known_key
from shisanzhi.settings import Settings

_log: FilteringBoundLogger = structlog.get_logger()


class TlsError(OSError):
    """Files that make no TLS server; the text says which and why."""


class Pair(NamedTuple):
    """What one handshake needs, PEM; ``client_ca`` is None where clients need no certificate."""

    certificate: bytes
    key: bytes
    client_ca: bytes | None

    @classmethod
    def read(cls, settings: Settings) -> Self:
        """Read and check the files; raises :class:`TlsError`."""
        certificate, key, client_ca = (
            settings.tls_certificate,
            settings.tls_key,
            settings.tls_client_ca,
        )
        if certificate is None or key is None:
            raise TlsError("expected both a certificate and a key")
        pair = cls(_read(certificate), _read(key), _read(client_ca) if client_ca else None)
        _check(certificate, key, client_ca)
        # Checked by path, since ssl takes nothing else; so make sure that it was these bytes.
        if pair != cls(_read(certificate), _read(key), _read(client_ca) if client_ca else None):
            raise TlsError(f"expected files that stand still while read, got a change: {key}")
        if not has_known_key(pair.certificate):
            raise TlsError(f"expected a key of RSA, P-256 or P-384, got another: {certificate}")
        return pair

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        return grpc.ssl_server_certificate_configuration(
            [(self.key, self.certificate)], self.client_ca
        )


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise TlsError(f"expected a readable file, got {path}: {error.strerror}") from error


def _check(certificate: str, key: str, client_ca: str | None) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # A key behind a passphrase would ask on the terminal; there is nobody.
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:
        raise TlsError(
            f"expected a certificate and its key, got {certificate} and {key}: {error}"
        ) from error
    if client_ca is not None:
        try:
            context.load_verify_locations(client_ca)
        except (OSError, ValueError) as error:
            raise TlsError(f"expected CA certificates, got {client_ca}: {error}") from error


class Certificates:
    """The last good pair, and the server credentials that always use it."""

    _STEADY: Final = None  # what grpc's fetcher gives where nothing has changed

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._pair = Pair.read(settings)
        self._complaint = ""
        metrics.certificate_expiry.set(expiry(self._pair.certificate))

    def credentials(self) -> grpc.ServerCredentials:
        """Give credentials that ask for the pair at each handshake."""
        first = self._pair
        used = first

        def fetch() -> grpc.ServerCertificateConfiguration | None:
            nonlocal used
            self._metrics.handshakes.inc()
            if used is self._pair:
                return self._STEADY
            used = self._pair
            return used.configuration()

        return grpc.dynamic_ssl_server_credentials(
            first.configuration(),
            cast("Callable[[], grpc.ServerCertificateConfiguration]", fetch),
            require_client_authentication=first.client_ca is not None,
        )

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(self._settings.tls_reload_interval)
            await asyncio.to_thread(self.reload)

    def reload(self) -> None:
        """Take the files if they are good and new; else keep the last good ones and say so."""
        try:
            pair = Pair.read(self._settings)
        except TlsError as error:
            if str(error) != self._complaint:
                self._complaint = str(error)
                self._metrics.tls_reloads["failed"].inc()
                _log.error("TLS files not taken, keeping the last good ones", error=str(error))
            return
        self._complaint = ""
        if pair != self._pair:
            self._pair = pair
            self._metrics.certificate_expiry.set(expiry(pair.certificate))
            self._metrics.tls_reloads["done"].inc()
            _log.info("TLS files reloaded")
