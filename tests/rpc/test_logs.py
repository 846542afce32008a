"""How lines are written: JSON or for people, and what libraries say without what they know."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from shisanzhi.rpc.observability import logs

FLOOD = "socket.accept() out of system resource\nsocket: %r"


class Text:
    """Stands in for an output, which is a terminal or not."""

    def __init__(self, *, terminal: bool = False) -> None:
        self.text = ""
        self._terminal = terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return self._terminal


@pytest.fixture(autouse=True)
def _logging_is_given_back() -> Iterator[None]:
    root, grpcs = logging.getLogger(), logging.getLogger("grpc._cython.cygrpc")
    before = root.handlers, root.level, grpcs.level
    yield
    root.handlers = before[0]
    root.setLevel(before[1])
    grpcs.setLevel(before[2])
    structlog.reset_defaults()


def written(text: Any, log_format: str = "json", level: str = "info") -> Any:
    """Configure, and give a logger that writes there."""
    logs.configure(log_format, level, text)
    return structlog.get_logger()


def test_a_line_of_json_has_its_level_and_time_and_escapes_nothing_printable() -> None:
    text = Text()
    written(text).info("鐵", key='a "quoted" \x1b[2J', number=7)
    assert "鐵" in text.text
    line = json.loads(text.text)
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "鐵", "key": 'a "quoted" \\x1b[2J', "number": 7, "level": "info"}


@pytest.mark.parametrize(
    ("log_format", "terminal", "is_json"),
    [
        ("json", True, True),
        ("console", True, False),
        ("console", False, False),
        ("auto", True, False),
        ("auto", False, True),
    ],
)
def test_json_is_what_is_asked_for_or_where_there_is_no_terminal(
    log_format: str, *, terminal: bool, is_json: bool
) -> None:
    text: Any = Text(terminal=terminal)
    assert logs.is_json(log_format, text) == is_json
    written(text, log_format).info("an event")
    assert text.text.startswith("{") == is_json
    assert ("\x1b[" in text.text) == (terminal and not is_json)
    assert "an event" in text.text


@pytest.mark.parametrize("level", logs.LEVELS)
def test_what_is_below_the_level_is_left_out(level: str) -> None:
    text = Text()
    logger = written(text, level=level)
    for each in logs.LEVELS:
        getattr(logger, each)("said")
    told = [json.loads(line)["level"] for line in text.text.splitlines()]
    assert told == list(logs.LEVELS)[list(logs.LEVELS).index(level) :]


def test_a_library_is_quoted_without_its_arguments() -> None:
    text = Text()
    logging.getLogger().setLevel(logging.DEBUG)
    written(text)
    logging.getLogger("a.library").error("of %s", "secret", exc_info=ValueError("secret"))
    logging.getLogger("a.library").info("nothing that matters")
    logging.getLogger("grpc._cython.cygrpc").error("a header that is no UTF-8")
    line = json.loads(text.text)
    del line["timestamp"]
    assert line == {
        "event": "of %s",
        "logger": "a.library",
        "error": "ValueError",
        "level": "error",
    }


def test_what_a_library_says_can_fail_to_be_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    written(Text())
    monkeypatch.setattr(structlog, "get_logger", lambda: None)
    logging.getLogger("a.library").error("to nobody")


def test_a_flood_is_told_of_once_a_second() -> None:
    handler = logs._Forward()
    with capture_logs() as logged:
        for created, said in ((100.0, 1), (100.9, 1), (101.0, 2), (101.5, 2)):
            record = logging.makeLogRecord({"msg": FLOOD, "created": created, "levelno": 40})
            handler.handle(record)
            assert len(logged) == said
        for _ in range(2):
            handler.handle(logging.makeLogRecord({"msg": "other", "created": 101.5, "levelno": 40}))
    assert len(logged) == 4


def test_a_flood_that_begins_with_the_epoch_is_told_of_too() -> None:
    record = logging.makeLogRecord({"msg": FLOOD, "created": 1.0})
    assert logs._Forward().filter(record)


def test_of_lost_lines_the_log_says_how_many() -> None:
    with capture_logs() as logged:
        logs.say_lost(2, 7)
    assert logged == [{"event": "log lines lost", "lines": 2, "total": 7, "log_level": "error"}]


def test_where_there_was_no_error_nothing_is_said_of_it() -> None:
    assert logs.whereabouts(None) == {"error": "NoneType", "frames": []}
