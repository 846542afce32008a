"""The command answers a person and a program, from the engine or from a server."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from shisanzhi.cli import main
from shisanzhi.engine import game_logic
from shisanzhi.engine.questions import DealQuestion

from tests.servers import serving

COMMAND = Path(sys.executable).with_name("shisanzhi")
DEMO = Path(__file__).parent.parent / "demo" / "play.py"
SEED = bytes(range(16)).hex()
NOWHERE = "127.0.0.1:1"

WORKED_ROUND: dict[str, Any] = {
    "ruleset": "bonus",
    "cut_card": "6d",
    "dealer": 0,
    "arrangements": [
        {"front": "Qd Tc 4c", "middle": "Ah Qc Jd Td 9c", "back": "Js Ts 8s 7s 3s"},
        {"front": "Ks Kc 4h", "middle": "8d 7d 5c 5d 4d", "back": "Kh Qh Jh Th 9h"},
        {"front": "7h 6s 3d", "middle": "6s 6c Kd 5h 2s", "back": "Qs Qs 4s 4s As"},
        {"front": "2d 2c 9s", "middle": "5s 3h 9d 8h 6h", "back": "As Ks Js Ts 7s"},
    ],
}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with serving() as process:
        yield process.address


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=stdin, catch_exceptions=False)
