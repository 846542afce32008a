"""CLASSIC: 十三支 by the competition rules."""

from typing import Final

from shisanzhi.engine.cards import STANDARD_DECK
from shisanzhi.engine.categories import CLASSIC_LADDER, Category
from shisanzhi.engine.names import CATEGORIES, Text
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets.ruleset import Ruleset
from shisanzhi.engine.scoring.pairs_won import PairsWon

CLASSIC: Final = Ruleset(
    number=2,
    key="classic",
    name=Text("十三支撲克牌比賽規則", "Thirteen-card poker, competition rules"),
    unit_name=Text("堵", "units"),
    run_over_name=Text("輾過", "run-over"),
    home_run_name=Text("紅不讓", "home run"),
    royalty_name=Text("加堵", "royalties"),
    category_names=CATEGORIES
    | {Category.QUADS: Text("鐵枝", "quads"), Category.PAIR: Text("對子", "pair")},
    deck=STANDARD_DECK,
    hand_size=13,
    has_bonus_rank=False,
    max_cuts=3,
    ladder=CLASSIC_LADDER,
    middle_may_equal_back=False,
    scoring=PairsWon(pair_units=1, gunshot_units=6, home_run_units=6, dragon_units=13),
    royalties={
        (Row.FRONT, Category.TRIPS): 3,
        (Row.MIDDLE, Category.QUADS): 8,
        (Row.BACK, Category.QUADS): 4,
        (Row.MIDDLE, Category.STRAIGHT_FLUSH): 10,
        (Row.BACK, Category.STRAIGHT_FLUSH): 5,
    },
    points_per_unit=20,
    starting_points=3100,
    rounds=16,
    arrange_seconds=60,
    draws_seats=True,
    winner_deals=True,
)
