"""What a certificate says of itself, which Python's ssl tells only of those that it has verified.

Names and order of the fields are those of RFC 5280, 4.1.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

_PEM: Final = re.compile(
    rb"-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----(.*?)-----END ", re.DOTALL
)
_VERSION: Final = 0xA0
_UTC_TIME: Final = 0x17
_LONG: Final = 0x80
_RSA: Final = bytes.fromhex("06092a864886f70d010101")
_ON_CURVE: Final = bytes.fromhex("06072a8648ce3d0201")
_P256: Final = bytes.fromhex("06082a8648ce3d030107")
_P384: Final = bytes.fromhex("06052b81040022")
_KNOWN: Final = (_RSA, _ON_CURVE + _P256, _ON_CURVE + _P384)
"""Kinds of key that every client of grpc can check, as their object identifiers stand in DER."""


def expiry(pem: bytes) -> float:
    """Give the end of the first certificate of a file, in seconds since 1970.

    Raises ValueError for what is no certificate.
    """
    _, (tag, end) = _elements(_fields(pem)[3])
    text = end.decode("ascii")
    if tag == _UTC_TIME:  # two digits for the year, of 1950 to 2049
        text = ("19" if text >= "50" else "20") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC).timestamp()


def has_known_key(pem: bytes) -> bool:
    """Tell whether the key of the first certificate is RSA, or on P-256 or P-384.

    BoringSSL, which is in grpc and in Envoy, knows few others, and checks none of them by default.
    Raises ValueError for what is no certificate.
    """
    key = _fields(pem)[5]
    return next(_elements(key))[1].startswith(_KNOWN)


def _fields(pem: bytes) -> Sequence[bytes]:
    """Give serial number, signature, issuer, validity, subject, subject's key, and what follows."""
    found = _PEM.search(pem)
    if found is None:
        raise ValueError("expected a certificate, PEM")
    signed = next(_elements(base64.b64decode(found[1])))[1]
    body = next(_elements(signed))[1]
    return [content for tag, content in _elements(body) if tag != _VERSION]


def _elements(der: bytes) -> Iterator[tuple[int, bytes]]:
    r"""Give tag and content of one element after another, in DER.

    >>> list(_elements(b"\x02\x01\x07\x04\x02ab"))
    [(2, b'\x07'), (4, b'ab')]
    """
    place = 0
    while place < len(der):
        tag, length = der[place : place + 2]
        place += 2
        if length & _LONG:
            start, place = place, place + (length & ~_LONG)
            length = int.from_bytes(der[start:place])
        yield tag, der[place : place + length]
        place += length
