"""One run of a language's runner: what it printed, read."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tests.conformance.languages import Language
from tests.conformance.process import running
from tests.vectors import DIRECTORY

SECONDS: Final = 900
"""Longer than any runner takes; one that hangs is ended and has failed."""

_LINE: Final = re.compile(r"conformance: (?P<language>\S+) (?P<word>\S+) (?P<rest>.+)")


class Run(NamedTuple):
    """What a runner said of itself."""

    language: Language
    exit_code: int
    versions: str
    passed: Mapping[str, int]
    failures: tuple[str, ...]
    """Each as ``<kind> <line>: <what>``."""
    output: str

    def faults(self, cases: Mapping[str, int]) -> Iterator[str]:
        """Say what is wrong with it, where every kind has so many cases."""
        yield from self.failures
        for kind in cases.keys() | self.passed.keys():
            expected, got = cases.get(kind, "no such kind"), self.passed.get(kind, "nothing")
            if expected != got:
                yield f"{kind}: expected {expected}, got {got}"
        if not self.versions:
            yield "expected its versions, got none"
        if self.exit_code:
            yield f"expected exit code 0, got {self.exit_code}"


def case_counts(folder: Path = DIRECTORY) -> dict[str, int]:
    """Count the cases of every kind, as the runners should."""
    counts = {
        path.stem: len(path.read_text(encoding="utf-8").splitlines())
        for path in sorted(folder.glob("*.jsonl"))
    }
    return counts | {"verify": counts["deal"], "example": 1}


def run(language: Language, target: str, folder: Path = DIRECTORY, newer: str | None = None) -> Run:
    """Run a language's runner to its end."""
    told = {"SHISANZHI_TARGET": target, "SHISANZHI_VECTORS": str(folder)}
    if newer is not None:
        told["SHISANZHI_NEWER_TARGET"] = newer
    with running(language.make("conformance"), told) as process:
        try:
            output, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            output = f"expected an end within {SECONDS} seconds"
    return read(language, process.returncode, output)


def read(language: Language, exit_code: int, output: str) -> Run:
    """Read what a runner printed, among whatever else its tools did."""
    versions, passed, failures = "", {}, []
    for line in output.splitlines():
        found = _LINE.search(line)
        if found is None or found["language"] != language.name:
            continue
        match found["word"], found["rest"]:
            case "versions", text:
                versions = text
            case "failed", text:
                failures.append(text)
            case kind, count if count.isdigit():
                passed[kind] = int(count)
            case _:
                failures.append(f"expected a line of the page, got {line!r}")
    return Run(language, exit_code, versions, passed, tuple(failures), output)
