"""How a server holds up under load, beside one that does nothing: throughput, and latency below it.

    python -m tests.bench.load [SECONDS]

h2load (of nghttp2) makes the calls, since a client in Python would be busy before the server is.
"""

import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from tests import questions
from tests.bench.server import server
from tests.server.calls import percentile

METHOD = "Evaluate"
CLIENTS = 8
STREAMS = 8


class Run(NamedTuple):
    """Calls answered per second, and the latencies, in milliseconds."""

    rate: float
    p50: float
    p99: float


def run(address: str, seconds: int, folder: Path, rate: float | None = None) -> Run:
    """Call for some seconds, as fast as it goes or at a rate."""
    message = questions.raw(METHOD)
    body, log = folder / "body", folder / "log"
    body.write_bytes(b"\x00" + len(message).to_bytes(4) + message)
    log.unlink(missing_ok=True)
    # At a rate every client has one call in hand at most times; more only while it lags behind.
    limits = ["--rps", f"{rate / CLIENTS:.1f}"] if rate else []
    subprocess.run(
        [
            *("h2load", "--duration", str(seconds), "--warm-up-time", "1"),
            *("--clients", str(CLIENTS), "--max-concurrent-streams", str(STREAMS), *limits),
            *("--data", body, "--log-file", log),
            *("--header", "content-type: application/grpc", "--header", "te: trailers"),
            f"http://{address}{questions.path(METHOD)}",
        ],
        check=True,
        capture_output=True,
    )
    rows = [line.split("\t") for line in log.read_text().splitlines()]
    took = [int(row[2]) / 1000 for row in rows if row[1] == "200"]
    return Run(len(took) / seconds, percentile(took, 0.5), percentile(took, 0.99))


def main(seconds: int) -> None:
    print(f"{METHOD}, calls per second and latency in ms, {seconds} s each")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for kind in ("noop", "shipped"):
            target = stack.enter_context(server(kind))
            run(target.address, 2, folder)
            full = run(target.address, seconds, folder)
            print(f"{kind:8} at saturation    {tell(full)}", flush=True)
            for share in (0.5, 0.9):
                seen = run(target.address, seconds, folder, share * full.rate)
                print(f"{kind:8} at {share:.0%} of it     {tell(seen)}", flush=True)


def tell(seen: Run) -> str:
    return f"{seen.rate:6.0f}/s   p50 {seen.p50:6.2f}   p99 {seen.p99:6.2f}"


if __name__ == "__main__":
    if shutil.which("h2load") is None:
        sys.exit("h2load is not here to make the calls: install nghttp2-client for throughput")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
