"""Prometheus on one machine: scrapes servers and gateway, with the rules that the cluster has.

python -m deploy.prometheus --server 127.0.0.1:9090 --server 127.0.0.1:9091 --gateway 127.0.0.1:9902

Needs Prometheus, of the distribution, on the path.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

RULES = Path(__file__).parent / "kubernetes" / "components" / "monitoring" / "rules.yaml"


def rules() -> dict[str, Any]:
    """Give the rules as Prometheus itself reads them: what the PrometheusRule specifies."""
    spec: dict[str, Any] = yaml.safe_load(RULES.read_text(encoding="utf-8"))["spec"]
    return spec


def write(
    folder: Path,
    servers: Sequence[str],
    gateways: Sequence[str] = (),
    given_rules: dict[str, Any] | None = None,
    interval: str = "5s",
) -> Path:
    """Write a configuration into a folder; give its file."""
    folder.mkdir(parents=True, exist_ok=True)
    rule_file = folder / "rules.yaml"
    rule_file.write_text(yaml.safe_dump(given_rules or rules()), encoding="utf-8")
    configuration = {
        "global": {"scrape_interval": interval, "evaluation_interval": interval},
        "rule_files": [str(rule_file.resolve())],
        "scrape_configs": [
            _job("shisanzhi", "/metrics", servers),
            _job("gateway", "/stats/prometheus", gateways),
        ],
    }
    file = folder / "prometheus.yml"
    file.write_text(yaml.safe_dump(configuration), encoding="utf-8")
    return file


def _job(name: str, path: str, targets: Sequence[str]) -> dict[str, Any]:
    return {
        "job_name": name,
        "metrics_path": path,
        "static_configs": [{"targets": list(targets)}],
    }


def command(file: Path, listen: str) -> list[str]:
    """Give the words that start it."""
    return [
        shutil.which("prometheus") or sys.exit("expected prometheus on the path, got none"),
        f"--config.file={file}",
        f"--storage.tsdb.path={file.parent}/data",
        f"--web.listen-address={listen}",
        "--log.level=warn",
    ]


def main() -> None:
    """Become Prometheus."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--server", action="append", default=[], metavar="HOST:PORT")
    parser.add_argument("--gateway", action="append", default=[], metavar="HOST:PORT")
    parser.add_argument("--listen", default="127.0.0.1:9095", metavar="HOST:PORT")
    parser.add_argument("--folder", type=Path, default=Path("build/prometheus"))
    given = parser.parse_args()
    words = command(write(given.folder, given.server, given.gateway), given.listen)
    sys.stdout.write(f"alerts on http://{given.listen}/alerts\n")
    sys.stdout.flush()
    os.execv(words[0], words)  # noqa: S606 - Prometheus itself is to get the signals


if __name__ == "__main__":
    main()
