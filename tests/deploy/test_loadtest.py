"""The load test plays and judges; servers that come and go cost no call."""

from pathlib import Path

import pytest

from deploy.loadtest.run import main

pytestmark = pytest.mark.real


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


def test_servers_that_are_stopped_and_replaced_cost_no_call(tmp_path: Path) -> None:
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
    lines = (report / "report_stats.csv").read_text().splitlines()
    named = {line.split(",")[1] for line in lines}
    assert {"DealRound", "Validate", "Arrange", "Score", "AdvanceMatch", "Evaluate"} <= named


def test_a_threshold_that_is_missed_makes_it_fail(tmp_path: Path) -> None:
    words = ("--seconds", "3", "--users", "5", "--via", "round_robin", "--replicas", "1")
    assert run(tmp_path, *words, p99=0.001) == 1
    assert run(tmp_path, *words, least_requests=10**9) == 1


def test_an_open_loop_begins_rounds_at_its_rate(tmp_path: Path) -> None:
    words = ("--seconds", "8", "--arrival-rate", "5", "--via", "round_robin", "--replicas", "1")
    assert run(tmp_path, *words) == 0
    lines = (tmp_path / "report" / "report_stats.csv").read_text().splitlines()
    header = lines[0].split(",")
    started = next(line.split(",") for line in lines if ",StartMatch," in line)
    assert 15 < int(started[header.index("Request Count")]) < 70  # 40, give or take four deviations
