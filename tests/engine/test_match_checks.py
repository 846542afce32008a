"""A match that comes back is one that was handed out, as far as its parts can tell."""

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.engine.questions import AdvanceMatchQuestion, StartMatchQuestion


@pytest.mark.parametrize(("next_round", "dealer"), [(1, 1), (2, 0), (2, 3)])
def test_the_first_dealers_of_classic_follow_from_the_units(next_round: int, dealer: int) -> None:
    start = StartMatchQuestion(2, bytes(16), (), ("ann", "bob", "cho", "dee"))
    match = game_logic.start_match(start).match
    if next_round == 2:
        match = game_logic.advance_match(AdvanceMatchQuestion(match, (-25, 75, -25, -25)))
    altered = match._replace(dealer=dealer)
    with pytest.raises(InvalidRequestError) as refused:
        game_logic.advance_match(AdvanceMatchQuestion(altered, (0, 0, 0, 0)))
    faults = [(fault.reason.name, fault.path) for fault in refused.value.faults]
    assert faults == [("MATCH_CONTRADICTORY", "match.dealer")]


def test_a_later_dealer_of_classic_cannot_be_known_and_is_taken() -> None:
    start = StartMatchQuestion(2, bytes(16), (), ("ann", "bob", "cho", "dee"))
    match = game_logic.start_match(start).match
    for units in ((-25, 75, -25, -25), (6, -6, 0, 0)):
        match = game_logic.advance_match(AdvanceMatchQuestion(match, units))
    altered = match._replace(dealer=3)
    assert game_logic.advance_match(AdvanceMatchQuestion(altered, (0, 0, 0, 0))).dealer == 3
