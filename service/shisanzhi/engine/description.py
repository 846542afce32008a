"""A ruleset described for a rules page, from the very object that the engine judges by."""

from collections.abc import Iterator
from typing import NamedTuple

from shisanzhi.engine import names
from shisanzhi.engine.cards import Card
from shisanzhi.engine.categories import Category
from shisanzhi.engine.names import Text
from shisanzhi.engine.rows import FRONT_SIZE, ROWS, Row
from shisanzhi.engine.rulesets import Ruleset


class RowInfo(NamedTuple):
    """One row, as a ruleset has it."""

    row: Row
    name: Text
    size: int


class CategoryInfo(NamedTuple):
    """One category of a ruleset's ladder, and whether a row of three cards can have it."""

    category: Category
    name: Text
    fits_front: bool


class RoyaltyInfo(NamedTuple):
    """One line of a ruleset's royalty table; the dragon's has no row and no category."""

    row: Row | None
    category: Category | None
    units: int
    name: Text


class RulesetInfo(NamedTuple):
    """What a frontend needs to know of a ruleset; the contract explains each field."""

    ruleset: int
    name: Text
    deck: tuple[Card, ...]
    hand_size: int
    rows: tuple[RowInfo, ...]
    middle_may_equal_back: bool
    ladder: tuple[CategoryInfo, ...]
    royalties: tuple[RoyaltyInfo, ...]
    unit_name: Text
    gunshot_name: Text
    home_run_name: Text
    pair_units: int
    gunshot_units: int
    home_run_units: int
    dragon_units: int
    points_per_unit: int
    starting_points: int
    rounds: int
    arrange_seconds: int
    has_bonus_rank: bool
    max_cuts: int


def describe(ruleset: Ruleset) -> RulesetInfo:
    """Describe one ruleset.

    >>> from shisanzhi.engine.rulesets import RULESETS
    >>> info = describe(RULESETS[2])
    >>> info.name.zh_hant, [str(royalty.name.en) for royalty in info.royalties][::5]
    ('十三支撲克牌比賽規則', ['trips in front', 'dragon'])
    """
    return RulesetInfo(
        ruleset=ruleset.number,
        name=ruleset.name,
        deck=ruleset.deck,
        hand_size=ruleset.hand_size,
        rows=tuple(RowInfo(row, names.ROWS[row], row.size) for row in ROWS),
        middle_may_equal_back=ruleset.middle_may_equal_back,
        ladder=tuple(_ladder(ruleset)),
        royalties=tuple(_royalties(ruleset)),
        unit_name=ruleset.unit_name,
        gunshot_name=names.GUNSHOT,
        home_run_name=ruleset.home_run_name,
        pair_units=ruleset.scoring.pair_units,
        gunshot_units=ruleset.scoring.gunshot_units,
        home_run_units=ruleset.scoring.home_run_units,
        dragon_units=ruleset.scoring.dragon_units,
        points_per_unit=ruleset.points_per_unit,
        starting_points=ruleset.starting_points,
        rounds=ruleset.rounds,
        arrange_seconds=ruleset.arrange_seconds,
        has_bonus_rank=ruleset.has_bonus_rank,
        max_cuts=ruleset.max_cuts,
    )


def _ladder(ruleset: Ruleset) -> Iterator[CategoryInfo]:
    """Name each category once, greatest first."""
    fits_front = {
        rung.category: not (rung.flush or rung.straight) and sum(rung.groups) <= FRONT_SIZE
        for rung in ruleset.ladder
    }
    for category, fits in fits_front.items():
        yield CategoryInfo(category, ruleset.category_names[category], fits)


def _royalties(ruleset: Ruleset) -> Iterator[RoyaltyInfo]:
    """List the royalty table by row, in the order of the ruleset's own table; the dragon last."""
    for (row, category), units in sorted(ruleset.royalties.items(), key=lambda line: line[0][0]):
        name = names.royalty(row, category, ruleset.category_names)
        yield RoyaltyInfo(row, category, units, name)
    if ruleset.scoring.dragon_units:
        yield RoyaltyInfo(None, None, ruleset.scoring.dragon_units, names.royalty(None, None))
