"""Output: whatever is handed over, it neither raises nor waits."""

import os
import time

from shisanzhi.rpc.observability.output import Output


def test_what_is_no_text_is_replaced() -> None:
    reader, writer = os.pipe()
    with Output(writer) as output:
        output.write("\ud800 鐵\n")
        output.write("")
        output.write("the next\n")
    assert os.read(reader, 99) == "? 鐵\nthe next\n".encode()


def test_a_reader_that_does_not_read_is_waited_for_no_longer_than_a_second() -> None:
    lost: list[int] = []
    _, writer = os.pipe()
    begun = time.monotonic()
    with Output(writer, lost.append) as output:
        for _ in range(30):
            output.write(1000 * (99 * "x" + "\n"))
    assert time.monotonic() - begun < 2
    assert 0 < sum(lost) < 30_000


def test_lines_that_cannot_be_written_are_counted_and_told_of_once_there_is_room() -> None:
    reader, writer = os.pipe()
    told: list[tuple[int, int]] = []
    lost: list[int] = []
    with Output(writer, lost.append, lambda *counts: told.append(counts)) as output:
        output.lose(2)
        output.write("a line\n")
    assert os.read(reader, 99) == b"a line\n"
    assert (lost, told) == ([2], [(2, 2)])
