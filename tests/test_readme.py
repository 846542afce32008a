"""The README is true: every command and example in it is run, and prints what it shows."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.servers import Process, serving

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ADDRESS = "127.0.0.1:50051"

BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SESSION = re.compile(r"\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:.*\n)*)")
SESSIONS = [
    (session["command"], session["output"])
    for language, text in BLOCKS
    if language == "console" and (session := SESSION.fullmatch(text))
]
SERVE, *ASK = SESSIONS
SCRIPTS = [
    (text, output)
    for (language, text), (follows, output) in pairwise(BLOCKS)
    if (language, follows) == ("python", "text")
]
MAKE = [line.split("#")[0].split() for line in README.splitlines() if line.startswith("make ")]
LINKS = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README)


@pytest.fixture(scope="module")
def server() -> Iterator[Process]:
    """The server that the README starts, but on a free port."""
    command, *flags = SERVE[0].replace("50051", "0").split()
    assert command == "shisanzhi"
    assert flags.pop(0) == "serve"
    with serving(*flags) as process:
        yield process


def run(command: list[str], server: Process, text: str | None = None) -> str:
    """What a command prints, as if the server were where the README has it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [*command, text.replace(ADDRESS, server.address)] if text else command,
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout.replace(server.address, ADDRESS)


def test_every_block_is_run() -> None:
    languages = [language for language, _ in BLOCKS]
    assert languages.count("console") == len(SESSIONS)
    assert languages.count("python") == languages.count("text") == len(SCRIPTS)
    assert languages.count("sh") == 1
    assert set(languages) == {"console", "python", "text", "sh"}


def test_server_says_where_it_serves(server: Process) -> None:
    assert SERVE[1] == f"serving on {ADDRESS}\n"
    assert f"serving on {server.address}\n" in server.stdout


@pytest.mark.parametrize(("command", "output"), ASK, ids=[command for command, _ in ASK])
def test_command_prints_what_is_shown(command: str, output: str, server: Process) -> None:
    assert run(["bash", "-c"], server, command) == output


@pytest.mark.parametrize(("script", "output"), SCRIPTS)
def test_script_prints_what_is_shown(script: str, output: str, server: Process) -> None:
    assert run([sys.executable, "-c"], server, script) == output


@pytest.mark.parametrize("words", MAKE, ids=" ".join)
def test_make_has_the_target(words: list[str]) -> None:
    make, *targets = words
    subprocess.run([make, "--dry-run", *targets], cwd=ROOT, capture_output=True, check=True)


@pytest.mark.parametrize("link", LINKS)
def test_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
