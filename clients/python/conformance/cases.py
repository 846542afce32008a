"""The golden cases, read strictly: what this runner does not know, it does not pass over."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

Case = Mapping[str, Any]


def read(folder: Path, fields: Mapping[str, Collection[str]]) -> dict[str, list[Case]]:
    """Read the file of every kind; raises ValueError for one that is missing, unknown or empty.

    So does a case whose fields are not those of its kind.
    """
    found = {path.stem for path in folder.glob("*.jsonl")}
    if found != set(fields):
        raise ValueError(f"expected the kinds {sorted(fields)}, got {sorted(found)}")
    every = {kind: _lines(folder / f"{kind}.jsonl") for kind in fields}
    for kind, cases in every.items():
        for line, case in enumerate(cases, start=1):
            if case.keys() - {"note"} != set(fields[kind]):
                raise ValueError(
                    f"expected the fields {sorted(fields[kind])} in line {line} of {kind}, "
                    f"got {sorted(case)}"
                )
    return every


def _lines(path: Path) -> list[Case]:
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if not cases:
        raise ValueError(f"expected cases in {path.name}, got none")
    return cases
