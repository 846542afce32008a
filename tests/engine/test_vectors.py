"""Every golden case, asked of the engine's own functions and of its questions."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Arrangement, bonus_rank_of, judge
from shisanzhi.engine.cards import Card, format_cards, parse_cards
from shisanzhi.engine.deal import Deal, deal
from shisanzhi.engine.evaluator import RowValue
from shisanzhi.engine.match import draw_seats
from shisanzhi.engine.questions import (
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    ScoreQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.scoring.results import PairResult, RoundResult
from shisanzhi.engine.scoring.round import score
from shisanzhi.engine.shuffle import derive_key
from tests.vectors import Case, card_of, cut_card_of, every_case, rows_of, ruleset_of

PARTS = ("gunshot", "home_run", "royalty", "pair", "total")


def evaluator_value(case: Case, row: str) -> RowValue:
    """Ask the ruleset's evaluator."""
    evaluator = ruleset_of(case).evaluator(bonus_rank_of(cut_card_of(case)))
    return evaluator.value(parse_cards(row))


def answered_value(case: Case, row: str) -> RowValue:
    """Ask the question that the service asks."""
    cards = parse_cards(row)
    question = EvaluateQuestion(ruleset_of(case).number, cut_card_of(case) or 0, [cards])
    (value,) = game_logic.evaluate(question)
    return value


@every_case("evaluate")
def test_a_row_has_the_golden_category_and_ranks(case: Case) -> None:
    for value in (evaluator_value(case, case["row"]), answered_value(case, case["row"])):
        assert (case["category"], case["ranks"]) == (value.category.name, list(value.ranks))


@every_case("order")
def test_strengths_ascend_through_the_golden_order(case: Case) -> None:
    rows = case["ascending"]
    judged = [evaluator_value(case, row) for row in rows]
    assert judged == [answered_value(case, row) for row in rows]
    for (row, lower), (above, greater) in combinations(zip(rows, judged, strict=True), 2):
        assert lower.strength < greater.strength, (row, above)


@every_case("validate")
def test_an_arrangement_breaks_exactly_the_golden_rules(case: Case) -> None:
    ruleset, arrangement, cut_card = ruleset_of(case), rows_of(case), cut_card_of(case)
    hand = None if case["hand"] is None else parse_cards(case["hand"])
    question = ValidateQuestion(
        ruleset.number, cut_card or 0, RawArrangement(*arrangement), hand or ()
    )
    judged = judge(ruleset, arrangement, cut_card, hand)
    assert judged == game_logic.validate(question)
    assert case["legal"] == judged.legal
    assert set(case["reasons"]) == {violation.reason.name for violation in judged.violations}


@every_case("score")
def test_a_round_pays_the_golden_units(case: Case) -> None:
    ruleset, cut_card = ruleset_of(case), cut_card_of(case)
    arrangements = list(map(rows_of, case["arrangements"]))
    question = ScoreQuestion(
        ruleset.number,
        cut_card or 0,
        [RawArrangement(*arrangement) for arrangement in arrangements],
        case["dealer"],
    )
    result = score(ruleset, arrangements, cut_card, dealer=case["dealer"])
    assert result == game_logic.score(question)
    assert {part: case[part] for part in (*PARTS, "place")} == units_of(result)
    points_per_unit = {"bonus": 0, "classic": 20}[case["ruleset"]]
    expected_points = [units * points_per_unit for units in case["total"]]
    assert expected_points == [seat.points for seat in result.seats]


def units_of(result: RoundResult) -> dict[str, list[int]]:
    """Give a round's units and places under the golden file's names."""
    return {
        **{part: [getattr(seat, f"{part}_units") for seat in result.seats] for part in PARTS},
        "place": [seat.place for seat in result.seats],
    }


@every_case("pairs")
def test_a_round_settles_the_golden_pairs(case: Case) -> None:
    arrangements = list(map(rows_of, case["arrangements"]))
    result = score(ruleset_of(case), arrangements, cut_card_of(case), dealer=case["dealer"])
    assert case["pairs"] == [described_pair(pair) for pair in result.pairs]


def described_pair(pair: PairResult) -> Mapping[str, Any]:
    """Write what two seats settle as the golden file does."""
    outcomes = zip(Arrangement._fields, (pair.front, pair.middle, pair.back), strict=True)
    return {
        **{name: getattr(pair, name) for name in ("seat", "opponent", "guns", "gunned")},
        **{row: outcome and outcome.name for row, outcome in outcomes},
        **{part: getattr(pair, f"{part}_units") for part in PARTS},
    }


@every_case("deal")
def test_a_seed_deals_the_golden_round(case: Case) -> None:
    ruleset, seed = ruleset_of(case), bytes.fromhex(case["seed"])
    player_seeds = list(map(bytes.fromhex, case["player_seeds"]))
    dealer, cuts = case["dealer_named"], case["cuts"]
    dealt = deal(ruleset, seed, player_seeds, case["round"], dealer=dealer, cuts=cuts)
    question = DealRoundQuestion(ruleset.number, seed, player_seeds, case["round"], dealer, cuts)
    assert dealt == game_logic.deal_round(question)
    assert golden_deal(case) == described(dealt)


def golden_deal(case: Case) -> Mapping[str, Any]:
    """Give the answers of a golden deal; its seed comes back, and so does the algorithm's name."""
    answers = ("seed", "commitment", "dealer", "first_receiver", "hands")
    return {
        **{name: case[name] for name in answers},
        "cut_card": card_of(case["cut_card"]),
        "turned_up_card": card_of(case["turned_up_card"]),
        "algorithm": "shisanzhi.v1",
    }


def described(dealt: Deal) -> Mapping[str, Any]:
    """Write a deal as the golden file does."""
    return {
        **dealt._asdict(),
        "seed": dealt.seed.hex(),
        "commitment": dealt.commitment.hex(),
        "hands": list(map(format_cards, dealt.hands)),
    }


@every_case("seats")
def test_a_seed_draws_the_golden_seats(case: Case) -> None:
    ruleset = ruleset_of({"ruleset": "classic"})
    players = draw_seats(ruleset, derive_key(bytes.fromhex(case["seed"])))
    rounds_of_draws: list[tuple[Card, ...]] = list(
        zip(*(player.cards for player in players), strict=True)
    )
    assert case["draws"] == list(map(format_cards, rounds_of_draws))
    seated = sorted(players, key=lambda player: player.seat)
    assert case["player_in_seat"] == [player.player for player in seated]


@every_case("arrange")
def test_a_hand_gets_the_golden_suggestions(case: Case) -> None:
    hand, suggestions = parse_cards(case["hand"]), case["suggestions"]
    ruleset = ruleset_of(case).number
    question = ArrangeQuestion(ruleset, cut_card_of(case) or 0, hand, len(suggestions))
    arranged = game_logic.arrange(question)
    assert case["dragon"] == arranged.dragon
    assert suggestions == [
        {
            **dict(zip(Arrangement._fields, map(format_cards, each.arrangement), strict=True)),
            "discards": format_cards(each.discards),
            "expected_units": each.expected_units,
        }
        for each in arranged.suggestions
    ]
