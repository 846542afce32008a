"""When a certificate ends, which Python's ssl tells only of those that have been verified."""

import base64
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

_PEM: Final = re.compile(
    rb"-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----(.*?)-----END ", re.DOTALL
)
_VERSION: Final = 0xA0
_UTC_TIME: Final = 0x17
_LONG: Final = 0x80


def expiry(pem: bytes) -> float:
    """Give the end of the first certificate of a file, in seconds since 1970.

    It is the second time in the fourth field, versions aside (RFC 5280, 4.1). Raises ValueError for
    what is no certificate.
    """
    found = _PEM.search(pem)
    if found is None:
        raise ValueError("expected a certificate, PEM")
    signed = next(_elements(base64.b64decode(found[1])))[1]
    body = next(_elements(signed))[1]
    _serial, _algorithm, _issuer, validity, *_ = (
        content for tag, content in _elements(body) if tag != _VERSION
    )
    _, (tag, end) = _elements(validity)
    text = end.decode("ascii")
    if tag == _UTC_TIME:  # two digits for the year, of 1950 to 2049
        text = ("19" if text >= "50" else "20") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC).timestamp()


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
