"""A rules page says what the engine does, because it is drawn from what the engine judges by."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.cards import format_cards, parse_cards
from shisanzhi.engine.categories import Category
from shisanzhi.engine.description import RulesetInfo, describe
from shisanzhi.engine.names import Language, Text
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import BONUS, CLASSIC, RULESETS, Ruleset
from shisanzhi.engine.scoring.round import score
from tests.vectors import Case, cases, every_case, ruleset_of


def arrangement(front: str, middle: str, back: str) -> Arrangement:
    return Arrangement(parse_cards(front), parse_cards(middle), parse_cards(back))


ROUND = [
    arrangement("2c 2d 2h", "3c 4d 5h 6s 7c", "9c 9d 9h 9s Kc"),
    arrangement("3d 4c 8d", "5c 5d 8h Tc Jc", "Qc Qd 7d 8c 6d"),
    arrangement("3h 4h 6h", "7h 7s 8s Td Jd", "Kd Kh Ac Jh Th"),
    arrangement("3s 4s 6c", "5s Ts Js Ad Qh", "As Ah Qs Ks 2s"),
]
"""Trips in front and quads in the back for seat 0; no other royalty."""


def royalties(info: RulesetInfo) -> dict[tuple[Row | None, Category | None], int]:
    return {(line.row, line.category): line.units for line in info.royalties}


def with_royalty(ruleset: Ruleset, row: Row, category: Category, units: int) -> Ruleset:
    return replace(ruleset, royalties={**ruleset.royalties, (row, category): units})


@pytest.mark.parametrize(
    ("row", "category", "before"),
    [(Row.FRONT, Category.TRIPS, 3), (Row.BACK, Category.QUADS, 4)],
)
def test_a_royalty_that_is_changed_changes_the_score_and_the_description(
    row: Row, category: Category, before: int
) -> None:
    changed = with_royalty(CLASSIC, row, category, 100)
    assert [before, 100] == [
        royalties(describe(each))[row, category] for each in (CLASSIC, changed)
    ]
    # 6 for the gunshot, 6 for the home run, 3 for the trips, 4 for the quads, from each of three.
    assert score(CLASSIC, ROUND, dealer=0).seats[0].total_units == 3 * (6 + 6 + 3 + 4)
    assert score(changed, ROUND, dealer=0).seats[0].total_units == 3 * (
        6 + 6 + 3 + 4 - before + 100
    )


def test_a_royalty_that_is_new_or_gone_is_described_and_paid() -> None:
    described = royalties(describe(CLASSIC))
    gone = replace(CLASSIC, royalties={(Row.FRONT, Category.TRIPS): 3})
    assert royalties(describe(gone)) == {(Row.FRONT, Category.TRIPS): 3, (None, None): 13}
    assert score(gone, ROUND, dealer=0).seats[0].royalty_units == 3 * 3
    new = with_royalty(CLASSIC, Row.MIDDLE, Category.STRAIGHT, 2)
    assert {(Row.MIDDLE, Category.STRAIGHT): 2, **described} == royalties(describe(new))
    assert score(new, ROUND, dealer=0).seats[0].royalty_units == 3 * (3 + 4 + 2)


@pytest.mark.parametrize("field", ["gunshot_units", "home_run_units"])
def test_units_that_are_changed_change_the_score_and_the_description(field: str) -> None:
    units: dict[str, Any] = {field: 50}
    changed = replace(CLASSIC, scoring=replace(CLASSIC.scoring, **units))
    assert getattr(describe(changed), field) == 50
    result = score(changed, ROUND, dealer=0).seats[0]
    assert getattr(result, field) == 3 * 50


def test_points_and_pair_units_are_described_as_they_are_paid() -> None:
    changed = replace(CLASSIC, scoring=replace(CLASSIC.scoring, pair_units=9), points_per_unit=7)
    info = describe(changed)
    assert (info.pair_units, info.points_per_unit) == (9, 7)
    result = score(changed, ROUND, dealer=0)
    assert [7 * seat.total_units for seat in result.seats] == [seat.points for seat in result.seats]
    # Seats 1 and 2, and 1 and 3, are two rows to one.
    assert [abs(pair.pair_units) for pair in result.pairs] == [0, 0, 0, 9, 9, 0]


def test_the_ladder_that_is_described_is_the_one_that_judges() -> None:
    """With FLUSH above FULL_HOUSE both the page and the values turn round."""
    rungs = list(CLASSIC.ladder)
    rungs[2:4] = rungs[3], rungs[2]
    changed = replace(CLASSIC, ladder=tuple(rungs))
    ladder = [rung.category for rung in describe(changed).ladder]
    assert ladder[2:4] == [Category.FLUSH, Category.FULL_HOUSE]
    flush, full_house = parse_cards("2h 5h 7h 9h Jh"), parse_cards("As Ad Ac Ks Kd")
    for ruleset, flush_is_greater in ((CLASSIC, False), (changed, True)):
        value = ruleset.evaluator(None).value
        assert flush_is_greater == (value(flush).strength > value(full_house).strength)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_a_category_fits_the_front_exactly_if_a_front_can_have_it(ruleset: Ruleset) -> None:
    possible = {
        value.category
        for rank in ruleset.bonus_ranks
        for key, value in ruleset.evaluator(rank).plain.items()
        if cards_of(key) == 3
    }
    info = describe(ruleset)
    assert possible == {rung.category for rung in info.ladder if rung.fits_front}


def cards_of(key: int) -> int:
    """Count the cards behind a key of the evaluator: the digits of its base."""
    count = 0
    while key:
        key, digit = divmod(key, 6)
        count += digit
    return count


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_every_category_that_can_be_held_is_on_the_page(ruleset: Ruleset) -> None:
    """And none that cannot."""
    possible = {
        value.category
        for rank in ruleset.bonus_ranks
        for table in (ruleset.evaluator(rank).plain, ruleset.evaluator(rank).flush)
        for value in table.values()
    }
    if not any(ruleset.deck.count(card) > 1 for card in ruleset.deck):
        possible -= {Category.FIVE_OF_A_KIND, Category.PAIR_FLUSH}
    assert possible == {rung.category for rung in describe(ruleset).ladder}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
@pytest.mark.parametrize("language", Language)
def test_every_name_is_said_in_both_languages(ruleset: Ruleset, language: Language) -> None:
    said = [text.say(language) for text in texts(describe(ruleset))]
    assert len(said) >= 4 + 3 + len(ruleset.royalties)
    assert all(name.strip() == name != "" for name in said)
    if language is Language.EN:
        assert all(name.isascii() for name in said)
    else:
        assert all(any("\u4e00" <= letter <= "\u9fff" for letter in name) for name in said)


def texts(value: object) -> Iterator[Text]:
    """Find every name in a description."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from texts(part)


def test_names_of_categories_and_royalties_do_not_repeat() -> None:
    for ruleset in RULESETS.values():
        info = describe(ruleset)
        for lines in (info.ladder, info.royalties, info.rows):
            for language in Language:
                names = [line.name.say(language) for line in lines]
                assert len(names) == len(set(names))


# The tables of the rules page, written out


def test_bonus_is_described_as_its_rules_say() -> None:
    info = describe(BONUS)
    assert [rung.category.name for rung in info.ladder] == [
        "FIVE_OF_A_KIND",
        "STRAIGHT_FLUSH",
        "BONUS_QUADS",
        "QUADS",
        "BONUS_FULL_HOUSE",
        "FULL_HOUSE",
        "PAIR_FLUSH",
        "FLUSH",
        "STRAIGHT",
        "BONUS_TRIPS",
        "TRIPS",
        "TWO_PAIR",
        "PAIR",
        "HIGH_CARD",
    ]
    assert royalties(info) == {
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
    }
    assert (len(info.deck), info.hand_size, info.middle_may_equal_back) == (65, 16, True)
    assert (info.pair_units, info.gunshot_units, info.home_run_units) == (0, 1, 2)
    assert (info.dragon_units, info.points_per_unit, info.starting_points) == (0, 0, 0)
    assert (info.rounds, info.arrange_seconds, info.max_cuts) == (0, 0, 0)
    assert info.has_bonus_rank
    assert (info.unit_name.zh_hant, info.home_run_name.zh_hant) == ("道", "全壘打")


def test_classic_is_described_as_its_rules_say() -> None:
    info = describe(CLASSIC)
    assert [rung.category.name for rung in info.ladder] == [
        "STRAIGHT_FLUSH",
        "QUADS",
        "FULL_HOUSE",
        "FLUSH",
        "STRAIGHT",
        "TRIPS",
        "TWO_PAIR",
        "PAIR",
        "HIGH_CARD",
    ]
    assert royalties(info) == {
        (Row.FRONT, Category.TRIPS): 3,
        (Row.MIDDLE, Category.QUADS): 8,
        (Row.BACK, Category.QUADS): 4,
        (Row.MIDDLE, Category.STRAIGHT_FLUSH): 10,
        (Row.BACK, Category.STRAIGHT_FLUSH): 5,
        (None, None): 13,
    }
    assert (len(info.deck), info.hand_size, info.middle_may_equal_back) == (52, 13, False)
    assert (info.pair_units, info.gunshot_units, info.home_run_units) == (1, 6, 6)
    assert (info.dragon_units, info.points_per_unit, info.starting_points) == (13, 20, 3100)
    assert (info.rounds, info.arrange_seconds, info.max_cuts) == (16, 60, 3)
    assert not info.has_bonus_rank
    assert (info.unit_name.zh_hant, info.home_run_name.zh_hant) == ("堵", "紅不讓")


def test_every_ruleset_has_three_rows_of_three_five_and_five() -> None:
    for info in game_logic.list_rulesets():
        assert [(line.row, line.size) for line in info.rows] == [
            (Row.FRONT, 3),
            (Row.MIDDLE, 5),
            (Row.BACK, 5),
        ]
        assert info.gunshot_name.zh_hant == "打槍"


# Golden descriptions


@every_case("rulesets")
def test_a_ruleset_is_described_as_the_golden_file_says(case: Case) -> None:
    info = game_logic.get_ruleset(ruleset_of(case).number)
    assert case == dict(described(info))


def test_every_ruleset_has_a_golden_description_in_the_order_of_the_numbers() -> None:
    expected = [case["ruleset"] for case in cases("rulesets")]
    assert expected == [RULESETS[info.ruleset].key for info in game_logic.list_rulesets()]
    assert sorted(RULESETS) == [info.ruleset for info in game_logic.list_rulesets()]


def described(info: RulesetInfo) -> Iterator[tuple[str, Any]]:
    """Write a description as the golden file does."""
    for name, value in info._asdict().items():
        match value:
            case Text():
                yield name, value._asdict()
            case tuple():
                yield name, format_cards(value) if name == "deck" else list(map(line, value))
            case _:
                yield name, RULESETS[value].key if name == "ruleset" else value


def line(part: Any) -> Mapping[str, Any]:
    return {
        name: value._asdict() if isinstance(value, Text) else getattr(value, "name", value)
        for name, value in part._asdict().items()
    }
