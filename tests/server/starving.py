"""Stops under load while others want every processor, over and over; no call may be cut off.

python -m tests.server.starving [STOPS]
"""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tests.server.load import channel, load
from tests.servers import serving

CONCURRENT = 200
NEIGHBOURS = 5


@contextmanager
def neighbours(count: int) -> Iterator[None]:
    """Run programs that never rest, for the length of a block."""
    endless = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(endless) for _ in range(count)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


async def stop_once() -> Counter[tuple[str, str]]:
    """Stop a starved server with calls in flight; give how those failed that nobody makes again."""
    with serving("--drain-delay", "0.3") as process, neighbours(NEIGHBOURS):
        channels = [channel(process.address) for _ in range(4)]
        async with load(channels, CONCURRENT, stubborn=False) as made:
            await asyncio.sleep(1)
            process.signal()
            assert await asyncio.to_thread(process.wait) == 0
    failures = made.summary()
    return Counter(
        {failure: count for failure, count in failures.items() if failure[0] != "UNAVAILABLE"}
    )


def run(stops: int) -> Counter[tuple[str, str]]:
    """Stop so many servers, each on a starved machine; give how calls in flight failed."""
    return sum((asyncio.run(stop_once()) for _ in range(stops)), Counter())


if __name__ == "__main__":
    STOPS = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    lost = run(STOPS)
    sys.stdout.write(f"{STOPS} stops, {sum(lost.values())} calls cut off {dict(lost) or ''}\n")
    sys.exit(bool(lost))
