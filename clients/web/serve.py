"""Serves the page on this machine: a server, the gateway in front of it, and where to look.

It ends, with both, when it is interrupted.
"""

import argparse
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(__file__).with_name("dist")
SHISANZHI = Path(sys.executable).with_name("shisanzhi")
GATEWAY = ROOT / "deploy" / "gateway" / "gateway.py"
SERVE = ("serve", "--host", "127.0.0.1", "--port", "0", "--drain-delay", "0")
ANNOUNCEMENT = "serving on "
START_SECONDS = 30


def main() -> None:
    """Serve until interrupted."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--port", type=int, default=8080, help="the page's; 0 takes a free one")
    port = options.parse_args().port or free_ports(1)[0]
    signal.signal(signal.SIGTERM, _interrupt)
    with ExitStack() as running:
        server = running.enter_context(process([SHISANZHI, *SERVE]))
        address = announced_address(server)
        gateway = running.enter_context(process(gateway_command(address, port)))
        page = f"http://127.0.0.1:{port}/"
        await_page(page, gateway)
        print(f"server on {address}\npage on {page}", flush=True)
        try:
            gateway.wait()
        except KeyboardInterrupt:
            print("stopping", flush=True)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def gateway_command(server: str, port: int) -> list[str | Path]:
    """Give the command that runs the gateway for demonstration, with the page."""
    inner = zip(("platform", "metrics", "admin"), free_ports(3), strict=True)
    others = [word for name, at in inner for word in (f"--{name}", f"127.0.0.1:{at}")]
    public = ["--server", server, "--public", f"127.0.0.1:{port}", "--page", BUILT, "--demo"]
    return [sys.executable, GATEWAY, *public, *others]


@contextmanager
def process(command: Sequence[str | Path]) -> Iterator["subprocess.Popen[str]"]:
    """Run a command for the length of a block."""
    started = subprocess.Popen(  # noqa: S603 - our own commands
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield started
    finally:
        started.terminate()
        started.wait(timeout=60)


def announced_address(server: "subprocess.Popen[str]") -> str:
    """Wait for the line in which a server says where it listens."""
    for line in server.stdout or ():
        if line.startswith(ANNOUNCEMENT):
            return line.removeprefix(ANNOUNCEMENT).strip()
    sys.exit(f"expected a server that starts, got exit code {server.wait()}")


def await_page(page: str, gateway: "subprocess.Popen[str]") -> None:
    """Wait until the gateway gives the page."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and gateway.poll() is None:
        try:
            with urllib.request.urlopen(page, timeout=5):  # noqa: S310 - our own address
                return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"expected a gateway that serves {page}, got none: is Envoy here (`make page`)?")


def free_ports(count: int) -> list[int]:
    """Give ports that nobody uses just now."""
    tried = [socket.socket() for _ in range(count)]
    for each in tried:
        each.bind(("127.0.0.1", 0))
    ports = [int(each.getsockname()[1]) for each in tried]
    for each in tried:
        each.close()
    return ports


if __name__ == "__main__":
    main()
