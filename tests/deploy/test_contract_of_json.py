"""schemathesis asks the real gateway what openapi.json allows, and holds the answers against it."""

import subprocess
import sys
from pathlib import Path

import pytest

from deploy.gateway.gateway import OPENAPI
from deploy.gateway.local import Running

pytestmark = pytest.mark.real

EXAMPLES = 40
"""Requests to each method, beside the example that the description gives."""


def schemathesis(address: str, examples: int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [
            *(Path(sys.executable).with_name("schemathesis"), "run", OPENAPI),
            *("--url", f"http://{address}", "--max-examples", str(examples), "--workers", "2"),
            *("--phases", "examples,fuzzing", "--generation-database", "none"),
            # JSON of proto3 is lenient: a number for an enum, a text for a number, null.
            *("--mode", "positive", "--no-color", "--seed", "13"),
            *("--checks", "not_a_server_error,status_code_conformance,content_type_conformance"),
            *("--checks", "response_schema_conformance"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_gateway_answers_as_described(before: Running) -> None:
    done = schemathesis(before.platform, EXAMPLES)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
