"""The figures that the sources of both rulesets work out, with real cards."""

from collections.abc import Sequence

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Arrangement
from shisanzhi.engine.cards import Card, parse_cards
from shisanzhi.engine.categories import Category
from shisanzhi.engine.questions import RawArrangement, ScoreQuestion
from shisanzhi.engine.rows import Row
from shisanzhi.engine.rulesets import BONUS, CLASSIC
from shisanzhi.engine.scoring.results import PairResult, RoundResult, RowOutcome, Royalty

WON, LOST, TIED = RowOutcome.WON, RowOutcome.LOST, RowOutcome.TIED


def bonus(cut_card: str, *seats: str) -> RoundResult:
    """Score a BONUS round: each seat's rows, divided by bars."""
    return game_logic.score(ScoreQuestion(BONUS.number, Card.parse(cut_card), laid(seats), 0))


def classic(*seats: str) -> RoundResult:
    """Score a CLASSIC round."""
    return game_logic.score(ScoreQuestion(CLASSIC.number, 0, laid(seats), 0))


def laid(seats: Sequence[str]) -> list[RawArrangement]:
    arrangements = [Arrangement(*map(parse_cards, seat.split("|"))) for seat in seats]
    return [RawArrangement(*arrangement) for arrangement in arrangements]


def totals(result: RoundResult) -> list[int]:
    return [seat.total_units for seat in result.seats]


def part(result: RoundResult, name: str) -> list[int]:
    return [getattr(seat, f"{name}_units") for seat in result.seats]


def pair_of(result: RoundResult, seat: int, opponent: int) -> PairResult:
    (pair,) = (pair for pair in result.pairs if (pair.seat, pair.opponent) == (seat, opponent))
    return pair


def guns(result: RoundResult) -> list[tuple[int, int]]:
    """Tell who guns whom."""
    shots = [(pair.seat, pair.opponent) for pair in result.pairs if pair.guns]
    return sorted(shots + [(pair.opponent, pair.seat) for pair in result.pairs if pair.gunned])


def outcomes(pair: PairResult) -> list[RowOutcome | None]:
    return [pair.front, pair.middle, pair.back]


# BONUS


def test_bonus_example_1_seat_0_guns_everybody_and_1_guns_2() -> None:
    result = bonus(
        "9d",
        "Ah As 3h | 6s 5c 4d 3d 2h | Ac Kc Qc Tc 8c",
        "Ks 7s 4h | Jd 9s 8h 7h 7s | Jh Js Td 9s 7d",
        "Js Th 8s | Qs Jc Ts 6s 2s | Qh 9c 9h 7c 3s",
        "Ts 6d 3c | Ad Kd 6c 2d 2s | As Ks Qd Qs 4s",
    )
    assert guns(result) == [(0, 1), (0, 2), (0, 3), (1, 2)]
    assert part(result, "gunshot") == [3, 0, -2, -1]
    assert part(result, "home_run") == [6, -2, -2, -2]
    assert part(result, "royalty") == [0, 0, 0, 0]
    assert totals(result) == [9, -2, -4, -3]


def test_bonus_example_2_royalties_add_up_opponent_by_opponent() -> None:
    result = bonus(
        "9c",
        "Kh Tc 5d | 6c 6d Jc 8s 5s | 3s 4s 5h 6h 7d",
        "As 7c 5c | Qs Qd 8h 7h 2s | Ts Jh Qh Ks Ad",
        "2c 2d 2h | 3c 3d 3h Qc 8d | 4c 4d 4h Js 7s",
        "Td 8c 6s | Ah Kd Jd Ts 4s | 9s 9s 9h 9d Kc",
    )
    assert part(result, "gunshot") == [-1, 1, 0, 0]
    assert part(result, "home_run") == [0, 0, 0, 0]
    assert part(result, "royalty") == [-6, -6, -2, 14]
    assert totals(result) == [-7, -5, -2, 14]
    trips = [Royalty(2, payer, Row.FRONT, Category.TRIPS, 1) for payer in (0, 1, 3)]
    quads = [Royalty(3, payer, Row.BACK, Category.BONUS_QUADS, 5) for payer in (0, 1, 2)]
    paid = [royalty for pair in result.pairs for royalty in pair.royalties]
    assert sorted(trips + quads) == sorted(paid)


def test_bonus_two_seats_with_three_equal_rows_gun_each_other_and_both_take_the_home_run() -> None:
    result = bonus(
        "5c",
        "Qd Qs 9c | Tc 9s 8h 7d 6c | Jd Td 6d 5d 3d",
        "Qh Qs 9d | Ts 9h 8s 7h 6s | Js Ts 6s 5s 3s",
        "7c 4d 3h | Qc Jh 8c 5h 2c | Ah As Ks 8d 4c",
        "Jc 6h 2s | Ad Ks Js 9s 3s | Kd 4h 4s 2d 2s",
    )
    equals = pair_of(result, 0, 1)
    assert outcomes(equals) == [TIED, TIED, TIED]
    assert (equals.guns, equals.gunned) == (True, True)
    assert (equals.gunshot_units, equals.home_run_units) == (0, 0)
    # 3 gunshots cancel to 2; a home run takes 2 from each, and gives 2 to the other one.
    assert part(result, "gunshot") == [2, 2, -3, -1]
    assert part(result, "home_run") == [4, 4, -4, -4]
    assert totals(result) == [6, 6, -7, -5]


# CLASSIC


def test_classic_home_run_brings_36() -> None:
    result = classic(
        "Ac Ah 9c | Jc Tc 9h 8c 7s | Qd Qh Qs 4h 4s",
        "As Qc Ts | 8s 7d 5c 2d 2h | Ad Jh Js Td 7c",
        "Th 8d 5d | Ks Jd 9d 4d 2c | Kh 6c 6h 5h 5s",
        "9s 6d 3c | 8h 6s 3h 3s 2s | Kc Kd 7h 4c 3d",
    )
    assert part(result, "gunshot") == [18, -6, -6, -6]
    assert part(result, "home_run") == [18, -6, -6, -6]
    assert totals(result) == [36, -12, -12, -12]
    assert [seat.points for seat in result.seats] == [720, -240, -240, -240]


def test_classic_run_over_with_two_rows_won_and_one_tied_pays_6() -> None:
    pair = pair_of(
        classic(
            "Jc 7s 3c | Qc Th 7d 4s 2c | Ac Ad As Kd Kh",
            "9s 8h 7h | Qd Tc 7c 4h 2h | Kc Jd 9d 9h 5c",
            "8s 6h 3h | Qh 9c 8d 6d 4d | Ah Td 6c 5d 2s",
            "Qs 3d 2d | Ks Ts 5s 4c 3s | Jh Js 8c 6s 5h",
        ),
        0,
        1,
    )
    assert outcomes(pair) == [WON, TIED, WON]
    assert (pair.guns, pair.gunned) == (True, False)
    assert (pair.pair_units, pair.gunshot_units, pair.total_units) == (0, 6, 6)


def test_classic_run_over_with_one_row_won_and_two_tied_pays_6() -> None:
    pair = pair_of(
        classic(
            "6s 5h 3h | Ks Qs 7h 6h 4d | Ac Qd Td 8c 5s",
            "6d 5d 3c | Kd Js 9d 7c 6c | Ad Qc Ts 8s 5c",
            "7d 3d 2s | Qh Tc Th 7s 4s | Ah Jd 9c 9h 9s",
            "Kc Jc 3s | As Jh 8h 4h 2d | Kh 8d 4c 2c 2h",
        ),
        0,
        1,
    )
    assert outcomes(pair) == [TIED, WON, TIED]
    assert (pair.guns, pair.gunned) == (True, False)
    assert (pair.pair_units, pair.gunshot_units, pair.total_units) == (0, 6, 6)


def test_classic_one_row_won_one_lost_and_one_tied_is_even() -> None:
    pair = pair_of(
        classic(
            "Jh 8d 6c | As Ts 5d 2c 2h | Qc Qh Qs Tc 4c",
            "Ac Qd 3h | Ad Th 5s 2d 2s | Ah Kc 6d 4h 4s",
            "Jc 6h 3s | Jd 9c 9h 7d 5c | Ks Js 9d 9s 7s",
            "Kh 7h 3c | Kd 8s 7c 4d 3d | Td 8c 8h 6s 5h",
        ),
        0,
        1,
    )
    assert outcomes(pair) == [LOST, TIED, WON]
    assert (pair.total_units, pair.royalties) == (0, ())


def test_classic_three_tied_rows_are_even() -> None:
    pair = pair_of(
        classic(
            "Tc 6h 5d | Qh 9c 8c 7h 4h | Kd Js 6c 4s 2d",
            "Td 6d 5h | Qc 9h 8s 7s 4d | Ks Jh 6s 4c 2s",
            "Kc 5s 2h | Ad Ts 7c 3h 3s | As Th 9d 9s 8h",
            "Ac Qd 2c | Ah Qs 8d 7d 3d | Kh Jc Jd 5c 3c",
        ),
        0,
        1,
    )
    assert outcomes(pair) == [TIED, TIED, TIED]
    assert (pair.guns, pair.gunned) == (False, False)
    assert pair.total_units == 0


def test_classic_trips_in_front_are_paid_by_b_and_d_whom_a_beats_and_not_by_c() -> None:
    result = classic(
        "2c 2d 2h | Kc 8d 3c 3d 3h | Js 9s 4c 4d 4h",
        "Ac Th 4s | As Kd Qc 7c 2s | Ad Ks Qd Jc Ts",
        "Td 8c 5d | 9c 8h 7d 6s 5s | Ah Qh Jh 9h 7h",
        "Jd 5h 3s | Kh Qs Tc 6c 6h | 9d 8s 7s 6d 5c",
    )
    a = 0
    assert [pair_of(result, a, opponent).pair_units for opponent in (1, 2, 3)] == [1, -1, 1]
    assert [pair_of(result, a, opponent).royalties for opponent in (1, 2, 3)] == [
        (Royalty(a, 1, Row.FRONT, Category.TRIPS, 3),),
        (),
        (Royalty(a, 3, Row.FRONT, Category.TRIPS, 3),),
    ]
    assert result.seats[a].total_units == 1 + 3 - 1 + 1 + 3


def test_classic_royalties_are_for_rows_that_lost_too_and_are_not_doubled() -> None:
    """The winner of a pair of seats collects for each of its rows; the loser for none."""
    result = classic(
        "2c 2d 2h | 8h 8d 8c 8s 3h | 9c 9d 9h 9s 3c",
        "7c 7d 7h | 6c 6d 6h 6s 3d | Tc Td Th Ts 3s",
        "Ac Kd 5h | Js Qc Qd 5s 4s | As Ah Kc Kh Jc",
        "Ad Ks Jd | Jh 5c Qh Qs 2s | 4c 4d 4h 7s 5d",
    )
    # Seat 0 beats the middle quads of seat 1, yet pays for them; its own earn nothing.
    lost = pair_of(result, 0, 1)
    assert outcomes(lost) == [LOST, WON, LOST]
    assert (lost.guns, lost.gunned) == (False, False)
    assert lost.royalties == (
        Royalty(1, 0, Row.FRONT, Category.TRIPS, 3),
        Royalty(1, 0, Row.MIDDLE, Category.QUADS, 8),
        Royalty(1, 0, Row.BACK, Category.QUADS, 4),
    )
    assert lost.total_units == -1 - 3 - 8 - 4
    # Both gun the two others, and the royalties stay what they are.
    for winner, loser in ((0, 2), (0, 3), (1, 2), (1, 3)):
        gun = pair_of(result, winner, loser)
        assert (gun.gunshot_units, gun.total_units) == (6, 6 + 3 + 8 + 4)


def test_classic_one_dragon_brings_75_and_costs_25_each() -> None:
    result = classic(
        "As Kd 8s | Tc 7d 5s 4c 2h | Qs Js 9h 6c 3h",
        "Kh 8c 2d | Jd 8h 4d 4s 3d | Jc Jh 7c 5c 2s",
        "Th 9s 6h | Ks Qd Td 9d 6d | Ac 9c 5h 3c 2c",
        "Qc 8d 4h | Ad Kc Qh Ts 6s | Ah 7h 7s 5d 3s",
    )
    assert totals(result) == [75, -25, -25, -25]
    assert guns(result) == [(0, 1), (0, 2), (0, 3)]
    assert part(result, "gunshot") == [18, -6, -6, -6]
    assert part(result, "home_run") == [18, -6, -6, -6]
    assert part(result, "royalty") == [39, -13, -13, -13]
    # The others do not compare, nor does anybody compare rows with a dragon.
    assert {None} == {outcome for pair in result.pairs for outcome in outcomes(pair)}
    assert [pair_of(result, *seats).total_units for seats in ((1, 2), (1, 3), (2, 3))] == [0, 0, 0]


def test_classic_a_dragon_all_in_one_suit_brings_no_more_than_any_other() -> None:
    result = classic(
        "Jd 5c 2s | Js 8c 7s 6d 3d | Ks 9s 7d 3c 2c",
        "Qh 6h 4h | Kh Th 8h 7h 3h | Ah Jh 9h 5h 2h",
        "Kd Tc 2d | Ac Kc 4c 4s 3s | As Qc Ts 5d 5s",
        "9c 8d 6s | Qd Td 9d 6c 4d | Ad Qs Jc 8s 7c",
    )
    assert totals(result) == [-25, 75, -25, -25]


def test_classic_of_two_dragons_the_one_in_one_suit_brings_50_and_the_other_38() -> None:
    result = classic(
        "8c 3h 2c | Jc Th 7c 5c 4h | Ac Kc Kh 6h 3c",
        "Qs 6s 4s | Ks Ts 8s 7s 3s | As Js 9s 5s 2s",
        "Qd 9h 6d | Qc Tc 5d 4c 2h | Ah Jh 9d 8d 7h",
        "Kd 7d 3d | Qh Jd Td 9c 8h | Ad 6c 5h 4d 2d",
    )
    assert totals(result) == [-44, 50, -44, 38]
    assert guns(result) == [(1, 0), (1, 2), (3, 0), (3, 2)]
    assert part(result, "home_run") == [-6, 12, -6, 0]
    assert pair_of(result, 1, 3).total_units == 0
    assert pair_of(result, 0, 2) == PairResult(0, 2)


def test_classic_two_dragons_neither_better_bring_38_each_and_the_two_others_compare() -> None:
    result = classic(
        "As Kd 8s | Tc 7d 5s 4c 2h | Qs Js 9h 6c 3h",
        "Ad 7h 2s | Ac Kc 5d 5h 3d | Kh Ts 9d 9s 3s",
        "Th 5c 4d | Ks Qc 9c 6s 2c | Ah Jh 8c 7s 3c",
        "Td 6d 6h | Jc Jd 8d 8h 7c | Qd Qh 4h 4s 2d",
    )
    others = pair_of(result, 1, 3)
    assert outcomes(others) == [LOST, LOST, LOST]
    assert others.total_units == -6
    assert part(result, "home_run") == [0, 0, 0, 0]
    assert totals(result) == [38, -38 - 6, 38, -38 + 6]


def test_classic_two_dragons_both_in_one_suit_are_equally_good() -> None:
    result = classic(
        "Jc 6c 3c | Kc Qc 7c 5c 4c | Ac Tc 9c 8c 2c",
        "Kd Qh 7h | Kh Qd Jd 9h 4h | Ad Ah Td 5d 3d",
        "As 8s 3s | Ks Ts 6s 5s 2s | Qs Js 9s 7s 4s",
        "8d 4d 2d | Jh 9d 8h 7d 6d | Th 6h 5h 3h 2h",
    )
    others = pair_of(result, 1, 3)
    assert outcomes(others) == [WON, WON, LOST]
    assert others.total_units == 1
    assert part(result, "home_run") == [0, 0, 0, 0]
    assert totals(result) == [38, -38 + 1, 38, -38 - 1]


def test_classic_four_dragons_are_all_even() -> None:
    result = classic(
        "Jc 9c 6c | Tc 8c 5c 3c 2c | Ac Kc Qc 7c 4c",
        "Ks Qs Ts | Js 9s 7s 6s 3s | As 8s 5s 4s 2s",
        "Kh 9h 2h | Ah Qh Jh 7h 6h | Th 8h 5h 4h 3h",
        "Td 5d 2d | Ad Kd Jd 9d 6d | Qd 8d 7d 4d 3d",
    )
    assert [seat.dragon for seat in result.seats] == [True] * 4
    assert guns(result) == []
    assert totals(result) == [0, 0, 0, 0]
    assert all(pair.royalties == () and pair.total_units == 0 for pair in result.pairs)


def test_classic_a_dragon_s_rows_may_stand_in_any_order_and_earn_no_other_royalty() -> None:
    """A straight flush in the middle, above a back that is less."""
    result = classic(
        "As Kd 8s | 6c 5c 4c 3c 2c | Qs Js Th 9d 7d",
        "Kh 8c 2d | Jd 8h 4d 4s 3d | Jc Jh 7c 5h 2s",
        "Tc 9s 6h | Ks Qd Td 9h 6d | Ac 9c 5s 3h 2h",
        "Qc 8d 4h | Ad Kc Qh Ts 6s | Ah 7h 7s 5d 3s",
    )
    assert result.seats[0].dragon
    assert {None} == {royalty.row for pair in result.pairs for royalty in pair.royalties}
    assert totals(result) == [75, -25, -25, -25]
