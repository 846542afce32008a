"""Scraped by a real Prometheus; the exposition judged by its promtool."""

import json
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from deploy.gateway.local import free_ports
from tests import questions
from tests.server.calls import ask, get
from tests.servers import serving

pytestmark = pytest.mark.real


def query(port: int, expression: str) -> list[str]:
    url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(url, timeout=10) as response:
        return [sample["value"][1] for sample in json.load(response)["data"]["result"]]


def test_promtool_accepts_the_exposition() -> None:
    with serving() as process:
        for method in questions.METHODS:
            ask(process, method)
        checked = subprocess.run(
            ["promtool", "check", "metrics"],  # noqa: S607 - as installed
            input=get(process, "/metrics")[1],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_prometheus_scrapes_it(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    with serving() as process:
        for _ in range(7):
            ask(process, "Evaluate")
        (tmp_path / "prometheus.yml").write_text(
            "scrape_configs: [{job_name: shisanzhi, scrape_interval: 1s, "
            f"static_configs: [{{targets: ['{process.management}']}}]}}]\n"
        )
        prometheus = subprocess.Popen(
            [  # noqa: S607 - as installed
                "prometheus",
                f"--config.file={tmp_path}/prometheus.yml",
                f"--storage.tsdb.path={tmp_path}/data",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            end = time.monotonic() + 30
            found: list[str] = []
            while not found and time.monotonic() < end:
                time.sleep(0.5)
                try:
                    found = query(
                        port, 'grpc_server_handled_total{grpc_method="Evaluate",grpc_code="OK"}'
                    )
                except OSError:
                    continue
            assert found == ["7"]
            assert query(port, 'up{job="shisanzhi"}') == ["1"]
            quantile = "histogram_quantile(0.99, sum by (le) (grpc_server_handling_seconds_bucket))"
            assert float(query(port, quantile)[0]) > 0
        finally:
            prometheus.terminate()
            prometheus.wait(20)
