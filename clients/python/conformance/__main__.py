"""Runs every kind, as ``clients/README.md`` has it."""

import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from shisanzhi.client import Client

from . import cases, example, newer, verify
from .cases import Case
from .kinds import KINDS, Kind
from .report import Report

Failure = tuple[int, object]
"""A line of the file, and what is wrong with it."""


def main() -> None:
    """Exit with 0 if every case passed."""
    report = Report()
    libraries = ", ".join(f"{name} {version(name)}" for name in ("grpcio", "protobuf"))
    report.versions(f"python {platform.python_version()}, {libraries}")
    fields = {name: (*kind.asks, *kind.answers) for name, kind in KINDS.items()}
    try:
        every = cases.read(Path(os.environ["SHISANZHI_VECTORS"]), fields)
    except ValueError as error:
        sys.exit(f"conformance: {error}")
    target = os.environ["SHISANZHI_TARGET"]
    with Client(target) as client:
        for name, kind in KINDS.items():
            _tell(report, name, len(every[name]), failures(client, kind, every[name]))
    _tell(report, "verify", len(every["deal"]), verify.failures(every["deal"]))
    _tell(report, "example", 1, example.failures(target))
    if newer_target := os.environ.get("SHISANZHI_NEWER_TARGET"):
        _tell(report, "newer", newer.CHECKS, newer.failures(newer_target))
    sys.exit(report.failed)


def _tell(report: Report, kind: str, cases: int, failures: Iterator[Failure]) -> None:
    failed = set()
    for line, what in failures:
        report.failure(kind, line, what)
        failed.add(line)
    report.kind(kind, cases - len(failed))


def failures(client: Client, kind: Kind, cases: Sequence[Case]) -> Iterator[Failure]:
    """Ask for each case by itself, then for all together where there is such a method."""
    for line, case in enumerate(cases, start=1):
        try:
            yield from _difference(line, kind, case, kind.ask(client, case))
        except Exception as error:  # noqa: BLE001 - whatever it is, the case has failed
            yield line, error
    if kind.together is not None:
        try:
            together = kind.together(client, cases)
            for line, (case, answer) in enumerate(zip(cases, together, strict=True), start=1):
                yield from _difference(line, kind, case, answer)
        except Exception as error:  # noqa: BLE001 - the same of all cases
            yield from ((line, error) for line in range(1, len(cases) + 1))


def _difference(line: int, kind: Kind, case: Case, answer: Any) -> Iterator[Failure]:
    for field in kind.answers:
        expected = sorted(case[field]) if field == "reasons" else case[field]  # they are a set
        if answer[field] != expected:
            yield line, f"expected {field} {expected}, got {answer[field]}"


if __name__ == "__main__":
    main()
