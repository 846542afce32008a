"""Requests that nobody should send, by the thousand.

    python -m tests.server.fuzz [COUNT] [SEED]

Every one gets an answer that is neither UNKNOWN nor INTERNAL, and the server does not grow.
"""

import asyncio
import gzip
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import grpc

from shisanzhi.progress import track
from tests import questions
from tests.server.calls import Outcome, ask, ask_async, memory
from tests.server.load import channel
from tests.server.raw_http2 import Connection
from tests.server.test_errors import trailer_bytes
from tests.servers import Process, serving

LEAKS = {grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL}
CONCURRENT = 32
MOST_GROWTH = 24_000_000
"""Bytes by which the resident memory may end higher: the allocator's, not ours."""

Draw = random.Random


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    groups = []
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])


def field(draw: Draw, payload: bytes | None = None) -> bytes:
    """Give one field of any number, wire type and content, real or not."""
    number, kind = draw.choice((*range(1, 12), 99, 19000, 2**29 - 1)), draw.randrange(8)
    key = varint(number << 3 | kind)
    if kind == 0:
        return key + varint(draw.choice((0, 1, 2, 3, 78, 255, 2**31, 2**32, -1, 2**63, 10**9)))
    if kind == 2:
        content = draw.randbytes(draw.randrange(40)) if payload is None else payload
        length = draw.choice((len(content),) * 8 + (len(content) + 1, 2**31 - 1, 2**35))
        return key + varint(length) + content
    return key + draw.randbytes({1: 8, 5: 4}.get(kind, draw.randrange(4)))


def random_bytes(draw: Draw, _valid: bytes) -> bytes:
    return draw.randbytes(draw.choice((0, 1, 2, 10, 100, 1000)))


def mutated(draw: Draw, valid: bytes) -> bytes:
    """Flip, cut, double or splice bytes of a good request."""
    data = bytearray(valid)
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(data) + 1)
        way = draw.randrange(4)
        if way == 0 and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif way == 1:
            del data[at : at + draw.randrange(1, 8)]
        elif way == 2:
            data[at:at] = data[at : at + draw.randrange(1, 30)]
        else:
            data[at:at] = draw.randbytes(draw.randrange(1, 5))
    return bytes(data)


def fields(draw: Draw, valid: bytes) -> bytes:
    """Add unknown values, unknown fields and wrong wire types to a good request, or send them."""
    made = b"".join(field(draw) for _ in range(draw.randrange(1, 8)))
    return draw.choice((valid + made, made + valid, made))


def repeated(draw: Draw, valid: bytes) -> bytes:
    """Send something very many times over."""
    return (valid or field(draw)) * draw.choice((2, 10, 300))


def nested(draw: Draw, _valid: bytes) -> bytes:
    """Nest messages or groups, deeper than anybody reads."""
    number, depth = draw.randrange(1, 9), draw.choice((3, 99, 101, 1000, 5000))
    if draw.random() < 0.5:
        return bytes([number << 3 | 3]) * depth + bytes([number << 3 | 4]) * depth
    data = b""
    while len(data) < depth * 3:
        data = bytes([number << 3 | 2]) + varint(len(data)) + data
    return data


def bad_text(draw: Draw, valid: bytes) -> bytes:
    """Put bytes that are no UTF-8 where a text is expected."""
    text = draw.choice((b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\x00", b"a" * 5000))
    return valid + b"".join(
        bytes([number << 3 | 2]) + varint(len(text)) + text for number in (2, 3, 4)
    )


def large(draw: Draw, valid: bytes) -> bytes:
    return valid + bytes(draw.choice((60_000, 66_000, 250_000, 300_000)))


KINDS: tuple[Callable[[Draw, bytes], bytes], ...] = (
    *(random_bytes, mutated, mutated, mutated, fields, fields, repeated, nested, bad_text),
)


class Findings:
    """What came of it."""

    def __init__(self) -> None:
        self.codes: Counter[str] = Counter()
        self.bad: list[tuple[str, bytes, Outcome]] = []

    def add(self, method: str, data: bytes, outcome: Outcome) -> None:
        self.codes[outcome.code.name] += 1
        if outcome.code in LEAKS or trailer_bytes(outcome.trailers, outcome.details) > 8192:
            self.bad.append((method, data, outcome))


async def send(address: str, count: int, seed: int) -> Findings:
    """Send so many requests to all methods in turn."""
    draw = Draw(seed)
    findings = Findings()
    valid = {method: questions.raw(method) for method in questions.METHODS}
    numbers = track("fuzz", range(count), count)

    async def worker(connected: grpc.aio.Channel) -> None:
        for number in numbers:
            method = questions.METHODS[number % len(questions.METHODS)]
            kind = large if number % 500 == 499 else draw.choice(KINDS)
            data = kind(draw, valid[method])
            findings.add(method, data, await ask_async(connected, method, data))

    async with channel(address) as connected:
        await asyncio.gather(*(worker(connected) for _ in range(CONCURRENT)))
    return findings


def send_raw(address: str, count: int, seed: int) -> Counter[int]:
    """Send what no client library would: wrong frames, lies about length, bombs."""
    draw = Draw(seed)
    codes: Counter[int] = Counter()
    bomb = gzip.compress(bytes(50_000_000))
    message = questions.raw("Validate")
    prefix = b"\x00" + len(message).to_bytes(4)
    for _ in range(count):
        body, headers = draw.choice(
            (
                (prefix + message, {}),
                (prefix + message[:-1], {}),
                (prefix + message + b"x", {}),
                (prefix + message + prefix + message, {}),
                (b"\x00\xff\xff\xff\xff" + message, {}),
                (b"\x07" + prefix[1:] + message, {}),
                (b"\x01" + prefix[1:] + message, {}),
                (b"\x01" + len(bomb).to_bytes(4) + bomb, {"grpc-encoding": "gzip"}),
                (b"\x01" + len(bomb).to_bytes(4) + bomb, {"grpc-encoding": "no such"}),
                (b"", {}),
                (draw.randbytes(20), {"content-type": "application/json"}),
                (prefix + message, {"grpc-timeout": draw.choice(("1n", "x", "99999999H", "-1S"))}),
                (prefix + message, {"te": "none"}),
                (prefix + message, {"x-request-id": "\x7f" * draw.choice((1, 200))}),
            )
        )
        with suppress(OSError), Connection(address) as connection:
            method = draw.choice(questions.METHODS)
            codes[connection.raw_call(questions.path(method), body, headers)] += 1
    return codes


def run(process: Process, count: int, seed: int) -> Findings:
    """Fuzz, and look whether the server has grown; what it learns at first does not count."""

    def size() -> tuple[int, int]:
        return memory(process.pid), len(os.listdir(f"/proc/{process.pid}/fd"))  # noqa: PTH208

    asyncio.run(send(process.address, max(500, count // 10), seed + 1))
    before = size()
    findings = asyncio.run(send(process.address, count, seed))
    raw_codes = send_raw(process.address, max(20, count // 100), seed)
    findings.codes.update({f"raw {code}": number for code, number in raw_codes.items()})
    # INTERNAL is what the protocol asks for where a frame or a header breaks the protocol itself.
    assert grpc.StatusCode.UNKNOWN.value[0] not in raw_codes
    assert ask(process, "Validate").code is grpc.StatusCode.OK
    time.sleep(1)
    after = size()
    assert after[0] - before[0] < MOST_GROWTH, f"memory went from {before[0]} to {after[0]}"
    assert after[1] - before[1] < 10, f"file descriptors went from {before[1]} to {after[1]}"
    sys.stdout.write(f"memory {before[0] / 1e6:.1f} -> {after[0] / 1e6:.1f} MB, ")
    sys.stdout.write(f"descriptors {before[1]} -> {after[1]}\n{dict(findings.codes)}\n")
    return findings


def main() -> None:
    count, seed = (int(text) for text in [*sys.argv[1:], "100000", "1"][:2])
    with serving("--log-ok-every", "0") as process:
        findings = run(process, count, seed)
        assert not findings.bad, findings.bad[:3]
        assert "unexpected error" not in process.text


if __name__ == "__main__":
    main()
