"""The fields that ship: written and read back, and what self-play comes to."""

import pytest

from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from shisanzhi.engine.solver.arranger import COMPILED
from shisanzhi.engine.solver.classes import classes
from shisanzhi.engine.solver.row_counts import RowCounts, pack, row_counts, unpack
from shisanzhi.engine.solver.training import distance, level, train

RULESETS = pytest.mark.parametrize("ruleset", [BONUS, CLASSIC], ids=lambda ruleset: ruleset.key)
GENERATIONS, DEALS = (16, 150) if COMPILED else (8, 20)
NEAR = 0.05 if COMPILED else 0.2


@RULESETS
def test_a_field_is_read_as_it_was_written(ruleset: Ruleset) -> None:
    shipped = row_counts(ruleset)
    assert unpack(ruleset, pack(ruleset, shipped)) == shipped


@RULESETS
def test_a_field_has_seen_the_same_number_of_fronts_middles_and_backs(ruleset: Ruleset) -> None:
    front, middle, back = (sum(row.values()) for row in row_counts(ruleset))
    assert front == middle == back


@pytest.mark.slow
@RULESETS
def test_a_short_remake_from_another_seed_agrees_with_what_ships(ruleset: Ruleset) -> None:
    remade = train(ruleset, b"another seed", GENERATIONS, DEALS)
    assert distance(ruleset, remade, row_counts(ruleset)) < NEAR


def test_the_same_seed_makes_the_same_field() -> None:
    first, second = (train(CLASSIC, b"a seed", 2, 5) for _ in range(2))
    assert pack(CLASSIC, first) == pack(CLASSIC, second)


def test_fields_that_differ_in_one_of_two_rows_are_half_apart() -> None:
    least, greatest = classes(CLASSIC).values[0], classes(CLASSIC).values[-1]
    one = {(least.category, least.ranks): 2}
    other = {(least.category, least.ranks): 1, (greatest.category, greatest.ranks): 1}
    assert distance(CLASSIC, RowCounts(one, one, one), RowCounts(one, other, one)) == 0.5
    assert distance(CLASSIC, level(CLASSIC), level(CLASSIC)) == 0
