"""BONUS: 彩金十三支・加一色."""

from typing import Final

from shisanzhi.engine.cards import DOUBLE_SPADES_DECK
from shisanzhi.engine.categories import BONUS_LADDER, Category
from shisanzhi.engine.names import Text
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.scoring.gunshots_only import GunshotsOnly

BONUS: Final = Ruleset(
    number=1,
    key="bonus",
    name=Text("彩金十三支（加一色）", "Bonus thirteen-card poker, with a second run of spades"),
    unit_name=Text("道", "units"),
    home_run_name=Text("全壘打", "home run"),
    royalty_name=Text("額外加分", "royalties"),
    deck=DOUBLE_SPADES_DECK,
    hand_size=16,
    has_bonus_rank=True,
    max_cuts=0,
    ladder=BONUS_LADDER,
    middle_may_equal_back=True,
    scoring=GunshotsOnly(gunshot_units=1, home_run_units=2),
    royalties={
        (Row.FRONT, Category.TRIPS): 1,
        (Row.FRONT, Category.BONUS_TRIPS): 2,
        (Row.MIDDLE, Category.BONUS_TRIPS): 1,
        (Row.MIDDLE, Category.BONUS_FULL_HOUSE): 2,
        (Row.MIDDLE, Category.QUADS): 2,
        (Row.MIDDLE, Category.STRAIGHT_FLUSH): 2,
        (Row.MIDDLE, Category.BONUS_QUADS): 5,
        (Row.MIDDLE, Category.FIVE_OF_A_KIND): 10,
        (Row.BACK, Category.BONUS_TRIPS): 1,
        (Row.BACK, Category.BONUS_FULL_HOUSE): 1,
        (Row.BACK, Category.QUADS): 1,
        (Row.BACK, Category.STRAIGHT_FLUSH): 1,
        (Row.BACK, Category.BONUS_QUADS): 5,
        (Row.BACK, Category.FIVE_OF_A_KIND): 5,
    },
)
