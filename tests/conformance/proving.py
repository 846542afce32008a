"""Proves that a break is noticed: by every language, in every field, for every method."""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.conformance import options
from tests.conformance.building import make
from tests.conformance.changes import write_as_they_are, write_changed
from tests.conformance.lacking import lacking
from tests.conformance.languages import Language
from tests.conformance.running import Run, run
from tests.rpc.wire import METHODS
from tests.servers import serving

Breaking = Callable[[Path], None]

ASKED_BY: Final[Mapping[str, str]] = {
    "Evaluate": "evaluate",
    "Validate": "validate",
    "Score": "score",
    "DealRound": "deal",
    "Arrange": "arrange",
    "BatchArrange": "arrange",
    "BatchScore": "score",
    "GetRuleset": "rulesets",
    "ListRulesets": "rulesets",
    "GetTexts": "texts",
    "StartMatch": "match",
    "AdvanceMatch": "match",
}
"""For each method a kind that cannot pass without it."""


def changed_values(language: Language, target: str) -> Iterator[str]:
    """Say which changed expectations a language does not notice."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        changed = write_changed(folder)
        done = run(language, target, folder)
    if not done.exit_code:
        yield "a changed value: expected a failure, got exit code 0"
    for kind, places in {**changed, "verify": changed["deal"]}.items():
        told = {failure.split(":")[0] for failure in done.failures}
        for line, place in enumerate(places, start=1):
            if f"{kind} {line}" not in told:
                yield f"{kind}: expected {'.'.join(map(str, place))} to be compared, it is not"
        if done.passed.get(kind, -1) != 0:
            yield f"{kind}: expected 0 changed cases to pass, got {done.passed.get(kind)}"


def lacking_methods(
    language: Language, target: str, methods: Sequence[str] = METHODS
) -> Iterator[str]:
    """Say of which methods a language does not notice that the server has them not."""
    for method in methods:
        with lacking(target, method) as address:
            done = run(language, address)
        yield from _unnoticed(done, method)


def _unnoticed(done: Run, method: str) -> Iterator[str]:
    told = [each for each in done.failures if each.startswith(f"{ASKED_BY[method]} ")]
    if not done.exit_code:
        yield f"no {method}: expected a failure, got exit code 0"
    if not any(method in each and "UNIMPLEMENTED" in each.upper() for each in told):
        yield f"no {method}: expected to be told of it, got {told[:3]}"


def _unknown_kind(folder: Path) -> None:
    (folder / "later.jsonl").write_text('{"ruleset": "bonus"}\n', encoding="utf-8")


def _missing_kind(folder: Path) -> None:
    (folder / "seats.jsonl").unlink()


def _empty_kind(folder: Path) -> None:
    (folder / "seats.jsonl").write_text("", encoding="utf-8")


def _unknown_field(folder: Path) -> None:
    path = folder / "evaluate.jsonl"
    case = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    path.write_text(json.dumps(case | {"strength": 5}) + "\n", encoding="utf-8")


STRANGE_FOLDERS: Final[Mapping[str, Breaking]] = {
    "an unknown kind": _unknown_kind,
    "a missing kind": _missing_kind,
    "an empty kind": _empty_kind,
    "an unknown field": _unknown_field,
}


def strange_folders(language: Language, target: str) -> Iterator[str]:
    """Say what a language passes over in a folder that is not as it knows it."""
    for name, breaking in STRANGE_FOLDERS.items():
        with tempfile.TemporaryDirectory() as folder:
            write_as_they_are(Path(folder))
            breaking(Path(folder))
            done = run(language, target, Path(folder))
        if not done.exit_code:
            yield f"{name}: expected a failure, got exit code 0"
        if done.passed:
            yield f"{name}: expected nothing to be asked, got {dict(done.passed)}"


def main() -> None:
    """Exit with 0 if every language notices everything."""
    languages = options.languages(__doc__)
    make(languages, "build")
    unnoticed = []
    with serving() as server:
        for language in languages:
            found = [
                *changed_values(language, server.address),
                *strange_folders(language, server.address),
                *lacking_methods(language, server.address),
            ]
            print(f"{language.name}: {len(found)} breaks pass unnoticed", flush=True)
            unnoticed += [f"{language.name}: {each}" for each in found]
    sys.exit("\n".join(unnoticed) or 0)


if __name__ == "__main__":
    main()
