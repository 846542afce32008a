"""Builds and runs every language whose tools are here; prints the matrix language × kind."""

import sys
from collections.abc import Sequence

from tests.conformance import options
from tests.conformance.building import make
from tests.conformance.languages import Language
from tests.conformance.matrix import matrix
from tests.conformance.newer import CHECKS, Newer
from tests.conformance.running import Run, case_counts, run
from tests.conformance.stub import stub_server
from tests.servers import serving


def main() -> None:
    """Exit with 0 if every case of every kind passed in every language."""
    languages = options.languages(__doc__)
    make(languages, "build")
    cases = case_counts() | {"newer": CHECKS}
    with serving() as server:
        runs = [conforming(language, server.address) for language in languages]
    print()
    for each in runs:
        print(f"{each.language.name}: {each.versions}")
    print(f"\n{matrix(runs, cases)}\n")
    faulty = [each for each in runs if told(each, list(each.faults(cases)))]
    sys.exit(bool(faulty))


def conforming(language: Language, target: str) -> Run:
    """Run one language against a real server and one that is newer than it."""
    newer = Newer()
    with stub_server(newer) as newer_target:
        done = run(language, target, newer=newer_target)
    if newer.came_back == [language.keeps_unknown]:
        return done
    expected = f"expected the later field to come back: {language.keeps_unknown}"
    failure = f"newer 5: {expected}, got {newer.came_back}"
    return done._replace(failures=(*done.failures, failure))


def told(done: Run, faults: Sequence[str]) -> bool:
    """Say what is wrong with a run, if anything is."""
    for fault in faults:
        print(f"{done.language.name}: {fault}")
    if faults and not done.failures:
        print(done.output)
    return bool(faults)


if __name__ == "__main__":
    main()
