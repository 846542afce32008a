"""What every language passed, in one table."""

from collections.abc import Mapping, Sequence

from tests.conformance.running import Run


def matrix(runs: Sequence[Run], cases: Mapping[str, int]) -> str:
    """Draw kinds down and languages across: the cases that passed, or how many of how many.

    >>> from tests.conformance.languages import LANGUAGES
    >>> run = Run(LANGUAGES[0], 0, "python 3", {"evaluate": 32, "order": 1}, (), "")
    >>> print(matrix([run], {"evaluate": 32, "order": 2, "score": 3}))
    kind       python
    evaluate       32
    order     1 of 2!
    score     0 of 3!
    """
    rows = [["kind", *(run.language.name for run in runs)]]
    for kind, count in cases.items():
        passed = [run.passed.get(kind, 0) for run in runs]
        rows.append([kind, *(_cell(each, count) for each in passed)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )


def _cell(passed: int, count: int) -> str:
    return str(passed) if passed == count else f"{passed} of {count}!"
