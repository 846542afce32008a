"""How great a strength can be: Java and others read the contract's uint32 as a signed int."""

from itertools import chain

import pytest

from shisanzhi.engine.cards import Rank
from shisanzhi.engine.rulesets import RULESETS, Ruleset

BONUS_RANKS = {True: tuple(Rank), False: (None,)}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_every_strength_of_every_table_is_a_positive_signed_32_bit_number(ruleset: Ruleset) -> None:
    for bonus_rank in BONUS_RANKS[ruleset.has_bonus_rank]:
        tables = ruleset.evaluator(bonus_rank)
        strengths = {
            value.strength for value in chain(tables.plain.values(), tables.flush.values())
        }
        assert len(strengths) > 6000
        assert min(strengths) > 0
        assert max(strengths) < 2**31
