"""Serve until a signal says stop."""

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn

import structlog
from structlog.typing import FilteringBoundLogger

from shisanzhi.engine.solver.arranger import COMPILED
from shisanzhi.rpc.observability import logs
from shisanzhi.rpc.observability.access_log import AccessLog
from shisanzhi.rpc.observability.core_log import CoreLog
from shisanzhi.rpc.observability.metrics import Metrics
from shisanzhi.rpc.observability.output import Output
from shisanzhi.rpc.server.scheduling import scheduled
from shisanzhi.rpc.server.server import Server
from shisanzhi.settings import Settings

_STDERR: Final = 2
_log: FilteringBoundLogger = structlog.get_logger()


class ServingEndedError(OSError):
    """Serving ended though nobody asked for it."""


async def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve until a signal says stop; announce each bound address once it serves.

    SIGTERM drains and stops; SIGINT, which a person sends, does so without the delay; a second
    signal stops at once. Raises OSError where the server cannot start, and
    :class:`ServingEndedError` where it ends by itself.
    """
    metrics = Metrics()
    with (
        Output(_STDERR, metrics.log_lines_lost.inc, logs.say_lost) as output,
        CoreLog(output, lambda cause: metrics.handshakes_failed[cause].inc()),
    ):
        logs.configure(settings.log_format, settings.log_level, output)
        log = _access_log(settings, output)
        await _serve(Server(settings, metrics, log), announce)


def _access_log(settings: Settings, output: Output) -> AccessLog:
    # A level above info leaves OK calls out, whichever way they are written.
    every = settings.log_ok_every if settings.log_level in {"debug", "info"} else 0
    return AccessLog(every, output if logs.is_json(settings.log_format, output) else None)


async def _serve(server: Server, announce: Callable[[str], None]) -> None:
    signals: asyncio.Queue[signal.Signals] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signals.put_nowait, number)
    try:
        bound = await server.start()
    except BaseException:
        await server.abort()
        raise
    for address in bound.management:
        announce(f"management on {address}")
    for address in bound.serving:
        announce(f"serving on {address}")
    (_log.info if COMPILED else _log.warning)(
        "serving",
        addresses=bound.serving,
        management=bound.management,
        pid=os.getpid(),
        solver="compiled" if COMPILED else "interpreted",
        scheduling=scheduled(),
    )
    ended = asyncio.ensure_future(server.ended())
    first = asyncio.ensure_future(signals.get())
    await asyncio.wait((first, ended), return_when=asyncio.FIRST_COMPLETED)
    if ended.done():
        await _fail(server, ended.result())
    patient = first.result() is signal.SIGTERM
    _log.info("draining")
    stopping = asyncio.ensure_future(_stop(server, patient=patient))
    impatience = asyncio.ensure_future(signals.get())
    await asyncio.wait((stopping, impatience), return_when=asyncio.FIRST_COMPLETED)
    if not stopping.done():
        _log.warning("stopping at once")
        stopping.cancel()
        with suppress(asyncio.CancelledError):
            await stopping
        await server.abort()
    else:
        await stopping
    impatience.cancel()
    _log.info("stopped")


async def _fail(server: Server, error: BaseException | None) -> NoReturn:
    """End the process, since nobody is served any more: say why, to probes too."""
    server.health.fail()
    why = logs.whereabouts(error)
    _log.error("serving ended by itself", **why)
    await server.abort()
    raise ServingEndedError(f"expected to serve until told to stop, ended by {why['error']}")


async def _stop(server: Server, *, patient: bool) -> None:
    await server.drain(patient=patient)
    await server.stop()
