"""The shipped rules and the dashboard, and a real Prometheus to try them with."""

import json
import re
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deploy.gateway.local import free_ports
from deploy.prometheus import RULES, command, rules, write

MONITORING = RULES.parent


def alerts() -> list[dict[str, Any]]:
    return [rule for group in rules()["groups"] for rule in group["rules"] if "alert" in rule]


def promtool(*words: str | Path) -> str:
    """Run promtool; give what it says where it is not content."""
    done = subprocess.run(["promtool", *words], capture_output=True, text=True, check=False)  # noqa: S607 - as installed
    return "" if done.returncode == 0 else done.stdout + done.stderr


def dashboard_queries(interval: str) -> list[str]:
    """Give every query of the dashboard, as Grafana sends it."""
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    found = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    found += [each["expr"] for each in dashboard["annotations"]["list"]]
    return [re.sub(r"\$__rate_interval", interval, expression) for expression in found]


@contextmanager
def prometheus(
    folder: Path,
    servers: Sequence[str],
    gateways: Sequence[str] = (),
    given_rules: dict[str, Any] | None = None,
) -> Iterator[int]:
    """Run one that scrapes each second; give its port."""
    (port,) = free_ports(1)
    file = write(folder, servers, gateways, given_rules, interval="1s")
    process = subprocess.Popen(
        command(file, f"127.0.0.1:{port}"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 30
        while not _ready(port):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.2)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _ready(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=5).close()
    except OSError:
        return False
    return True


def samples(port: int, expression: str) -> list[dict[str, Any]]:
    url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(url, timeout=10) as response:
        found: list[dict[str, Any]] = json.load(response)["data"]["result"]
    return found


def firing(port: int) -> set[str]:
    return {each["metric"]["alertname"] for each in samples(port, 'ALERTS{alertstate="firing"}')}
