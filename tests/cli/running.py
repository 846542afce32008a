"""The command, run in this process, in one of its own, and on a terminal."""

import fcntl
import json
import os
import struct
import subprocess
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from shisanzhi.cli import main
from tests.servers import COMMAND

ROOT = Path(__file__).parent.parent.parent
ROUND_FILE = ROOT / "demo" / "round.json"
SEED = bytes(range(16)).hex()
CLASSIC = ("--ruleset", "classic")
LEGAL = ("2c 3d 4h", "5s 6c 7d 8h 9s", "Tc Jd Qh Ks Ac")
FOUL = ("9c 9d Kh", "9s 9h 5d 4h 3s", "As Ah 3c 4c 6c")


def run(*words: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, words, input=stdin)


def run_json(*words: str, stdin: str | None = None) -> Any:
    return json.loads(run(*words, "--json", stdin=stdin).stdout)


def faults(result: Result) -> list[tuple[str, str]]:
    """The path and reason of each fault reported in JSON."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return [(each["path"], each["reason"]) for each in json.loads(result.stderr)["faults"]]


def in_shell(line: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    """Run a line of shell in which ``shisanzhi`` is the command."""
    path = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],  # noqa: S607 - as installed
        cwd=ROOT,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        timeout=60,
        check=False,
    )


def on_terminal(
    *command: str | Path, columns: int = 0, environment: Mapping[str, str] | None = None
) -> str:
    """What a command prints where its output is a terminal of so many columns."""
    screen, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    hidden = ("NO_COLOR", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    with subprocess.Popen(
        command, stdout=terminal, env={**kept, "TERM": "xterm", **(environment or {})}
    ) as process:
        os.close(terminal)
        printed = b""
        while part := _read(screen):
            printed += part
    os.close(screen)
    assert process.returncode == 0
    return printed.decode()


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # as Linux has it once nobody writes any more
        return b""
