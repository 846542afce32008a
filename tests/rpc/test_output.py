"""Output: whatever is handed over, it neither raises nor waits."""

import os
import pty
import threading
import time
from contextlib import suppress

import pytest

from shisanzhi.rpc.observability import output
from shisanzhi.rpc.observability.output import Output
from tests.servers import wait_for


def test_what_is_no_text_is_replaced() -> None:
    reader, writer = os.pipe()
    with Output(writer) as out:
        out.write("\ud800 鐵\n")
        out.write("")
        out.write("the next\n")
    assert os.read(reader, 99) == "? 鐵\nthe next\n".encode()


def test_a_reader_that_does_not_read_is_waited_for_no_longer_than_a_second() -> None:
    lost: list[int] = []
    _, writer = os.pipe()
    begun = time.monotonic()
    with Output(writer, lost.append) as out:
        for _ in range(30):
            out.write(1000 * (99 * "x" + "\n"))
    assert time.monotonic() - begun < 2
    assert 0 < sum(lost) < 30_000


def test_lines_that_cannot_be_written_are_counted_and_told_of_once_there_is_room() -> None:
    reader, writer = os.pipe()
    told: list[tuple[int, int]] = []
    lost: list[int] = []
    with Output(writer, lost.append, lambda *counts: told.append(counts)) as out:
        out.lose(2)
        out.write("a line\n")
    assert os.read(reader, 99) == b"a line\n"
    assert (lost, told) == ([2], [(2, 2)])


def test_a_log_that_loses_line_after_line_says_so_once_a_second_and_at_the_end() -> None:
    _, writer = os.pipe()
    told: list[tuple[int, int]] = []
    begun = time.monotonic()
    with Output(writer, on_room=lambda *counts: told.append(counts)) as out:
        for _ in range(30):
            out.lose(1)
            out.write("a line\n")
            time.sleep(0.02)
    assert 2 <= len(told) <= 2 + (time.monotonic() - begun)
    assert sum(lines for lines, _ in told) == told[-1][1] == 30


class Descriptor:
    """A descriptor that takes so many bytes at a time, or raises."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *takes: int | OSError) -> None:
        self.written: list[bytes] = []
        self.waits = 0
        self.lost: list[int] = []
        self._takes = [*takes]
        monkeypatch.setattr(os, "write", self._write)
        monkeypatch.setattr(output, "_wait", self._wait)
        reader, writer = os.pipe()
        self.output = Output(writer, self.lost.append)
        os.close(reader)
        os.close(writer)

    def _write(self, descriptor: int, data: bytes) -> int:
        assert descriptor == self.output.fileno()
        take = self._takes.pop(0) if self._takes else len(data)
        if isinstance(take, OSError):
            raise take
        self.written.append(data[:take])
        return take

    def _wait(self, descriptor: int) -> None:
        assert descriptor == self.output.fileno()
        self.waits += 1


def test_what_is_written_in_parts_is_written_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    descriptor = Descriptor(monkeypatch, 4, BlockingIOError(), 3)
    assert descriptor.output._write(b"one\ntwo\nthree\n") is True
    assert descriptor.written == [b"one\n", b"two", b"\nthree\n"]
    assert (descriptor.waits, descriptor.lost) == (1, [])


@pytest.mark.parametrize(
    ("taken", "lost", "torn"),
    [(0, 3, b""), (4, 2, b""), (5, 1, b"wo\n"), (7, 1, b"\n"), (8, 1, b"")],
)
def test_of_a_line_that_is_begun_the_rest_comes_first(
    taken: int, lost: int, torn: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that what comes after it is a line again; whole lines that found no room are lost."""
    takes = (taken, OSError()) if taken else (OSError(),)
    descriptor = Descriptor(monkeypatch, *takes, OSError())
    assert descriptor.output._write(b"one\ntwo\nthree\n") is False
    assert descriptor.lost == [lost]
    assert descriptor.output._write(b"more\n") is False
    assert descriptor.lost == [lost, 1]
    del descriptor.written[:]
    assert descriptor.output._write(b"four\n") is True
    assert descriptor.output._write(b"five\n") is True
    assert descriptor.written == [torn + b"four\n", b"five\n"]


def test_what_waits_for_a_slow_reader_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_MOST_WAITING", 10)
    descriptor = Descriptor(monkeypatch)
    for line in ("12345678\n", "x\n", "y\nz\n"):
        descriptor.output.write(line)
    assert descriptor.lost == [2]
    assert descriptor.output._taken() == b"12345678\nx\n"
    for line in ("12345678\n", "x\n"):
        descriptor.output.write(line)
    assert descriptor.lost == [2]
    assert descriptor.output._taken() == b"12345678\nx\n"
    for line in ("123456789\n", "x\n"):
        descriptor.output.write(line)
    assert descriptor.lost == [2, 1]


def test_as_shipped_a_megabyte_may_wait() -> None:
    assert output._MOST_WAITING == 1 << 20


def test_of_lost_lines_it_is_told_once_a_second_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(output, "_MOST_WAITING", 10)
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    told: list[tuple[int, int]] = []
    descriptor = Descriptor(monkeypatch)
    descriptor.output._on_room = lambda *counts: told.append(counts)
    descriptor.output._tell()
    assert told == []
    for seconds, expected in ((0.0, (1, 1)), (0.9, None), (1.0, (2, 3)), (1.9, None)):
        now[0] = seconds
        descriptor.output.lose(1)
        descriptor.output._tell()
        assert (told.pop() if told else None) == expected
    now[0] = 9.0
    descriptor.output.write("123456789\n")
    descriptor.output._tell()
    assert told == []
    descriptor.output._taken()
    descriptor.output._tell()
    assert told == [(1, 4)]
    descriptor.output.lose(1)
    descriptor.output._closing = True
    descriptor.output._tell()
    assert told == [(1, 4), (1, 5)]


def test_who_is_told_of_lost_lines_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*counts: int) -> None:
        raise KeyError(counts)

    descriptor = Descriptor(monkeypatch)
    descriptor.output._on_room = fail
    descriptor.output.lose(1)
    descriptor.output._tell()
    assert descriptor.output._untold == 0


def test_what_is_not_told_yet_is_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody need write another line for that."""
    monkeypatch.setattr(output, "_TELL_EVERY", 0.05)
    told: list[tuple[int, int]] = []
    _, writer = os.pipe()
    with Output(writer, on_room=lambda *counts: told.append(counts)) as out:
        for number in range(1, 4):
            out.lose(1)
            out.write("a line\n")
            wait_for(lambda number=number: len(told) == number)  # type: ignore[misc]
        assert (out._thread.name, out._thread.daemon) == ("output", True)
    assert told == [(1, 1), (1, 2), (1, 3)]


def test_where_lines_find_no_room_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    descriptor = Descriptor(monkeypatch, OSError())
    descriptor.output._on_room = lambda *counts: told.append(counts)
    with descriptor.output as out:
        out.write("lost\n")
        wait_for(lambda: descriptor.lost == [1])
        time.sleep(0.03)
        assert told == []
        out.write("written\n")
        wait_for(lambda: told == [(1, 1)])
    assert descriptor.written == [b"written\n"]


FULL = 4095 * b"x" + b"\n"
"""A line that fills a piece."""


def test_where_the_last_of_some_pieces_finds_no_room_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[int, int]] = []
    descriptor = Descriptor(monkeypatch, len(FULL), OSError())
    descriptor.output._on_room = lambda *counts: told.append(counts)
    descriptor.output.write(2 * FULL.decode())
    with descriptor.output:
        wait_for(lambda: descriptor.lost == [1])
        time.sleep(0.03)
        assert told == []


def test_what_was_lost_before_the_first_line_is_told_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(output, "_TELL_EVERY", 0.02)
    told: list[tuple[int, int]] = []
    descriptor = Descriptor(monkeypatch)
    descriptor.output._on_room = lambda *counts: told.append(counts)
    descriptor.output.lose(1)
    with descriptor.output:
        wait_for(lambda: told == [(1, 1)])


def test_in_the_end_its_thread_ends() -> None:
    _, writer = os.pipe()
    with Output(writer) as out:
        pass
    assert not out._thread.is_alive()


def test_of_a_line_whose_end_alone_was_missing_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    descriptor = Descriptor(monkeypatch, 3, OSError(), 1, OSError())
    assert descriptor.output._write(b"one\n") is False
    assert descriptor.output._write(b"two\n") is False
    assert descriptor.lost == [0, 1]
    assert descriptor.output._write(b"three\n") is True
    assert descriptor.written == [b"one", b"\n", b"three\n"]


def test_a_long_piece_ends_where_a_line_does() -> None:
    line = 99 * b"x" + b"\n"
    assert [len(piece) for piece in output._pieces(100 * line)] == [4000, 4000, 2000]
    assert list(output._pieces(5000 * b"x")) == [5000 * b"x"]
    assert list(output._pieces(b"x\ny")) == [b"x\n", b"y"]
    assert list(output._pieces(b"")) == []
    long = 5000 * b"x" + b"\n"
    assert list(output._pieces(long + line)) == [long, line]
    assert list(output._pieces(2 * FULL)) == [FULL, FULL]


def test_a_full_pipe_that_does_not_wait_is_waited_for() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(4096))
    waiting = threading.Thread(target=output._wait, args=(writer,), daemon=True)
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    os.read(reader, 65536)
    waiting.join(10)
    assert not waiting.is_alive()


def test_an_output_knows_whether_it_is_a_terminal() -> None:
    _, terminal = pty.openpty()
    _, pipe = os.pipe()
    for descriptor, expected in ((terminal, True), (pipe, False)):
        out = Output(descriptor)
        assert out.isatty() is expected
        assert out.fileno() != descriptor, "its own, whatever becomes of the other"


def test_the_numbers_of_standard_descriptors_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [0, 2, 3]
    closed: list[int] = []

    def opening(path: str, flags: int) -> int:
        assert (path, flags) == (os.devnull, os.O_RDONLY)
        return numbers.pop(0)

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(os, "close", closed.append)
    output.claim_standard_descriptors()
    assert (numbers, closed) == ([], [3])
