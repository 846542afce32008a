"""Builds or checks the clients, two at a time, each into a log of its own."""

import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.conformance import options
from tests.conformance.languages import GENERATED, LANGUAGES, ROOT, Language

LOGS: Final = ROOT / "build" / "conformance"
AT_ONCE: Final = 2
"""More would only wait for each other: compilers take every processor they get."""


def make(languages: Sequence[Language], target: str) -> None:
    """Make a target of each; exit with the log of one that fails."""
    LOGS.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        failed = [log for log in pool.map(lambda each: _make(each, target), languages) if log]
    for log in failed:
        print(log.read_text(encoding="utf-8", errors="replace"))
    if failed:
        sys.exit(f"expected `make {target}` to succeed everywhere, got {len(failed)} failures")


def _make(language: Language, target: str) -> Path | None:
    """Give the log if it fails."""
    started = time.monotonic()
    log = LOGS / f"{language.name}-{target}.log"
    with log.open("wb") as out:
        done = subprocess.run(
            language.make(target), stdout=out, stderr=subprocess.STDOUT, check=False
        )
    print(f"{language.name}: {target} took {time.monotonic() - started:.0f} s", flush=True)
    return log if done.returncode else None


if __name__ == "__main__":
    verb = sys.argv.pop(1)
    make(options.languages(__doc__, (*LANGUAGES, *GENERATED)), verb)
