"""The load test plays and judges; servers that come and go cost no call."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from deploy.loadtest.run import main

pytestmark = pytest.mark.real

SHORT = ("--seconds", "3", "--users", "5", "--via", "round_robin", "--replicas", "1")


def thresholds(folder: Path, **changed: float) -> str:
    wanted = {"least_requests": 50, "most_failures": 0.0, "p99": 30000, **changed}
    file = folder / "thresholds.toml"
    file.write_text(
        f"least_requests = {wanted['least_requests']}\nmost_failures = {wanted['most_failures']}\n"
        f"[milliseconds]\nScore = {{ p99 = {wanted['p99']} }}\n"
    )
    return str(file)


def run(folder: Path, *words: str, **changed: float) -> int:
    limits = thresholds(folder, **changed)
    return main(["--thresholds", limits, "--report", str(folder / "report"), *words])


def figures(folder: Path) -> Any:
    return json.loads((folder / "report" / "figures.json").read_text())


def test_servers_that_are_stopped_and_replaced_cost_no_call(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = (
        "--seconds",
        "15",
        "--users",
        "15",
        "--pace",
        "0.3",
        "--disturb",
        "TERM",
        "--no-retries",
    )
    assert run(tmp_path, *words) == 0
    report = tmp_path / "report"
    assert "<html" in (report / "report.html").read_text()
    played = {"DealRound", "Validate", "Arrange", "Score", "AdvanceMatch", "Evaluate"}
    assert played <= set(figures(tmp_path))
    # Beside them a match is killed and played on.
    said = capfd.readouterr().out
    assert re.search(r"^match: 16 rounds of CLASSIC, .* resumed in round \d+", said, re.MULTILINE)


def test_a_match_that_goes_wrong_makes_it_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tmp_path, *SHORT) == 0
    monkeypatch.setattr("deploy.loadtest.run.EXAMPLE", tmp_path)  # where no table server is
    assert run(tmp_path, *SHORT) == 1


def test_a_threshold_that_is_missed_makes_it_fail(tmp_path: Path) -> None:
    words = (*SHORT, "--no-match")
    assert run(tmp_path, *words, p99=0.001) == 1
    assert run(tmp_path, *words, least_requests=10**9) == 1


def test_an_open_loop_begins_rounds_at_its_rate(tmp_path: Path) -> None:
    one = ("--via", "round_robin", "--replicas", "1", "--no-match")
    words = ("--seconds", "8", "--arrival-rate", "5", *one)
    assert run(tmp_path, *words) == 0
    # 40, give or take four deviations.
    assert 15 < figures(tmp_path)["StartMatch"]["requests"] < 70
