"""Every alert means something, fires when it should, and does not when it should not."""

import copy
import re
import shutil
from pathlib import Path

import pytest
import yaml

from deploy.prometheus import rules, write
from tests.deploy.monitoring import MONITORING, alerts, promtool

UNIT_TESTS = Path(__file__).with_name("rules_test.yaml")
NAMES = [alert["alert"] for alert in alerts()]


def unit_tests_say(folder: Path) -> str:
    shutil.copy(UNIT_TESTS, folder)
    return promtool("test", "rules", folder / UNIT_TESTS.name)


@pytest.mark.real
def test_the_rules_are_rules(tmp_path: Path) -> None:
    assert promtool("check", "config", write(tmp_path, ["127.0.0.1:1"])) == ""


@pytest.mark.real
def test_alerts_fire_and_do_not(tmp_path: Path) -> None:
    write(tmp_path, [])
    assert unit_tests_say(tmp_path) == ""


@pytest.mark.real
@pytest.mark.parametrize("expression", ["vector(0) > 1", "vector(1) == 1"], ids=["never", "always"])
def test_an_alert_that_never_or_always_fires_is_found(expression: str, tmp_path: Path) -> None:
    broken = copy.deepcopy(rules())
    for group in broken["groups"]:
        for rule in group["rules"]:
            if "alert" in rule:
                rule["expr"] = expression
    write(tmp_path, [], given_rules=broken)
    assert set(re.findall(r"alertname:\s*(\w+)", unit_tests_say(tmp_path))) == set(NAMES)


def test_every_alert_has_a_test_that_fires_it() -> None:
    tests = yaml.safe_load(UNIT_TESTS.read_text())["tests"]
    fired = {
        case["alertname"]
        for test in tests
        for case in test.get("alert_rule_test", [])
        if case["exp_alerts"]
    }
    assert fired == set(NAMES)


def test_every_alert_has_a_paragraph_and_no_other_has() -> None:
    runbook = (MONITORING / "runbook.md").read_text(encoding="utf-8")
    paragraphs = dict(
        re.findall(r"^## (\w+)\n\n(.+?)(?=\n\n## |\Z)", runbook, re.MULTILINE | re.DOTALL)
    )
    assert list(paragraphs) == NAMES
    for alert in alerts():
        assert alert["annotations"]["runbook"] == f"runbook.md#{alert['alert'].lower()}"
        assert alert["labels"]["severity"] in {"page", "ticket"}
        assert len(paragraphs[alert["alert"]].split()) > 20
