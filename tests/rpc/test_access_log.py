"""The access log: one line for each call that is logged, the same whichever way it is written."""

import json
import re
from typing import Any

import grpc
import pytest
import structlog
from structlog.testing import capture_logs

from shisanzhi.rpc.observability.access_log import AccessLog, Line

Code = grpc.StatusCode
LINE = Line("/service/Method", Code.OK, 0.0123456, 1.25, "ipv4:127.0.0.1:9", "an id")
TRACED = LINE._replace(traceparent="00-1-2-01")
FIELDS = {
    "method": "/service/Method",
    "code": "OK",
    "ms": 12.346,
    "peer": "ipv4:127.0.0.1:9",
    "request_id": "an id",
}


class Text:
    """Stands in for an output."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)


def logging_to(text: Any) -> AccessLog:
    return AccessLog(1, text)


def test_a_line_says_only_what_there_is_to_say() -> None:
    assert LINE.fields() == FIELDS
    told = TRACED._replace(code=Code.INTERNAL, reason="INTERNAL").fields()
    assert told == FIELDS | {
        "code": "INTERNAL",
        "reason": "INTERNAL",
        "traceparent": "00-1-2-01",
    }


@pytest.mark.parametrize("line", [LINE, TRACED], ids=["", "traced"])
def test_a_line_put_together_by_hand_reads_as_structlog_writes_it(line: Line) -> None:
    text = Text()
    log = logging_to(text)
    log.write(line)
    log.flush()
    rest = {"event": "call", "level": "info", "timestamp": "1970-01-01T00:00:01.250000Z"}
    rendered = structlog.processors.JSONRenderer()(None, "", line.fields() | rest)
    assert text.written == [str(rendered) + "\n"]


def test_calls_that_went_well_wait_and_come_before_a_failure() -> None:
    text = Text()
    log = logging_to(text)
    log.flush()
    for request_id in "ab":
        log.write(LINE._replace(request_id=request_id))
    assert text.written == []
    with capture_logs() as logged:
        log.write(LINE._replace(code=Code.NOT_FOUND))
    assert [json.loads(line)["request_id"] for line in text.written[0].splitlines()] == ["a", "b"]
    assert logged == [FIELDS | {"code": "NOT_FOUND", "event": "call", "log_level": "info"}]
    log.flush()
    assert len(text.written) == 1


def test_without_an_output_of_json_all_goes_through_structlog() -> None:
    log = AccessLog(1)
    with capture_logs() as logged:
        log.write(LINE)
        log.flush()
    assert logged == [FIELDS | {"event": "call", "log_level": "info"}]


@pytest.mark.parametrize("code", Code)
def test_faults_of_ours_are_errors(code: grpc.StatusCode) -> None:
    with capture_logs() as logged:
        AccessLog(1).write(LINE._replace(code=code))
    is_ours = code in {Code.INTERNAL, Code.UNKNOWN}
    assert [line["log_level"] for line in logged] == ["error" if is_ours else "info"]


@pytest.mark.parametrize(
    ("every", "sampled"), [(0, [False] * 4), (1, [True] * 4), (2, [False, True, False, True])]
)
def test_one_of_so_many_ok_calls_is_logged_and_every_failure(
    every: int, sampled: list[bool]
) -> None:
    log = AccessLog(every)
    for expected in sampled:
        assert log.sample(Code.NOT_FOUND)
        assert log.sample(Code.OK) == expected


def test_of_an_error_the_log_says_where_it_was_and_nothing_of_its_text() -> None:
    with pytest.raises(ValueError, match="secret") as raised:
        int("secret")
    with capture_logs() as logged:
        AccessLog(1).unexpected(raised.value, "/service/Method", "an id")
    (line,) = logged
    (frame,) = line.pop("frames")
    name = "test_of_an_error_the_log_says_where_it_was_and_nothing_of_its_text"
    assert re.fullmatch(rf"{re.escape(__file__)}:\d+ {name}", frame)
    assert line == {
        "event": "unexpected error",
        "log_level": "error",
        "error": "ValueError",
        "method": "/service/Method",
        "request_id": "an id",
    }
