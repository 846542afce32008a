"""House rules: a ruleset derived from another is played at once, and shares what is the same."""

from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import process_time

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.cards import CARDS
from shisanzhi.engine.categories import Category
from shisanzhi.engine.deal import deal
from shisanzhi.engine.evaluator import Tables
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
from shisanzhi.engine.rulesets import BONUS, CLASSIC, RULESETS, Ruleset
from shisanzhi.engine.scoring.results import RoundResult
from shisanzhi.engine.seats import SEATS
from shisanzhi.engine.solver import arranger
from shisanzhi.engine.solver import classes as classes_room
from shisanzhi.engine.solver.classes import Classes, classes
from shisanzhi.engine.solver.model import chances_of_rows

NUMBER = 99
SEED = bytes(range(16))

DERIVED: dict[str, Callable[[], Ruleset]] = {
    "bonus for three": lambda: replace(BONUS, seats=3),
    "bonus for two": lambda: replace(BONUS, seats=2),
    "classic for three": lambda: replace(CLASSIC, seats=3),
    "bonus with other royalties": lambda: replace(
        BONUS, royalties={**BONUS.royalties, (Row.BACK, Category.FLUSH): 7}
    ),
    "classic with other royalties": lambda: replace(
        CLASSIC, royalties={(Row.FRONT, Category.PAIR): 1, (Row.BACK, Category.FULL_HOUSE): 2}
    ),
    "classic with dearer gunshots": lambda: replace(
        CLASSIC, scoring=replace(CLASSIC.scoring, gunshot_units=9, home_run_units=0)
    ),
}
EVERY_DERIVED = pytest.mark.parametrize("derive", DERIVED.values(), ids=DERIVED)


def play(ruleset: Ruleset) -> RoundResult:
    """Deal, arrange, evaluate, validate, score and describe."""
    number = ruleset.number
    dealt = game_logic.deal_round(DealRoundQuestion(number, SEED))
    cut_card = dealt.cut_card or 0
    arrangements = []
    for hand in dealt.hands:
        arranged = game_logic.arrange(ArrangeQuestion(number, cut_card, hand))
        arrangement = RawArrangement(*arranged.suggestions[0].arrangement)
        from_hand = ValidateQuestion(number, cut_card, arrangement, hand)
        assert game_logic.validate(from_hand).legal
        assert game_logic.evaluate(EvaluateQuestion(number, cut_card, arrangement))
        arrangements.append(arrangement)
    assert game_logic.get_ruleset(number).ruleset == number
    return game_logic.score(
        ScoreQuestion(number, cut_card, arrangements, dealt.dealer, dealt.hands)
    )


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[[Ruleset], Ruleset]:
    """Give what has the service know a ruleset."""

    def known(ruleset: Ruleset) -> Ruleset:
        numbered = replace(ruleset, number=NUMBER)
        monkeypatch.setitem(RULESETS, NUMBER, numbered)
        return numbered

    return known


@EVERY_DERIVED
def test_a_derived_ruleset_is_played(
    derive: Callable[[], Ruleset], register: Callable[[Ruleset], Ruleset]
) -> None:
    ruleset = register(derive())
    result = play(ruleset)
    seats = range(ruleset.seats)
    assert [seat.seat for seat in result.seats] == list(seats)
    assert sum(seat.total_units for seat in result.seats) == 0
    assert [(pair.seat, pair.opponent) for pair in result.pairs] == [
        (seat, opponent) for seat in seats for opponent in seats if seat < opponent
    ]
    assert sorted(result.showing_order) == list(seats)
    assert sorted(seat.place for seat in result.seats) == [seat + 1 for seat in seats]


@EVERY_DERIVED
def test_it_shares_the_tables_that_it_does_not_change(derive: Callable[[], Ruleset]) -> None:
    ruleset = derive()
    base = BONUS if ruleset.has_bonus_rank else CLASSIC
    assert ruleset.tables is base.tables
    assert classes(ruleset) is classes(base)
    for bonus_rank in base.bonus_ranks:
        assert classes(ruleset).rows(bonus_rank) is classes(base).rows(bonus_rank)


@pytest.mark.parametrize("base", [BONUS, CLASSIC], ids=lambda base: base.key)
def test_what_is_prepared_does_for_fewer_seats(base: Ruleset) -> None:
    """The chances are worked out once for each number of opponents."""
    arranger.arranger.cache_clear()
    chances_of_rows.cache_clear()
    arranger.prepare(base)
    assert chances_of_rows.cache_info().misses == len(SEATS)
    for seats in SEATS:
        arranger.arranger(replace(base, seats=seats))
    assert chances_of_rows.cache_info().misses == len(SEATS)


@pytest.mark.alone
@EVERY_DERIVED
def test_it_costs_little_beside_what_it_would_cost_by_itself(
    derive: Callable[[], Ruleset], register: Callable[[Ruleset], Ruleset]
) -> None:
    """Deriving it and playing its first round takes a fraction of building its tables alone."""
    base = BONUS if derive().has_bonus_rank else CLASSIC
    arranger.prepare(base)
    first_rounds = [seconds(lambda: play(register(derive()))) for _ in range(5)]
    tables = seconds(lambda: Tables(base.ladder, base.straights))
    assert median(first_rounds) < tables / 5


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def test_a_table_for_three_deals_every_hand_whole() -> None:
    hands = deal(replace(BONUS, seats=3), SEED).hands
    assert [len(hand) for hand in hands] == [16, 16, 16]


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_a_table_has_two_to_four_seats(seats: int) -> None:
    with pytest.raises(ValueError, match=f"expected 2 to 4 seats .*, got {seats} seats"):
        replace(BONUS, seats=seats)


def test_a_deck_must_do_for_all_seats() -> None:
    with pytest.raises(ValueError, match="got 4 seats with 16 of 52 cards each"):
        replace(CLASSIC, hand_size=16)


def test_a_ladder_has_a_rung_for_every_row() -> None:
    with pytest.raises(AssertionError, match="expected a ladder with a rung for every row"):
        Tables(CLASSIC.ladder[:-1], CLASSIC.straights)


def test_a_deck_is_never_larger_than_can_be_counted() -> None:
    with pytest.raises(ValueError, match="expected at most 127 cards, got 156"):
        replace(CLASSIC, deck=CLASSIC.deck * 3)
    assert replace(CLASSIC, deck=(CLASSIC.deck * 3)[:127]).stock(None)[CLASSIC.deck[0]] == 3


def test_there_are_no_more_values_than_the_kernel_can_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(classes(CLASSIC).values)
    monkeypatch.setattr(classes_room, "MAX_CLASSES", count)
    Classes(CLASSIC.tables, CLASSIC.bonus_ranks)
    monkeypatch.setattr(classes_room, "MAX_CLASSES", count - 1)
    with pytest.raises(ValueError, match=f"expected at most {count - 1} values, got {count}"):
        Classes(CLASSIC.tables, CLASSIC.bonus_ranks)


def test_faults_speak_of_the_seats_that_there_are(
    register: Callable[[Ruleset], Ruleset],
) -> None:
    register(replace(CLASSIC, seats=3))
    hands = [tuple(CARDS)[start::4] for start in range(4)]
    question = ScoreQuestion(NUMBER, 0, [RawArrangement(h[:3], h[3:8], h[8:]) for h in hands], 3)
    with pytest.raises(ValueError, match="expected 3 arrangements, got 4") as refused:
        game_logic.score(question)
    assert "expected a seat 0..2, got 3" in str(refused.value)
    with pytest.raises(ValueError, match="expected 3 players, got 4"):
        game_logic.start_match(StartMatchQuestion(NUMBER, SEED, (), ("a", "b", "c", "d")))
