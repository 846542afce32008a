"""What grpc's core and others write to stderr becomes lines of the log."""

import os
import select
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from typing import Any

import pytest
from structlog.testing import capture_logs

from shisanzhi.rpc.observability import core_log
from shisanzhi.rpc.observability.core_log import CoreLog
from tests.servers import wait_for

STDERR = 2
HEAD = "1201 15:00:00.000000    1234"
OF_CLIENT = f"E{HEAD} hpack_parser.cc:1048] Error parsing 'x' metadata"
OF_OURS = f"E{HEAD} posix_engine_listener.cc:90] no more descriptors"
HANDSHAKE = f"E{HEAD} ssl_transport_security.cc:1724] Handshake failed with error"


class Log:
    """Stands in for the output, and for whoever counts handshakes."""

    def __init__(self) -> None:
        self.lost = 0
        self.causes: list[str] = []

    def lose(self, count: int) -> None:
        self.lost += count

    def fileno(self) -> int:
        return self.end

    end = -1


@pytest.fixture
def log() -> Log:
    return Log()


def read(core: Any, *texts: str) -> None:
    """Have some texts read, each as it was written at a time."""
    core._reading = nullcontext()
    core._texts = lambda: iter(texts)
    core._read()


def told(log: Any, *texts: str) -> list[Any]:
    """Give what is logged of some texts."""
    with capture_logs() as logged:
        read(CoreLog(log, log.causes.append), *texts)
    return logged


def test_a_line_of_the_core_is_one_of_ours(log: Log) -> None:
    assert told(log, OF_OURS) == [
        {
            "event": "grpc core",
            "place": "posix_engine_listener.cc:90",
            "text": "no more descriptors",
            "log_level": "error",
        }
    ]
    assert log.causes == []


def test_a_line_of_another_is_a_warning(log: Log) -> None:
    assert told(log, "Fatal Python error: x\n") == [
        {"event": "stderr", "text": "Fatal Python error: x", "log_level": "warning"}
    ]


@pytest.mark.parametrize(
    ("letter", "level"), [("I", "info"), ("W", "warning"), ("E", "error"), ("F", "critical")]
)
def test_a_line_has_the_level_that_the_core_gives_it(log: Log, letter: str, level: str) -> None:
    (line,) = told(log, letter + OF_OURS[1:])
    assert line["log_level"] == level


@pytest.mark.parametrize(
    "place",
    [
        *("call.cc", "chttp2_transport.cc", "frame_settings.cc", "hpack_parser.cc"),
        *("message_compress.cc", "parsing.cc", "secure_endpoint.cc", "security_handshaker.cc"),
        *("server_call.cc", "ssl_transport_security.cc"),
    ],
)
def test_what_a_client_does_wrong_is_no_error_unless_it_is_the_end(log: Log, place: str) -> None:
    lines = told(log, *(f"{letter}{HEAD} {place}:1] text" for letter in "IWEF"))
    assert [line["log_level"] for line in lines] == ["info", "info", "info", "critical"]


@pytest.mark.parametrize(("text", "most"), [(OF_CLIENT, 50), (OF_OURS, 500), ("other\n", 500)])
def test_so_many_lines_a_second_are_logged(
    text: str, most: int, log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = CoreLog(log, log.causes.append)
    with capture_logs() as logged:
        for seconds, lines in ((7.0, most + 3), (7.9, 1), (8.0, most + 2)):
            monkeypatch.setattr(time, "monotonic", lambda seconds=seconds: seconds)
            read(core, *[text] * lines)
    assert (log.lost, len(logged)) == (4 + 2, most + most)


def test_what_clients_do_wrong_crowds_out_nothing_else(
    log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    end = f"F{OF_OURS[1:]}"
    logged = told(log, *[OF_CLIENT] * 60, OF_OURS, "other\n", *[OF_OURS] * 500, end)
    assert [line["log_level"] for line in logged[50:52]] == ["error", "warning"]
    assert logged[-1]["log_level"] == "critical", "the end is always told of"
    assert log.lost == 10 + 2


def test_a_text_is_told_in_part_if_it_is_very_long(log: Any) -> None:
    lines = told(log, f"{OF_OURS}{1000 * 'x'}\n", 1001 * "x" + "\n")
    assert [len(line["text"]) for line in lines] == [1000, 1000]


def test_what_a_client_says_passes_for_no_line_of_its_own(log: Any) -> None:
    (line,) = told(log, f"{OF_CLIENT}\n{OF_OURS}\n")
    assert line["log_level"] == "info"
    assert line["text"].endswith("no more descriptors")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("SSL_ERROR_SSL: PEER_DID_NOT_RETURN_A_CERTIFICATE", "no_certificate"),
        ("SSL_ERROR_SSL: CERTIFICATE_VERIFY_FAILED: self-signed", "bad_certificate"),
        ("SSL_ERROR_SSL: WRONG_VERSION_NUMBER", "other"),
    ],
)
def test_the_cause_of_a_failed_handshake_is_told(log: Log, text: str, cause: str) -> None:
    told(log, f"{HANDSHAKE} {text}")
    assert log.causes == [cause]
    assert cause in core_log.CAUSES


def test_a_handshake_is_counted_though_its_line_is_one_too_many(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    told(log, *[HANDSHAKE] * 60)
    assert (len(log.causes), log.lost) == (60, 10)


@pytest.fixture
def _stderr_is_given_back() -> Iterator[None]:
    before = os.dup(STDERR)
    yield
    os.dup2(before, STDERR)
    os.close(before)


@pytest.mark.usefixtures("_stderr_is_given_back")
def test_whatever_is_written_to_stderr_is_told_line_by_line(log: Any) -> None:
    with capture_logs() as logged, CoreLog(log, log.causes.append):
        assert not os.get_blocking(STDERR)
        for part in (b"one\ntw", b"o\nthr\xffee\n", b"four"):
            os.write(STDERR, part)
            time.sleep(0.02)
        wait_for(lambda: len(logged) == 3)
        os.write(STDERR, b"\n")
        wait_for(lambda: len(logged) == 4)
    assert [line["text"] for line in logged] == ["one", "two", "thr\ufffdee", "four"]
    assert log.lost == 0


@pytest.mark.usefixtures("_stderr_is_given_back")
def test_the_reader_outlives_a_line_that_cannot_be_told(log: Any) -> None:
    causes: list[str] = []

    def tell(cause: str) -> None:
        causes.append(cause)
        raise KeyError(cause)

    with capture_logs(), CoreLog(log, tell):
        for number in range(2):
            os.write(STDERR, f"{HANDSHAKE}\n".encode())
            wait_for(lambda number=number: len(causes) == number + 1)  # type: ignore[misc]


@pytest.mark.usefixtures("_stderr_is_given_back")
def test_in_the_end_stderr_is_there_for_whoever_tells_of_an_error_and_for_nobody_else(
    log: Any,
) -> None:
    def written_to(descriptor: int) -> tuple[int, int]:
        found = os.fstat(descriptor)
        return found.st_dev, found.st_ino

    with CoreLog(log, log.causes.append):
        pass
    with open(os.devnull, "wb") as nobody:  # noqa: PTH123 - as the system has it
        assert written_to(STDERR) == written_to(nobody.fileno())
    reader, log.end = os.pipe()
    with pytest.raises(KeyError), CoreLog(log, log.causes.append):
        raise KeyError
    assert written_to(STDERR) == written_to(log.end)
    os.close(reader)
    os.close(log.end)


@pytest.mark.usefixtures("_stderr_is_given_back")
def test_in_the_end_the_last_lines_are_waited_for_and_nothing_is_left_open(
    log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = CoreLog._tell_others

    def slowly(core: CoreLog, logger: Any, lines: list[str]) -> None:
        time.sleep(0.1)
        tell(core, logger, lines)

    monkeypatch.setattr(CoreLog, "_tell_others", slowly)
    core = CoreLog(log, log.causes.append)
    with capture_logs() as logged, core as entered:
        assert entered is core
        assert (core._thread.name, core._thread.daemon) == ("core log", True)
        os.write(STDERR, b"the last\n")
    assert [line["text"] for line in logged] == ["the last"]
    assert not core._thread.is_alive()
    assert core._reading.fileno() == -1


def fill(descriptor: int) -> None:
    os.set_blocking(descriptor, False)
    with suppress(BlockingIOError):
        while True:
            os.write(descriptor, 4095 * b"x" + b"\n")


@pytest.mark.usefixtures("_stderr_is_given_back")
def test_what_fills_the_pipe_while_nobody_reads_is_told_of(
    log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = select.select
    full = False

    def waiting(readers: Any, writers: Any, *rest: Any) -> Any:
        nonlocal full
        found = look(readers, writers, *rest)
        if readers and not full:
            fill(STDERR)
            full = True
        return found

    monkeypatch.setattr(select, "select", waiting)
    with capture_logs(), CoreLog(log, log.causes.append):
        os.write(STDERR, b"first\n")
        wait_for(lambda: full)
    assert log.lost >= 1


@pytest.mark.usefixtures("_stderr_is_given_back")
def test_of_what_stderr_was_before_it_is_not_told(log: Any) -> None:
    reader, log.end = os.pipe()
    fill(log.end)
    with pytest.raises(KeyError), CoreLog(log, log.causes.append):
        raise KeyError
    assert log.lost == 0
    os.close(reader)
    os.close(log.end)
