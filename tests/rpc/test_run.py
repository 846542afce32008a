"""Serving until a signal says stop: what is announced and logged, and what each signal does."""

import asyncio
import os
import signal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Self

import pytest
from structlog.testing import capture_logs

from shisanzhi.config import load
from shisanzhi.rpc.server import run
from shisanzhi.rpc.server.run import ServingEndedError
from shisanzhi.rpc.server.scheduling import scheduled
from shisanzhi.rpc.server.server import Bound
from tests.rpc.here import until


class Fake:
    """A server that notes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.health = SimpleNamespace(fail=lambda: self.told.append("fail"))
        self.end: asyncio.Future[BaseException | None] = asyncio.Future()
        self.stops = True
        self.fails = False
        self.starts = True

    async def start(self) -> Bound:
        if not self.starts:
            raise OSError("expected to listen")
        return Bound(("a:1", "b:1"), ("m:2",))

    async def ended(self) -> BaseException | None:
        return await self.end

    async def drain(self, *, patient: bool) -> None:
        self.told.append("drain patiently" if patient else "drain")

    async def stop(self) -> None:
        self.told.append("stop")
        if self.fails:
            raise KeyError
        if not self.stops:
            try:
                await asyncio.Event().wait()
            finally:
                self.told.append("cut off")

    async def abort(self) -> None:
        self.told.append("abort")


class Run:
    """A run that is under way, and what it says."""

    def __init__(self, server: Fake, logged: list[Any]) -> None:
        self.server = server
        self.announced: list[str] = []
        self.logged = logged
        fake: Any = server
        self.serving = asyncio.ensure_future(run._serve(fake, self.announced.append))

    @property
    def events(self) -> list[tuple[str, str]]:
        return [(line["event"], line["log_level"]) for line in self.logged]


def under_way(test: Callable[[Run], Any], **attributes: bool) -> None:
    async def within() -> None:
        server = Fake()
        vars(server).update(attributes)
        with capture_logs() as logged:
            running = Run(server, logged)
            if server.starts:
                await until(lambda: bool(logged))
            await test(running)

    asyncio.run(asyncio.wait_for(within(), 10))


def kill(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


SERVING, DRAINING, STOPPED = ("serving", "info"), ("draining", "info"), ("stopped", "info")


@pytest.mark.parametrize(
    ("number", "drain"), [(signal.SIGTERM, "drain patiently"), (signal.SIGINT, "drain")]
)
def test_a_signal_drains_and_stops(number: signal.Signals, drain: str) -> None:
    async def test(running: Run) -> None:
        assert running.announced == ["management on m:2", "serving on a:1", "serving on b:1"]
        kill(number)
        await running.serving
        assert running.server.told == [drain, "stop"]
        assert running.events == [SERVING, DRAINING, STOPPED]

    under_way(test)


def test_a_second_signal_stops_at_once() -> None:
    async def test(running: Run) -> None:
        kill(signal.SIGTERM)
        await until(lambda: "stop" in running.server.told)
        kill(signal.SIGTERM)
        done, _ = await asyncio.wait([running.serving], timeout=5)
        assert done, "whatever the stop waits for"
        assert running.server.told == ["drain patiently", "stop", "cut off", "abort"]
        assert running.events == [SERVING, DRAINING, ("stopping at once", "warning"), STOPPED]

    under_way(test, stops=False)


def test_a_stop_that_fails_is_an_error() -> None:
    async def test(running: Run) -> None:
        kill(signal.SIGTERM)
        with pytest.raises(KeyError):
            await running.serving

    under_way(test, fails=True)


class Block:
    """Stands in for what is entered for the length of a run."""

    def __init__(self, made: object, done: list[object]) -> None:
        self._made = made
        self._done = done

    def __enter__(self) -> Self:
        self._done.append(self._made)
        return self

    def __exit__(self, *_: object) -> None:
        self._done.append("ends")

    def isatty(self) -> bool:
        return False


def test_a_run_writes_to_stderr_and_stands_in_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []

    async def serve(server: object, announce: object) -> None:
        done.append((server, announce))

    def configure(log_format: str, level: str, _output: object) -> None:
        done.append((log_format, level))

    monkeypatch.setattr(run, "Output", lambda descriptor, *_: Block(descriptor, done))
    monkeypatch.setattr(run, "CoreLog", lambda *_: Block("core log", done))
    monkeypatch.setattr(run, "Server", lambda *_: "server")
    monkeypatch.setattr(run, "_serve", serve)
    monkeypatch.setattr("shisanzhi.rpc.observability.logs.configure", configure)
    announce: Any = "announce"
    settings = load({"log_level": "error", "log_format": "json"}, {}).settings
    asyncio.run(run.serve(settings, announce))
    assert done == [2, "core log", ("json", "error"), ("server", "announce"), "ends", "ends"]


@pytest.mark.parametrize(("error", "named"), [(KeyError("secret"), "KeyError"), (None, "NoneType")])
def test_serving_that_ends_by_itself_is_an_error(error: Exception | None, named: str) -> None:
    async def test(running: Run) -> None:
        running.server.end.set_result(error)
        with pytest.raises(ServingEndedError) as raised:
            await running.serving
        assert str(raised.value) == f"expected to serve until told to stop, ended by {named}"
        assert running.server.told == ["fail", "abort"]
        assert running.events == [SERVING, ("serving ended by itself", "error")]
        assert running.logged[-1]["error"] == named

    under_way(test)


def test_a_server_that_cannot_start_is_taken_down() -> None:
    async def test(running: Run) -> None:
        with pytest.raises(OSError, match="expected to listen"):
            await running.serving
        assert (running.server.told, running.announced) == (["abort"], [])

    under_way(test, starts=False)


@pytest.mark.parametrize(("compiled", "said"), [(True, "info"), (False, "warning")])
def test_the_log_says_what_serves_and_how(
    monkeypatch: pytest.MonkeyPatch, said: str, *, compiled: bool
) -> None:
    monkeypatch.setattr(run, "COMPILED", compiled)

    async def test(running: Run) -> None:
        (line,) = running.logged
        assert line == {
            "event": "serving",
            "log_level": said,
            "addresses": ("a:1", "b:1"),
            "management": ("m:2",),
            "pid": os.getpid(),
            "solver": "compiled" if compiled else "interpreted",
            "scheduling": scheduled(),
        }
        kill(signal.SIGINT)
        await running.serving

    under_way(test)


@pytest.mark.parametrize(
    ("level", "logged"), [("debug", 1), ("info", 1), ("warning", 0), ("error", 0)]
)
@pytest.mark.parametrize("log_format", ["json", "console"])
def test_calls_that_went_well_are_logged_unless_the_level_is_above_them(
    level: str, logged: int, log_format: str
) -> None:
    output: Any = SimpleNamespace(isatty=lambda: False)
    settings = load({"log_level": level, "log_format": log_format, "log_ok_every": "1"}, {})
    log = run._access_log(settings.settings, output)
    assert log._ok_every == logged
    assert log._output is (output if log_format == "json" else None)
