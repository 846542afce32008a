"""Runs the two images beside the server's as the cluster does: the page's, and the load test's.

    python -m deploy.image.check_beside VERSION [--seconds 20]

Not root, read-only, no capability, and their files mounted as ConfigMaps are. The gateway's
container stands before two real servers, serves the page that was built and answers JSON; the load
test's container plays through it.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.gateway.gateway import DESCRIPTOR, OPENAPI, Gateway, configuration
from deploy.gateway.local import free_ports
from deploy.image.check import expect, say
from deploy.image.engine import LOCKED_IN, engine
from deploy.loadtest.run import HERE as SCENARIO
from deploy.loadtest.run import replicas

SCRATCH = "/tmp"  # noqa: S108 - inside the container
PAGE = Path("clients/web/dist")
EVALUATE = "/shisanzhi.v1.GameLogicService/Evaluate"
ROW = ("CARD_SPADES_ACE", "CARD_HEARTS_ACE", "CARD_CLUBS_KING")


def words(image: str, name: str, mounted: Path, at: str, *given: str) -> list[str]:
    """Give the command that runs an image with a folder mounted, locked in."""
    return [
        *engine().words,
        *("run", "--rm", "--name", name, "--network", "host", *engine().run_flags, *LOCKED_IN),
        *("--tmpfs", f"{SCRATCH}:mode=1777", "--volume", f"{mounted}:{at}:ro"),
        *(image, *given),
    ]


@contextmanager
def gateway(image: str, servers: Sequence[str], folder: Path) -> Iterator[tuple[str, str]]:
    """Run the page's image before some servers; give its public address and the platform's."""
    public, platform, metrics, admin = (f"127.0.0.1:{port}" for port in free_ports(4))
    config = configuration(Gateway(servers, public, platform, metrics, admin))
    (folder / "envoy.yaml").write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    for file in (DESCRIPTOR, OPENAPI):
        shutil.copy(file, folder)
    name = f"shisanzhi-page-{public.rpartition(':')[2]}"
    # As in the Deployment: the arguments in place of the image's own.
    flags = ("--config-path", "/etc/envoy/envoy.yaml", "--concurrency", "1", "--log-level", "error")
    process = subprocess.Popen(words(image, name, folder, "/etc/envoy", *flags))
    try:
        end = time.monotonic() + 30
        while ask(metrics, "/ready")[0] != 200:
            expect(process.poll() is None and time.monotonic() < end, "it starts", process.poll())
            time.sleep(0.2)
        yield public, platform
    finally:
        subprocess.run([*engine().words, "stop", name], check=False, capture_output=True)
        process.wait(30)


def ask(address: str, path: str, body: object = None) -> tuple[int, bytes]:
    """Ask by HTTP; give status and body, 0 where nobody answers."""
    request = urllib.request.Request(f"http://{address}{path}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - http, as written above
            return int(answer.status), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, b""


def check_page(public: str) -> None:
    """See that every file is served as it was built, and that a browser's call is answered."""
    files = {f"/{file.relative_to(PAGE)}": file for file in PAGE.rglob("*") if file.is_file()}
    for path, file in {"/": PAGE / "index.html", **files}.items():
        got = ask(public, path)
        expect(got == (200, file.read_bytes()), f"{path} is the file that was built", got[0])
    expect(ask(public, "/no-such-file")[0] == 404, "what is no file is not found", "another status")
    asked = {"ruleset": "RULESET_CLASSIC", "rows": [{"cards": ROW}]}
    status, body = ask(public, EVALUATE, asked)
    expect(status == 200 and b"CATEGORY_PAIR" in body, "a row is judged", (status, body))
    say(f"the page's image serves {len(files)} files as they were built, and judges a row")


def check_loadtest(image: str, platform: str, seconds: int) -> None:
    """See that the load test's image plays, and meets no failure."""
    given = (
        *("--locustfile", "/etc/loadtest/locustfile.py", "--headless", "--only-summary"),
        *("--host", platform, "--users", "10", "--spawn-rate", "10", "--stop-timeout", "12"),
        *("--run-time", f"{seconds}s", "--thresholds", "/etc/loadtest/survives.toml"),
        *("--html", f"{SCRATCH}/report.html", "Tables", "Spectators"),
    )
    with tempfile.TemporaryDirectory() as folder:
        mounted = readable(Path(folder))
        for file in (SCENARIO / "locustfile.py", Path(__file__).with_name("survives.toml")):
            shutil.copy(file, mounted)
        name = f"shisanzhi-loadtest-{platform.rpartition(':')[2]}"
        done = subprocess.run(words(image, name, mounted, "/etc/loadtest", *given), check=False)
    expect(done.returncode == 0, "the load test's image plays without a failure", done.returncode)
    say("the load test's image played through it without a failure")


def readable(folder: Path) -> Path:
    """Let the containers' user read a folder, as he reads a ConfigMap."""
    folder.chmod(0o755)
    return folder


def main(given: Sequence[str] | None = None) -> None:
    """Check both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("version")
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args(given)
    expect((PAGE / "index.html").exists(), "the page is built", f"no {PAGE}; make image-page")
    with tempfile.TemporaryDirectory() as name:
        folder = readable(Path(name))
        with (
            replicas(2, folder) as servers,
            gateway(
                f"shisanzhi-page:{options.version}", [each.address for each in servers], folder
            ) as (public, platform),
        ):
            check_page(public)
            check_loadtest(f"shisanzhi-loadtest:{options.version}", platform, options.seconds)


if __name__ == "__main__":
    main()
