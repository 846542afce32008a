"""The gateway for the length of a block, on free ports of this machine."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from deploy.gateway.gateway import HERE, PAGE, Config, Gateway, command, configuration

SECONDS = 30


class Running(NamedTuple):
    """Where its listeners are."""

    public: str
    platform: str
    metrics: str
    admin: str
    pid: int


def free_ports(count: int) -> list[int]:
    """Give ports that nobody uses just now."""
    tried = [socket.socket() for _ in range(count)]
    for each in tried:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in tried]
    for each in tried:
        each.close()
    return ports


@contextmanager
def gateway(
    servers: Sequence[str],
    folder: Path,
    change: Callable[[Config], None] = lambda _config: None,
    **differs: Any,
) -> Iterator[Running]:
    """Run a gateway before some servers; what differs is as in :class:`Gateway`."""
    public, platform, metrics, admin = (f"127.0.0.1:{port}" for port in free_ports(4))
    listeners = {"public": public, "platform": platform, "metrics": metrics, "admin": admin}
    usual: dict[str, Any] = {"servers": servers, "page": str(PAGE), "files": str(HERE)}
    config = configuration(Gateway(**{**usual, **listeners, **differs}))
    change(config)
    with starting(config, folder, admin) as pid:
        yield Running(public, platform, metrics, admin, pid)


@contextmanager
def starting(config: dict[str, Any], folder: Path, admin: str) -> Iterator[int]:
    """Run Envoy with a configuration, from when every server that serves is known to."""
    file = folder / "envoy.json"
    file.write_text(json.dumps(config, indent=1), encoding="utf-8")
    with (folder / "envoy.log").open("w") as log:
        process = subprocess.Popen(
            [command(), "-c", file, "--use-dynamic-base-id", "--log-level", "warning"],
            stdout=log,
            stderr=log,
        )
        try:
            _await(process, folder / "envoy.log", admin)
            yield process.pid
        finally:
            process.terminate()
            process.wait(20)


def _await(process: "subprocess.Popen[bytes]", log: Path, admin: str) -> None:
    end = time.monotonic() + SECONDS
    while _ask(admin, "/ready") != "LIVE":
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(f"expected a gateway that starts, got: {log.read_text()}")
        time.sleep(0.05)


def _ask(address: str, path: str) -> str:
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=5) as response:
            return str(response.read().decode().strip())
    except (OSError, urllib.error.URLError):
        return ""
