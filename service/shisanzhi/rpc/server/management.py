"""The plaintext management port: HTTP for Prometheus and probes, gRPC health for Kubernetes.

Kubernetes' gRPC probes speak no TLS, so health must be had in plaintext where the service is not.
One port serves both: HTTP/2 announces itself with its first bytes, and is handed to a grpc server
on loopback that knows nothing but health.
"""

import asyncio
import os
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from shisanzhi.rpc.calls.acceptor import Acceptor
from shisanzhi.rpc.calls.handlers import Handlers
from shisanzhi.rpc.server import addresses
from shisanzhi.rpc.server.channel_options import channel_options
from shisanzhi.rpc.server.health import Health
from shisanzhi.rpc.server.scrapes import Exposition, Scrapes
from shisanzhi.settings import Settings

_HTTP2: Final = b"PRI * HTTP/2.0\r\n"
_LINE_BYTES: Final = 16384
_MOST_HEADERS: Final = 100
_BACKLOG: Final = 8
"""Connections that are accepted in one turn of the event loop: so few that a probe is answered
before as many newer ones have come as there is room for."""
_QUEUE: Final = 1024
"""Connections that may wait for that: one that finds no room tries again after a second."""
_SECONDS: Final = 10.0
"""For a request over HTTP, for the beginning of HTTP/2, and for a client to read the rest."""
_IDLE_SECONDS: Final = 60.0
"""For which HTTP/2 is kept with no call open."""
_CHUNK: Final = 65536
_WAITING_SHARE: Final = 4
"""One in so many connections may wait for metrics."""

_Reply = tuple[int, str, bytes]
_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}


class Management:
    """Serves /metrics, /healthz, /livez and grpc.health.v1 in plaintext."""

    def __init__(
        self,
        settings: Settings,
        exposition: Exposition,
        health: Health,
        handlers: Handlers,
        crowded_out: Callable[[], None],
    ) -> None:
        """Take what to tell; handlers has the health methods and nothing else.

        ``crowded_out`` hears of each connection that is closed to make room for a newer one.
        """
        self._settings = settings
        self._health = health
        most_waiting = max(1, settings.max_management_connections // _WAITING_SHARE)
        self._scrapes = Scrapes(exposition, most_waiting)
        self._acceptor = Acceptor(
            handlers,
            [
                *channel_options(settings),
                ("grpc.max_connection_idle_ms", round(_IDLE_SECONDS * 1000)),
            ],
        )
        self._inner_port = 0
        self._servers: list[asyncio.Server] = []
        self._asking: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._asked: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._crowded_out = crowded_out

    async def start(self, port: int) -> tuple[str, ...]:
        self._inner_port = self._acceptor.listen("127.0.0.1:0")
        await self._acceptor.start()
        bound = []
        for address in addresses.resolve(self._settings.management_host):
            addresses.probe(address, port)
            server = await asyncio.start_server(
                self._accept, address, port, limit=_LINE_BYTES, backlog=_BACKLOG
            )
            with socket.socket(fileno=os.dup(server.sockets[0].fileno())) as listening:
                listening.listen(_QUEUE)
            self._servers.append(server)
            port = server.sockets[0].getsockname()[1]
            bound.append(addresses.join(address, port))
        return tuple(bound)

    @property
    def acceptors(self) -> tuple[Acceptor, ...]:
        """What serves health over gRPC, where there is a management port."""
        return (self._acceptor,) if self._servers else ()

    async def stop(self) -> None:
        for server in self._servers:
            server.close()
        connected = [*self._asking, *self._asked]
        for task in connected:
            task.cancel()
        await asyncio.gather(*connected, return_exceptions=True)
        await self._acceptor.cut_off()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._asking) + len(self._asked) >= self._settings.max_management_connections:
            self._make_room()
        # Not by asyncio, which logs an error for each task of its own that is cancelled.
        task = asyncio.create_task(self._serve(reader, writer))
        self._asking[task] = writer
        task.add_done_callback(self._close)

    def _make_room(self) -> None:
        """Close the oldest of those that have not asked over HTTP yet, or of those that have.

        Of whichever are more: neither shuts the other out.
        """
        self._crowded_out()
        crowd = self._asked if len(self._asked) > len(self._asking) else self._asking
        oldest = next(iter(crowd))
        self._close(oldest)
        oldest.cancel()

    def _close(self, task: "asyncio.Task[None]") -> None:
        if writer := self._asking.pop(task, None) or self._asked.pop(task, None):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_SECONDS):
                line = await reader.readuntil(b"\r\n")
                if line != _HTTP2:
                    await self._answer(line, reader, writer)
            if line == _HTTP2:
                await self._splice(line, reader, writer)
            writer.close()
            async with asyncio.timeout(_SECONDS):
                await writer.wait_closed()

    async def _splice(
        self, start: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._inner_port)
        inner_writer.write(start)
        ways = (_pump(reader, inner_writer), _pump(inner_reader, writer))
        tasks = [asyncio.ensure_future(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            inner_writer.close()
            for task in tasks:
                task.cancel()

    async def _answer(
        self, line: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        accept = await _accepted(reader) if line.count(b" ") == 2 else ""
        if (task := asyncio.current_task()) in self._asking:
            self._asked[task] = self._asking.pop(task)
        status, kind, body = await self._reply(line, accept)
        writer.write(
            f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
        )
        if not line.startswith(b"HEAD "):
            writer.write(body)
        await writer.drain()

    async def _reply(self, line: bytes, accept: str) -> _Reply:
        parts = line.split()
        if len(parts) != 3:
            return _text(400, "bad request")
        if parts[0] not in {b"GET", b"HEAD"}:
            return _text(405, "method not allowed")
        # A whole URL too, as HTTP/1.1 has it (RFC 9112, 3.2.2).
        path = re.sub(rb"(?i)\Ahttp://[^/?]*", b"", parts[1]).split(b"?")[0]
        if path == b"/metrics":
            metrics = await self._scrapes.next(accept)
            return 200, metrics.kind, metrics.text
        if path == b"/healthz":
            return _text(200, "serving") if self._health.serving else _text(503, "not serving")
        if path == b"/livez":
            return _text(200, "alive") if self._health.alive else _text(503, "not alive")
        return _text(404, "not found")


def _text(status: int, text: str) -> _Reply:
    return status, "text/plain; charset=utf-8", f"{text}\n".encode()


async def _accepted(reader: asyncio.StreamReader) -> str:
    accept = ""
    for _ in range(_MOST_HEADERS):
        line = await reader.readuntil(b"\r\n")
        name, _, value = line.partition(b":")
        if name.lower() == b"accept":
            accept = " ".join(value.decode("ascii", "ignore").split())
        if line == b"\r\n":
            break
    return accept


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(_CHUNK):
            writer.write(chunk)
            await writer.drain()
