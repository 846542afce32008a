"""The same question gets the same answer, to the byte, in any process."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.engine.questions import (
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from tests import generators
from tests.generators import PlayedRound
from tests.random_rounds import random_rounds

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from tests.engine.test_determinism import answers
sys.stdout.buffer.write(answers().encode())
"""


def answers() -> str:
    """Ask questions of every kind, bad ones included; write each answer or refusal in full."""
    rounds = [
        generators.played(dealt)
        for ruleset in ("bonus", "classic")
        for dealt in random_rounds(ruleset, 50, seed=7)
    ]
    asked = [ask for played in rounds for ask in questions(played)]
    asked += [game_logic.list_rulesets, game_logic.get_texts]
    return "\n".join(map(answer, asked))


def questions(played: PlayedRound) -> Iterator[Callable[[], object]]:
    ruleset, cut_card = played.ruleset.number, played.cut_card or 0
    seats = [RawArrangement(*arrangement) for arrangement in played.arrangements]
    rows = [row for seat in seats for row in seat]
    seed = bytes(played.hands[0])
    yield partial(game_logic.evaluate, EvaluateQuestion(ruleset, cut_card, rows))
    yield partial(game_logic.validate, ValidateQuestion(ruleset, cut_card, seats[0]))
    yield partial(
        game_logic.validate, ValidateQuestion(ruleset, cut_card, seats[0], played.hands[1])
    )
    yield partial(game_logic.score, ScoreQuestion(ruleset, cut_card, seats, 3, played.hands))
    yield partial(game_logic.score, ScoreQuestion(ruleset, cut_card, seats[::-1], 4, played.hands))
    yield partial(game_logic.deal_round, DealRoundQuestion(ruleset, seed, [seed]))
    yield partial(
        game_logic.start_match, StartMatchQuestion(ruleset, seed, (), ("ann", "bob", "cho", "dee"))
    )


def answer(ask: Callable[[], object]) -> str:
    try:
        return repr(ask())
    except InvalidRequestError as refused:
        return repr(refused.faults)


@pytest.mark.parametrize("hash_seed", ["0", "1", "4294967295"])
def test_another_process_with_another_hash_seed_answers_the_same(hash_seed: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert answers() == finished.stdout.decode()


def test_the_answers_are_answers_and_refusals() -> None:
    lines = answers().splitlines()
    assert len(lines) == 2 * 50 * 7 + 2
    for kind in ("RowValue(", "Judgement(", "RoundResult(", "(Fault(", "Deal(", "MatchStart("):
        assert any(kind in line[:20] for line in lines), kind
