"""The loader of the golden cases fails rather than test nothing."""

import re
from pathlib import Path

import pytest

from shisanzhi.v1.error_pb2 import ErrorReason
from tests import vectors


def test_a_missing_golden_file_fails(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        vectors.cases("evaluate", tmp_path)


def test_an_empty_golden_file_fails(tmp_path: Path) -> None:
    (tmp_path / "evaluate.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=r"expected golden cases in evaluate\.jsonl, got none"):
        vectors.cases("evaluate", tmp_path)


def test_every_golden_file_holds_cases() -> None:
    names = [path.stem for path in vectors.DIRECTORY.glob("*.jsonl")]
    expected = {"evaluate", "order", "validate", "score", "deal", "seats"}
    expected |= {"arrange", "match", "rulesets", "pairs", "texts", "errors"}
    assert expected == set(names)
    assert all(vectors.cases(name) for name in names)


def test_every_reason_has_a_golden_case_or_a_reason_why_not() -> None:
    page = (vectors.DIRECTORY / "README.md").read_text(encoding="utf-8")
    table = page.partition("| reason | why it has no case |")[2]
    exempt = re.findall(r"^\| `([A-Z_]+)` \| .+ \|$", table, re.MULTILINE)
    met = {fault["reason"] for case in vectors.cases("errors") for fault in case["faults"]}
    every = [name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()]  # noqa: SIM118 - no mapping
    assert sorted(every) == sorted([*met, *exempt])
