"""Rolling updates, simulated: four servers replaced one at a time, as the Deployment says.

    python -m tests.deploy.rolling [TIMES]

They are under constant load meanwhile: so many calls a second, which leaves most of a machine to
others. Every delay is the manifest's own, a tenth as long, and so is the
interval of the gateway's health checks.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deploy.gateway.gateway import Config
from deploy.gateway.local import free_ports, gateway
from shisanzhi.progress import track
from tests.deploy import policies
from tests.deploy.rendering import overlay
from tests.server.calls import percentile
from tests.server.load import channel, load
from tests.servers import Process, start, stop

SCALE = 0.1
REPLICAS = 4
LIGHT, HEAVY = 120.0, 30.0
"""Calls a second."""


class Delays(NamedTuple):
    """Of the manifest, in seconds."""

    drain: float
    grace: float
    ready: float

    def flags(self) -> Sequence[str]:
        return ("--drain-delay", str(self.drain), "--grace", str(self.grace), "--log-ok-every", "0")


def delays() -> Delays:
    objects = overlay("production")
    settings = policies.server_settings(objects)
    server = next(
        each
        for each in policies.of(objects, "Deployment")
        if each["metadata"]["name"] == "shisanzhi"
    )
    # What the simulation does below.
    assert server["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    named = (settings["drain_delay"], settings["grace"], server["spec"]["minReadySeconds"])
    return Delays(*(SCALE * each for each in named))


def scaled(config: Config) -> None:
    check = config["static_resources"]["clusters"][0]["health_checks"][0]
    for key in ("timeout", "interval", "no_traffic_interval"):
        assert check[key] == "1s"
        check[key] = f"{SCALE}s"
    check["timeout"] = "1s"  # a busy machine is not a slower network


class Rolled(NamedTuple):
    """What became of the calls meanwhile."""

    calls: int
    seconds: float
    failed: Counter[tuple[str, str]]
    p99: float


async def roll(times: int, folder: Path) -> Rolled:
    """Replace all servers so often."""
    waits = delays()
    # A pod more than there are to be: the new one comes first, then an old one goes.
    spare, *ports = free_ports(REPLICAS + 1)
    pods = {port: start("--port", str(port), *waits.flags()) for port in ports}
    try:
        addresses = [f"127.0.0.1:{port}" for port in (spare, *ports)]
        with gateway(addresses, folder, change=scaled) as running:
            return await _under_load(times, running.platform, pods, spare, waits)
    finally:
        for each in pods.values():
            stop(each)


async def _under_load(
    times: int, address: str, pods: dict[int, Process], spare: int, waits: Delays
) -> Rolled:
    begun = time.monotonic()
    connected: list[Any] = [channel(address, enable_retries=0) for _ in range(4)]
    async with (
        load(connected[:2], 6, rate=LIGHT) as light,
        load(connected[2:], 2, "Arrange", rate=HEAVY) as heavy,
    ):
        await asyncio.sleep(0.5)
        for _ in track("updates", range(times), times):
            for port in list(pods):
                pods[spare] = await asyncio.to_thread(start, "--port", str(spare), *waits.flags())
                await asyncio.sleep(waits.ready)
                old = pods.pop(port)
                assert await asyncio.to_thread(stop, old) == 0
                spare = port
        await asyncio.sleep(0.5)
    for each in connected:
        await each.close()
    outcomes = light.outcomes + heavy.outcomes
    p99 = percentile([outcome.seconds for outcome in outcomes], 0.99)
    took = time.monotonic() - begun
    return Rolled(len(outcomes), took, light.summary() + heavy.summary(), p99)


def main(times: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        rolled = asyncio.run(roll(times, Path(folder)))
    sys.stdout.write(
        f"{times} updates of {REPLICAS} servers, {rolled.calls} calls in "
        f"{rolled.seconds:.0f} s, failed: {dict(rolled.failed)}; "
        f"p99 {1000 * rolled.p99:.0f} ms; load average {os.getloadavg()[0]:.1f}\n"
    )
    return 1 if rolled.failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
