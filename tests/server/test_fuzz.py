"""Requests that nobody should send; ``make fuzz`` sends many more."""

from tests.server import fuzz
from tests.servers import serving


def test_no_request_gets_unknown_or_internal_or_makes_the_server_grow() -> None:
    with serving("--log-ok-every", "0") as process:
        findings = fuzz.run(process, 2000, seed=1)
        assert findings.bad == []
        assert len(findings.codes) > 3
        assert "unexpected error" not in process.text
