"""Restarts the only server under each client's calls, three times; none may be lost."""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from tests.conformance import options
from tests.conformance.building import make
from tests.conformance.languages import Language
from tests.conformance.process import running
from tests.servers import Process, start, stop, wait_for

RESTARTS: Final = 3
SECONDS: Final = 12
PAUSE: Final = 1.5
"""Seconds that a server answers between two restarts, so that it works off what has piled up."""
LIMIT: Final = 120
"""Seconds after which a runner that has not come to an end is ended."""
ANSWERED: Final = '"code": "OK"'
"""In the log of a server: the clients have found it."""

_STARTED: Final = " started"
_ENDED: Final = re.compile(r"restarts: \S+ calls (\d+) lost (\d+)")


class Outcome(NamedTuple):
    """What a runner counted."""

    exit_code: int
    restarts: int
    calls: int
    lost: int
    output: str


def restarted(language: Language, seconds: float = SECONDS) -> Outcome:
    """Run a language's calls, and restart their server while they are made."""
    server = start("--drain-delay", "0.5")
    told = {"SHISANZHI_TARGET": server.address, "SHISANZHI_SECONDS": str(seconds)}
    restarts = 0
    try:
        with running(language.make("restarts"), told) as runner, _read(runner) as output:
            wait_for(lambda: _STARTED in "".join(output) or runner.poll() is not None, LIMIT)
            while restarts < RESTARTS and runner.poll() is None:
                _until_answering(server)
                time.sleep(PAUSE)
                stop(server)
                server = start("--port", server.address.rpartition(":")[2])
                restarts += 1
            runner.wait(LIMIT)
    finally:
        stop(server)
    text = "".join(output)
    found = _ENDED.search(text)
    calls, lost = (int(found[1]), int(found[2])) if found else (0, 0)
    return Outcome(runner.returncode, restarts, calls, lost, text)


def _until_answering(server: Process) -> None:
    """Wait until the clients have found a server."""
    wait_for(lambda: any(ANSWERED in line for line in server.log), LIMIT)


@contextmanager
def _read(runner: "subprocess.Popen[str]") -> Iterator[list[str]]:
    """Collect what a runner prints, as it does; all of it, once the block has ended."""
    assert runner.stdout is not None
    output: list[str] = []
    reader = threading.Thread(target=output.extend, args=(runner.stdout,))
    reader.start()
    try:
        yield output
    finally:
        reader.join(LIMIT)


def main() -> None:
    """Exit with 0 if no language lost a call."""
    languages = options.languages(__doc__)
    make(languages, "build")
    outcomes = {language.name: restarted(language) for language in languages}
    for name, outcome in outcomes.items():
        print(
            f"{name}: {outcome.calls} calls over {outcome.restarts} restarts, {outcome.lost} lost"
        )
        if outcome.exit_code or not outcome.calls:
            print(outcome.output)
    sys.exit(any(each.exit_code or each.lost or not each.calls for each in outcomes.values()))


if __name__ == "__main__":
    main()
