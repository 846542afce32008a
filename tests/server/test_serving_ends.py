"""When serving ends by itself nobody is left waiting: probes say so, and the process ends."""

import http.client
import json
import time
from collections.abc import Callable
from contextlib import suppress

import grpc
import pytest

from tests.server.calls import OK, ask, get
from tests.servers import FAULTY, Process, serving

LIST_HEALTH = "/grpc.health.v1.Health/List"


def end_on_the_service(process: Process) -> None:
    ask(process, LIST_HEALTH, b"", timeout=0.2)


def end_on_the_management_port(process: Process) -> None:
    with grpc.insecure_channel(process.management or "") as channel:
        ask(channel, LIST_HEALTH, b"", timeout=0.2)


@pytest.mark.parametrize("end", [end_on_the_service, end_on_the_management_port])
def test_the_process_ends_with_a_code_and_a_line(end: Callable[[Process], None]) -> None:
    with serving(command=FAULTY) as process:
        assert ask(process, "Validate").code is OK
        begun = time.monotonic()
        end(process)
        alive = True
        while alive and time.monotonic() - begun < 5:
            alive = False
            with suppress(OSError, http.client.HTTPException):
                alive = get(process, "/livez")[0] == 200
        assert time.monotonic() - begun < 1.5
        assert process.wait(10) == 3
        lines = [json.loads(line) for line in process.log if line.startswith("{")]
        assert any(
            line["event"] == "serving ended by itself"
            and line["error"] == "OSError"
            and line["frames"]
            for line in lines
        )
        assert "secret" not in process.text
