"""A third ruleset is a file: here is one that nobody plays, and the engine plays it."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Arrangement, judge
from shisanzhi.engine.cards import CARDS, STANDARD_DECK, Card, parse_cards
from shisanzhi.engine.categories import CLASSIC_LADDER, STRAIGHTS, Category
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.names import Language, Text
from shisanzhi.engine.questions import (
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import CLASSIC, RULESETS, Ruleset
from shisanzhi.engine.scoring.pairs_won import PairsWon
from shisanzhi.engine.scoring.round import score
from shisanzhi.engine.solver.arranger import Arranged, Arranger, arrange
from shisanzhi.engine.solver.classes import classes
from shisanzhi.engine.solver.row_counts import RowCounts, by_class, name

HOUSE = Ruleset(
    number=3,
    key="house",
    name=Text("自家規則", "House rules"),
    unit_name=Text("分", "marks"),
    home_run_name=Text("通殺", "sweep"),
    royalty_name=Text("花紅", "extras"),
    deck=STANDARD_DECK,
    hand_size=13,
    has_bonus_rank=False,
    max_cuts=1,
    ladder=CLASSIC_LADDER,
    straights=(STRAIGHTS[0], STRAIGHTS[-1], *STRAIGHTS[1:-1]),
    middle_may_equal_back=True,
    scoring=PairsWon(pair_units=1, gunshot_units=3, home_run_units=4),
    royalties={
        (Row.FRONT, Category.TRIPS): 2,
        (Row.MIDDLE, Category.STRAIGHT): 7,
        (Row.BACK, Category.FULL_HOUSE): 1,
    },
    points_per_unit=5,
    starting_points=100,
    rounds=2,
)


@pytest.fixture(autouse=True)
def _playing_by_house_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the ruleset, which is all that a new one takes."""
    monkeypatch.setitem(RULESETS, HOUSE.number, HOUSE)


def raw(front: str, middle: str, back: str) -> RawArrangement:
    return RawArrangement(parse_cards(front), parse_cards(middle), parse_cards(back))


def values_of(number: int, *rows: str) -> list[RowValue]:
    question = EvaluateQuestion(number, 0, list(map(parse_cards, rows)))
    return list(game_logic.evaluate(question))


STRAIGHTS_ASCENDING = ["2c 3d 4h 5s 6c", "9c Td Jh Qs Kc", "Ac 2d 3h 4s 5c", "Tc Jd Qh Ks Ac"]


def test_the_wheel_is_the_second_greatest_straight() -> None:
    house = [value.strength for value in values_of(HOUSE.number, *STRAIGHTS_ASCENDING)]
    classic = [value.strength for value in values_of(CLASSIC.number, *STRAIGHTS_ASCENDING)]
    assert sorted(set(house)) == house
    assert classic.index(min(classic)) == 2


def test_the_wheel_is_the_second_greatest_straight_flush() -> None:
    """And is still known by its five, and below quads as a mere straight."""
    rows = ["Ah 2h 3h 4h 5h", "9h Th Jh Qh Kh", "Ac 2d 3h 4s 5c", "2c 2d 2h 2s 3c"]
    flush_wheel, king_flush, wheel, quads = values_of(HOUSE.number, *rows)
    assert wheel.strength < quads.strength < king_flush.strength < flush_wheel.strength
    assert str(flush_wheel) == "STRAIGHT_FLUSH 5"


WHEEL_IN_THE_MIDDLE = raw("2c 4d 6h", "9c Td Jh Qs Kc", "Ac 2d 3h 4s 5c")
EQUAL = raw("2c 4d 6h", "Kc Kd 9h 7c 5s", "Kh Ks 9c 7d 5h")


@pytest.mark.parametrize("rows", [WHEEL_IN_THE_MIDDLE, EQUAL], ids=["wheel behind", "equal rows"])
def test_what_is_legal_here_is_a_foul_in_classic(rows: RawArrangement) -> None:
    judged = {
        number: game_logic.validate(ValidateQuestion(number, 0, rows))
        for number in (HOUSE.number, CLASSIC.number)
    }
    assert judged[HOUSE.number].legal
    reasons = [violation.reason.name for violation in judged[CLASSIC.number].violations]
    assert reasons == ["MIDDLE_NOT_BELOW_BACK"]


def test_what_is_legal_in_classic_is_a_foul_here() -> None:
    rows = raw("2c 4d 6h", "Ac 2d 3h 4s 5c", "9c Td Jh Qs Kc")
    assert game_logic.validate(ValidateQuestion(CLASSIC.number, 0, rows)).legal
    judged = game_logic.validate(ValidateQuestion(HOUSE.number, 0, rows))
    reasons = [violation.reason.name for violation in judged.violations]
    assert reasons == ["MIDDLE_NOT_BELOW_BACK"]


ROUND = [
    raw("2c 2d 2h", "Tc Jd Qh Ks Ac", "3c 3d 3h 9s 9c"),
    raw("4d 6d 8d", "5c 5d 8h Td Jc", "Qc Qd 7d 8c 6c"),
    raw("4h 6h 7h", "7c 7s 8s Jh Kd", "Kc Kh Ad Th 9h"),
    raw("4s 6s 5h", "5s Ts Js Qs 9d", "As Ah 2s 3s 4c"),
]


def test_a_round_is_scored_by_the_table_of_the_house() -> None:
    """Seat 0 guns all three: 3, 4 for the home run, royalties 2 + 7 + 1, from each of them."""
    result = game_logic.score(ScoreQuestion(HOUSE.number, 0, ROUND, 0))
    parts = (3 * 3, 3 * 4, 3 * (2 + 7 + 1))
    winner = result.seats[0]
    assert parts == (winner.gunshot_units, winner.home_run_units, winner.royalty_units)
    assert winner.total_units == 51
    # The others pay 17 each; seat 2 beats 1 and 3, and seat 1 beats 3, by two rows to one.
    assert [seat.total_units for seat in result.seats] == [51, -17, -15, -19]
    assert [seat.points for seat in result.seats] == [255, -85, -75, -95]


def test_a_dragon_is_nothing_here() -> None:
    """A ruleset without dragon units looks at its rows, as at any others."""
    dragon = raw("2c 3d 4h", "5s 6c 7d 8h 9s", "Tc Jd Qh Ks Ac")
    others = [
        raw("8s 9d 5d", "5c Kd 8c 7c Kc", "As 3c Ad 5h Qs"),
        raw("3h 6h 7s", "2s 6d 7h 9h Qc", "Td Th 9c 4c Jh"),
        raw("2d Jc 6s", "4d 3s 4s 2h 8d", "Ts Ah Js Qd Kh"),
    ]
    result = game_logic.score(ScoreQuestion(HOUSE.number, 0, [dragon, *others], 0))
    assert not result.seats[0].dragon
    assert result.seats[0].front.category is Category.HIGH_CARD
    assert [pair.front for pair in result.pairs[:2]] != [None, None]


def test_the_house_rules_are_described() -> None:
    info = game_logic.get_ruleset(HOUSE.number)
    assert (info.ruleset, info.name.en, info.unit_name.zh_hant) == (3, "House rules", "分")
    assert info.home_run_name.say(Language.EN) == "sweep"
    assert [(line.row, line.category, line.units) for line in info.royalties] == [
        (Row.FRONT, Category.TRIPS, 2),
        (Row.MIDDLE, Category.STRAIGHT, 7),
        (Row.BACK, Category.FULL_HOUSE, 1),
    ]
    assert (info.gunshot_units, info.home_run_units, info.dragon_units) == (3, 4, 0)
    assert info.middle_may_equal_back
    assert [each.ruleset for each in game_logic.list_rulesets()] == [1, 2, 3]


def test_a_deal_and_a_match_know_the_house_rules_too() -> None:
    """One cut, two rounds, out at 100 points, and the deal moves on."""
    dealt = game_logic.deal_round(DealRoundQuestion(HOUSE.number, bytes(16), cuts=(5,)))
    assert sorted(HOUSE.deck) == sorted(card for hand in dealt.hands for card in hand)
    question = StartMatchQuestion(HOUSE.number, bytes(16), (), ("ann", "bob", "cho", "dee"))
    match = game_logic.start_match(question).match
    assert (match.points, match.dealer) == ((100, 100, 100, 100), dealt.dealer)


# Arranging

HANDS = {
    "a wheel or a straight to the king": "Ac 2d 3h 4s 5c 9d Td Jh Qs Kc 6h 8s 8d",
    "two equal pairs": "Kc Kd Kh Ks 9h 9c 7c 7d 5s 5h 2c 4d 6h",
    "trips for the front": "2c 2d 2h 9c 9d Jh Jc Qs Qd 4h 4s 4d Ac",
    "two full houses": "6c 6d 6h 8c 8d Ts Td Th Ks Kd Ac 3d 4s",
    "nothing": "2c 3d 5h 7s 8c 9d Jh Qs Kc 4d 6h Ts Ad",
}
OPPONENT = raw("7h 7s 9d", "Qs Qd 8h 6s 4c", "2s 3s 4s 5d 6c")


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_a_hand_is_arranged_as_well_as_every_split_of_it_allows(hand: str) -> None:
    """Against three opponents who always hold the same rows, what is expected can be counted."""
    cards = parse_cards(hand)
    arranged = Arranger(HOUSE, by_class(always(OPPONENT), classes(HOUSE))).arrange(cards)
    best = arranged.suggestions[0]
    assert max(units_against(OPPONENT, split) for split in legal_splits(cards)) == pytest.approx(
        best.expected_units
    )
    assert_playable(arranged, cards)
    assert units_against(OPPONENT, best.arrangement) == pytest.approx(best.expected_units)


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_a_hand_is_arranged_with_the_field_that_the_house_borrows(hand: str) -> None:
    """Nobody has trained for these rules; the service answers all the same."""
    cards = parse_cards(hand)
    arranged = game_logic.arrange(ArrangeQuestion(HOUSE.number, 0, cards, 3))
    assert arrange(HOUSE, cards, max_suggestions=3) == arranged
    assert_playable(arranged, cards)


def assert_playable(arranged: Arranged, hand: Sequence[Card]) -> None:
    for suggestion in arranged.suggestions:
        assert judge(HOUSE, suggestion.arrangement, hand=hand).legal
        assert sorted(hand) == sorted(suggestion.arrangement.cards)


def always(rows: RawArrangement) -> RowCounts:
    """Give the field in which everybody holds the same rows."""
    return RowCounts(*({name(value(row)): 1} for row in rows))


def value(row: Sequence[int]) -> RowValue:
    return HOUSE.evaluator(None).value(row)


def legal_splits(hand: Sequence[Card]) -> Iterator[Arrangement]:
    """Lay a hand out in every legal way, one of each three row values."""
    seen = set()
    for back in combinations(hand, 5):
        rest = [card for card in hand if card not in back]
        for middle in combinations(rest, 5):
            if value(middle).strength > value(back).strength:
                continue
            front = tuple(card for card in rest if card not in middle)
            rows = (value(front), value(middle), value(back))
            if rows[0].strength < rows[1].strength and rows not in seen:
                seen.add(rows)
                yield Arrangement(front, middle, back)


def units_against(opponent: RawArrangement, laid: Arrangement) -> int:
    """Settle one seat against three that hold the same rows."""
    other = Arrangement(*(tuple(CARDS[number] for number in row) for row in opponent))
    return score(HOUSE, [laid, other, other, other], dealer=0).seats[0].total_units
