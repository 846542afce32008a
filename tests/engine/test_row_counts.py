"""The fields that ship: written and read back, and what self-play comes to."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from shisanzhi.engine.rulesets import BONUS, CLASSIC, Ruleset
from shisanzhi.engine.solver import training
from shisanzhi.engine.solver.arranger import COMPILED
from shisanzhi.engine.solver.classes import classes
from shisanzhi.engine.solver.row_counts import (
    OtherRulesError,
    RowCounts,
    by_class,
    name,
    pack,
    row_counts,
    unpack,
)
from shisanzhi.engine.solver.training import distance, level, train

RULESETS = pytest.mark.parametrize("ruleset", [BONUS, CLASSIC], ids=lambda ruleset: ruleset.key)
GENERATIONS, DEALS = (16, 150) if COMPILED else (8, 20)
NEAR = 0.05 if COMPILED else 0.2


@RULESETS
def test_a_field_is_read_as_it_was_written(ruleset: Ruleset) -> None:
    shipped = row_counts(ruleset)
    assert unpack(ruleset, pack(ruleset, shipped)) == shipped


@pytest.mark.parametrize(
    "change",
    [
        {"ladder": BONUS.ladder},
        {"straights": CLASSIC.straights[::-1]},
        {"deck": CLASSIC.deck[::-1]},
        {"hand_size": 12},
        {"deck": BONUS.deck, "has_bonus_rank": True},
    ],
    ids=", ".join,
)
def test_a_field_of_other_rules_is_refused(change: Mapping[str, Any]) -> None:
    with pytest.raises(
        OtherRulesError, match=r"deck of classic, .* train --ruleset classic FOLDER"
    ):
        unpack(replace(CLASSIC, **change), pack(CLASSIC, row_counts(CLASSIC)))


@RULESETS
def test_a_field_has_seen_the_same_number_of_fronts_middles_and_backs(ruleset: Ruleset) -> None:
    front, middle, back = (sum(row.values()) for row in row_counts(ruleset))
    assert front == middle == back


@pytest.mark.census
@pytest.mark.skipif(not COMPILED, reason="the kernel is not compiled here")
@RULESETS
def test_what_ships_is_what_self_play_makes(ruleset: Ruleset) -> None:
    assert train(ruleset) == row_counts(ruleset)


@pytest.mark.slow
@RULESETS
def test_a_short_remake_from_another_seed_agrees_with_what_ships(ruleset: Ruleset) -> None:
    remade = train(ruleset, b"another seed", GENERATIONS, DEALS)
    assert distance(ruleset, remade, row_counts(ruleset)) < NEAR


@pytest.mark.parametrize(
    ("ruleset", "digest"),
    [
        (BONUS, "bdcc57d2a9919fe59d0b67155bc2181fa97c3180e09cbdbf3fbacee4c33e3d21"),
        (CLASSIC, "ff3202b6c85ffcc01f34c1178a1520fc6201e661d608900460bcbdf51ee2691c"),
    ],
    ids=lambda each: getattr(each, "key", ""),
)
def test_a_seed_makes_the_golden_field(ruleset: Ruleset, digest: str) -> None:
    """The same on every machine; whoever waits is told of each deal."""
    deals: list[None] = []
    made = train(ruleset, b"a seed", 3, 2, lambda: deals.append(None))
    assert len(deals) == 3 * 2
    rows = by_class(made, classes(ruleset)).rows
    assert sha256(str(rows).encode()).hexdigest() == digest


@RULESETS
def test_what_ships_is_the_latter_half_of_all_that_was_dealt(ruleset: Ruleset) -> None:
    dealt = training.GENERATIONS * training.DEALS * ruleset.seats // 2
    dragons = dealt - sum(row_counts(ruleset).back.values())
    assert dragons == (9 if ruleset is CLASSIC else 0)


def test_fields_that_differ_in_one_of_two_rows_are_half_apart() -> None:
    least, greatest = classes(CLASSIC).values[0], classes(CLASSIC).values[-1]
    one = {(least.category, least.ranks): 2}
    other = {(least.category, least.ranks): 1, (greatest.category, greatest.ranks): 1}
    assert distance(CLASSIC, RowCounts(one, one, one), RowCounts(one, other, one)) == 0.5
    assert distance(CLASSIC, level(CLASSIC), level(CLASSIC)) == 0


def test_fields_that_have_no_value_in_common_are_one_apart() -> None:
    least, greatest = ({name(classes(CLASSIC).values[place]): 2} for place in (0, -1))
    assert distance(CLASSIC, RowCounts(*[least] * 3), RowCounts(*[greatest] * 3)) == 1


@pytest.mark.parametrize(("trained", "other"), [(BONUS, CLASSIC), (CLASSIC, BONUS)])
def test_a_ruleset_borrows_from_those_who_hold_as_many_cards(
    trained: Ruleset, other: Ruleset
) -> None:
    """Whoever chooses among 16 cards has greater rows, whatever the ladder calls them."""
    borrowing = replace(trained, key="untrained", ladder=other.ladder)
    assert row_counts(borrowing) == row_counts(trained)
    assert row_counts(replace(trained, ladder=other.ladder)) == row_counts(trained)
