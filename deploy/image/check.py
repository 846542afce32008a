"""Runs the image as the cluster does, and sees that it keeps its promises.

    python -m deploy.image.check IMAGE [--seconds 30]

Not root, a read-only root file system, no capability, 128 MB of memory: it serves, its own health
check says so, it survives the load test, and on SIGTERM it stops in order as process 1. Needs
podman or docker.
"""

import argparse
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.gateway.local import free_ports
from deploy.image.engine import LOCKED_IN, engine
from deploy.loadtest import run as loadtest

MEMORY = "128m"
SURVIVES = Path(__file__).with_name("survives.toml")
DRAIN = 2


def say(what: str) -> None:
    """Tell who watches."""
    sys.stdout.write(what + "\n")
    sys.stdout.flush()


class Container:
    """A container that runs the image."""

    def __init__(self, image: str, port: int, management: int) -> None:
        """Start it."""
        self.port = port
        self.management = f"127.0.0.1:{management}"
        settings = {
            "SHISANZHI_HOST": "127.0.0.1",
            "SHISANZHI_MANAGEMENT_HOST": "127.0.0.1",
            "SHISANZHI_PORT": str(port),
            "SHISANZHI_MANAGEMENT_PORT": str(management),
            "SHISANZHI_DRAIN_DELAY": str(DRAIN),
        }
        self.name = f"shisanzhi-check-{port}"
        self._ask(
            *("run", "--detach", "--name", self.name, "--network", "host", *engine().run_flags),
            *(*LOCKED_IN, "--memory", MEMORY, "--memory-swap", MEMORY),
            *(word for name, value in settings.items() for word in ("--env", f"{name}={value}")),
            image,
        )

    @staticmethod
    def _ask(*words: str) -> str:
        return subprocess.run(
            [*engine().words, *words], check=True, capture_output=True, text=True
        ).stdout

    def inside(self, *words: str) -> str:
        """Run a command of the image's in it."""
        return self._ask("exec", self.name, *words).strip()

    def inspect(self) -> dict[str, object]:
        """Give its state."""
        state: dict[str, object] = json.loads(self._ask("inspect", self.name))[0]["State"]
        return state

    def signal(self, name: str) -> None:
        """Send its process 1 a signal."""
        self._ask("kill", "--signal", name, self.name)

    def wait(self) -> int:
        """Wait for its end; give the exit code."""
        return int(self._ask("wait", self.name))

    def logs(self) -> str:
        """Give what it wrote."""
        done = subprocess.run(
            [*engine().words, "logs", self.name], check=True, capture_output=True, text=True
        )
        return done.stdout + done.stderr

    def remove(self) -> None:
        """Leave nothing behind."""
        self._ask("rm", "--force", "--volumes", self.name)

    def memory(self) -> float:
        """Give the resident memory of its process, in MB, as its own metrics have it."""
        with urllib.request.urlopen(f"http://{self.management}/metrics", timeout=10) as response:
            text = response.read().decode()
        line = next(
            each for each in text.splitlines() if each.startswith("process_resident_memory")
        )
        return float(line.split()[1]) / 1e6


@contextmanager
def running(image: str) -> Iterator[Container]:
    """Run one for the length of a block, from when it serves."""
    port, management = free_ports(2)
    container = Container(image, port, management)
    try:
        end = time.monotonic() + 60
        while _health(container) != 200:
            if time.monotonic() > end or not container.inspect()["Running"]:
                sys.exit(f"expected an image that serves, got: {container.logs()}")
            time.sleep(0.2)
        yield container
    finally:
        container.remove()


def _health(container: Container) -> int:
    """Ask its management port; give the HTTP status, 0 where it does not answer."""
    try:
        with urllib.request.urlopen(f"http://{container.management}/healthz", timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


_READ_ONLY = """
import os
try:
    open(os.path.expanduser("/opt/shisanzhi/x"), "w")
except OSError as error:
    print(error.errno, os.getuid(), sum(1 for line in open("/proc/self/status") if line in
        ("CapEff:\\t0000000000000000\\n", "CapBnd:\\t0000000000000000\\n", "NoNewPrivs:\\t1\\n")))
"""


def check(image: str, seconds: int) -> None:
    """See that it keeps every promise; ends with words where it does not."""
    with running(image) as container:
        errno, user, locks = container.inside("python", "-c", _READ_ONLY).split()
        expect(
            errno in {"13", "30"} and user == "65532" and locks == "3",
            "locked in",
            (errno, user, locks),
        )
        health = container.inside("shisanzhi", "health", "--target", container.management)
        expect(health == "SERVING", "its health check answers", health)
        say(
            f"serves as user {user}, writes nothing, no capability; "
            f"{container.memory():.0f} MB at rest"
        )
        code = loadtest.main(
            [
                *("--host", f"127.0.0.1:{container.port}", "--seconds", str(seconds)),
                *("--report", "build/image-loadtest", "--thresholds", str(SURVIVES)),
            ]
        )
        expect(code == 0, "the load test is survived", code)
        state = container.inspect()
        expect(bool(state["Running"]) and not state["OOMKilled"], "it lives", state)
        say(f"survived the load test with {container.memory():.0f} MB of {MEMORY}")
        stop(container)


def stop(container: Container) -> None:
    """Have it stop as the kubelet does."""
    begun = time.monotonic()
    container.signal("TERM")
    status = 200
    while status == 200:
        status = _health(container)
    expect(status == 503, "it says that it stops while it still serves", status)
    code = container.wait()
    took = time.monotonic() - begun
    lines = [line for line in container.logs().splitlines() if '"event"' in line]
    expect(code == 0 and '"stopped"' in lines[-1], "it stops in order", (code, lines[-1:]))
    say(f"on SIGTERM as process 1: NOT_SERVING, drained, exit code {code} after {took:.1f} s")


def expect(true: bool, what: str, got: object) -> None:  # noqa: FBT001 - it is what is expected
    """End with words unless something is so."""
    if not true:
        sys.exit(f"expected that {what}, got {got}")


def main(given: Sequence[str] | None = None) -> None:
    """Check an image."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("image")
    parser.add_argument("--seconds", type=int, default=30)
    options = parser.parse_args(given)
    Path("build").mkdir(exist_ok=True)
    check(options.image, options.seconds)


if __name__ == "__main__":
    main()
