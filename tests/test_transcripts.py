"""Whole matches, kept as golden files: every deal, arrangement, result and book of four bots."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shisanzhi.cli import main
from shisanzhi.engine.rulesets import RULESETS
from tests.servers import serving

FOLDER = Path(__file__).parent / "vectors" / "transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*.json"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as server:
        yield server.address


def play(transcript: dict[str, Any], *options: str) -> dict[str, Any]:
    """Play the match of a transcript again, from its seeds alone."""
    ruleset = transcript["match"]["ruleset"].lower()
    rounds = str(len(transcript["rounds"]))
    player_seeds = [f"--player-seed={player_seed}" for player_seed in transcript["player_seeds"]]
    command = ["match", "--json", "--ruleset", ruleset, "--seed", transcript["seed"]]
    answer = CliRunner().invoke(main, [*command, "--rounds", rounds, *player_seeds, *options])
    assert answer.exit_code == 0, answer.output
    played: dict[str, Any] = json.loads(answer.stdout)
    return played


def test_every_ruleset_has_transcripts() -> None:
    kept = {json.loads(file.read_text())["match"]["ruleset"] for file in TRANSCRIPTS}
    assert kept == {ruleset.key.upper() for ruleset in RULESETS.values()}


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_match_is_played_again_as_it_was(file: Path) -> None:
    transcript = json.loads(file.read_text())
    assert transcript == play(transcript)


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_server_plays_the_same_match(file: Path, address: str) -> None:
    transcript = json.loads(file.read_text())
    assert transcript == play(transcript, "--target", address)
