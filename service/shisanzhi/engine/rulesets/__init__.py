"""The rulesets that the service plays, by their number in the contract."""

from typing import Final

from shisanzhi.engine.rulesets.bonus import BONUS
from shisanzhi.engine.rulesets.classic import CLASSIC
from shisanzhi.engine.rulesets.ruleset import Ruleset

RULESETS: Final = {ruleset.number: ruleset for ruleset in (BONUS, CLASSIC)}

__all__ = ["BONUS", "CLASSIC", "RULESETS", "Ruleset"]
