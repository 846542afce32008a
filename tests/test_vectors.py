"""The loader of the golden cases fails rather than test nothing."""

from pathlib import Path

import pytest

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
    expected |= {"arrange", "match", "rulesets", "pairs", "texts"}
    assert expected <= set(names)
    assert all(vectors.cases(name) for name in names)
