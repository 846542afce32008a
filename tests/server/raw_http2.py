"""Just enough HTTP/2 to send what no grpc client would."""

import socket
import struct
from collections import defaultdict, deque
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import hpack

_DATA, _HEADERS, _RESET, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
_CONTINUATION = 9
_CONNECTION = 0
_FIRST_WINDOW = 65535
_ACK = _END_STREAM = 1
_PING_FRAME = b"\x00\x00\x08\x06\x00" + bytes(4 + 8)
_END_HEADERS = 4
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    head = struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
    return head + struct.pack(">I", stream) + payload


def fields(path: str) -> dict[bytes | str, bytes | str]:
    """Give the headers of a call."""
    return {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "test",
        "content-type": "application/grpc",
        "te": "trailers",
    }


def many_calls(path: str, body: bytes, count: int) -> bytes:
    """Give all that a client says who connects and makes calls, for who wants to say it often."""
    encoder = hpack.Encoder()
    said = _PREFACE + frame(_SETTINGS, 0, 0, b"")
    for stream in range(1, 2 * count, 2):
        said += frame(_HEADERS, _END_HEADERS, stream, encoder.encode(fields(path)))
        said += frame(_DATA, _END_STREAM, stream, body)
    return said


class Connection:
    """One connection to a server, one frame after another."""

    def __init__(self, address: str, *, window: int = 2**31 - 1) -> None:
        """Connect; the window is how many bytes of each answer are taken: large, or a test's."""
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=10)
        self._buffer = b""
        self._stream = -1
        self._encoder, self._decoder = hpack.Encoder(), hpack.Decoder()
        self._ended: dict[int, int] = {}
        self._frames: deque[tuple[int, int, int, bytes]] = deque()
        self._windows: dict[int, int] = defaultdict(lambda: _FIRST_WINDOW)
        self._socket.sendall(_PREFACE)
        self._send(_SETTINGS, 0, 0, struct.pack(">HI", 4, window))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._socket.close()

    def _send(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        self._socket.sendall(frame(kind, flags, stream, payload))

    def _read(self, size: int) -> bytes:
        while len(self._buffer) < size:
            more = self._socket.recv(65536)
            if not more:
                raise ConnectionError("expected a frame, got the end of the connection")
            self._buffer += more
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def frame(self) -> tuple[int, int, int, bytes]:
        """Give the next frame: kind, flags, stream, payload; acknowledge settings and pings."""
        return self._frames.popleft() if self._frames else self._receive()

    def _receive(self) -> tuple[int, int, int, bytes]:
        while True:
            head = self._read(9)
            payload = self._read(int.from_bytes(head[:3]))
            kind, flags = head[3], head[4]
            if kind in {_SETTINGS, _PING} and not flags & _ACK:
                self._send(kind, _ACK, 0, payload if kind == _PING else b"")
            if kind == _WINDOW_UPDATE:
                self._windows[int.from_bytes(head[5:9])] += int.from_bytes(payload)
            return kind, flags, int.from_bytes(head[5:9]), payload

    def open(self, path: str, headers: Mapping[str, str | bytes]) -> int:
        """Open a stream with the headers of a call; give its number."""
        self._stream += 2
        all_fields = fields(path)
        all_fields.update(headers.items())
        self._send(_HEADERS, _END_HEADERS, self._stream, self._encoder.encode(all_fields))
        return self._stream

    def open_with_copies(
        self, path: str, header: tuple[str, str], copies: int, *, other: bytes = b""
    ) -> int:
        """Open a stream with a header so many times: after the first, a byte of HPACK for each.

        Or, where another value is given, with that one all but the first time, spelt out.
        """
        self._stream += 2
        name, value = (each.encode() for each in header)
        literal = bytes([0x40, len(name)]) + name + bytes([len(value)]) + value
        block = hpack.Encoder().encode([(":method", "POST"), (":scheme", "http"), (":path", path)])
        copy = b"\x0f\x2f" + bytes([len(other)]) + other if other else b"\xbe"
        block += literal + copy * copies
        for start in range(0, len(block), 16384):
            part, last = block[start : start + 16384], start + 16384 >= len(block)
            kind = _CONTINUATION if start else _HEADERS
            self._send(kind, _END_HEADERS if last else 0, self._stream, part)
        return self._stream

    def send(self, stream: int, data: bytes, *, end: bool = False) -> None:
        """Send data on a stream, and say whether it is the last; wait until it may be sent."""
        while min(self._windows[stream], self._windows[_CONNECTION]) < len(data):
            self._frames.append(self._receive())
        self._windows[stream] -= len(data)
        self._windows[_CONNECTION] -= len(data)
        self._send(_DATA, _END_STREAM if end else 0, stream, data)

    def reset(self, stream: int) -> None:
        """Take a call back."""
        self._send(_RESET, 0, stream, struct.pack(">I", 8))

    def status(self, stream: int) -> int:
        """Wait for the end of a stream; give its status, -1 where it was reset."""
        while stream not in self._ended:
            kind, flags, number, payload = self.frame()
            said = dict(self._decoder.decode(payload, raw=True)) if kind == _HEADERS else {}
            if kind == _RESET:
                self._ended.setdefault(number, -1)
            elif kind == _HEADERS and flags & _END_STREAM:
                self._ended[number] = int(said[b"grpc-status"])
        return self._ended[stream]

    def call(
        self, path: str, message: bytes, *, compressed: bool = False, encoding: str | None = None
    ) -> int:
        """Make a call; give its status, or that of a stream that was reset."""
        headers = {"grpc-encoding": encoding} if encoding else {}
        return self.raw_call(
            path, bytes([compressed]) + struct.pack(">I", len(message)) + message, headers
        )

    def raw_call(self, path: str, body: bytes, headers: dict[str, str]) -> int:
        """Make a call with any body; give its status, -1 where the stream was reset."""
        stream = self.open(path, headers)
        for start in range(0, len(body), 16384):
            self.send(stream, body[start : start + 16384])
        self.send(stream, b"", end=True)
        return self.status(stream)

    def send_pings(self, count: int) -> None:
        """Send pings in one go."""
        self._socket.sendall(count * _PING_FRAME)

    def go_away(self, debug: bytes) -> None:
        """Say that the connection ends for an error, and what for."""
        self._send(_GOAWAY, 0, 0, struct.pack(">II", 0, 2) + debug)

    def ping(self) -> None:
        """Send a ping and wait for its answer."""
        self.send_pings(1)
        while True:
            kind, flags, _, _ = self.frame()
            assert kind != _GOAWAY, "expected a pong, got a goodbye"
            if kind == _PING and flags & _ACK:
                return

    def goodbye(self) -> tuple[int, bytes]:
        """Wait for GOAWAY; give its error and text."""
        while True:
            kind, _, _, payload = self.frame()
            if kind == _GOAWAY and int.from_bytes(payload[4:8]):
                return int.from_bytes(payload[4:8]), payload[8:]
