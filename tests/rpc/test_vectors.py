"""Every golden case, asked of a real server with the generated messages."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.arrangement_pb2 import Category, Row, ViolationReason
from shisanzhi.v1.error_pb2 import ErrorReason
from shisanzhi.v1.match_pb2 import FinishReason
from shisanzhi.v1.round_pb2 import PairResult, RowOutcome
from shisanzhi.v1.ruleset_pb2 import LocalizedText, RulesetInfo
from tests.rpc import messages
from tests.rpc.messages import card_or_null, reason_of, text_of, value_of
from tests.rpc.wire import METHODS, SERVICE, Wire
from tests.vectors import Case, cases, every_case

PARTS = ("gunshot", "home_run", "royalty", "pair", "total")
PLAYERS = ["ann", "bob", "cho", "dee"]


@every_case("evaluate")
def test_a_row_has_the_golden_category_and_ranks(wire: Wire, case: Case) -> None:
    (value,) = wire.ask("Evaluate", messages.evaluate(case, case["row"])).values
    assert (case["category"], case["ranks"]) == value_of(value)
    assert value.strength > 0


def test_all_rows_of_a_ruleset_and_cut_card_are_judged_in_one_call(wire: Wire) -> None:
    """The values come in the order of the rows."""
    together: dict[tuple[str, str | None], list[Case]] = {}
    for case in cases("evaluate"):
        together.setdefault((case["ruleset"], case["cut"]), []).append(case)
    for group in together.values():
        request = messages.evaluate(group[0], *(case["row"] for case in group))
        values = wire.ask("Evaluate", request).values
        expected = [(case["category"], case["ranks"]) for case in group]
        assert expected == [value_of(value) for value in values]


@every_case("order")
def test_strengths_ascend_through_the_golden_order(wire: Wire, case: Case) -> None:
    """Any two rows compare, not only neighbours, and a row equals itself."""
    strengths = [strength(wire, case, row) for row in case["ascending"]]
    for (lower, low), (greater, high) in combinations(
        zip(case["ascending"], strengths, strict=True), 2
    ):
        assert low < high, (lower, greater)
    assert strengths == [strength(wire, case, row) for row in case["ascending"]]


def strength(wire: Wire, case: Case, row: str) -> int:
    """Ask for a row by itself."""
    return int(wire.ask("Evaluate", messages.evaluate(case, row)).values[0].strength)


@every_case("validate")
def test_an_arrangement_breaks_exactly_the_golden_rules(wire: Wire, case: Case) -> None:
    response = wire.ask("Validate", messages.validate(case))
    assert case["legal"] == response.legal
    assert set(case["reasons"]) == {reason_of(broken.reason) for broken in response.violations}
    for row, size in (("front", 3), ("middle", 5), ("back", 5)):
        assert (len(case[row].split()) == size) == response.HasField(row)
    if case["hand"] and case["legal"]:
        played = " ".join(case[row] for row in ("front", "middle", "back"))
        all_cards = sorted([*played.split(), *text_of(response.discards).split()])
        assert sorted(case["hand"].split()) == all_cards


@every_case("score")
def test_a_round_pays_the_golden_units(wire: Wire, case: Case) -> None:
    result = wire.ask("Score", messages.score(case)).result
    units: dict[str, Any] = {
        part: [getattr(seat, f"{part}_units") for seat in result.seats] for part in PARTS
    }
    units["place"] = [seat.place for seat in result.seats]
    assert {name: case[name] for name in units} == units
    points_per_unit = {"bonus": 0, "classic": 20}[case["ruleset"]]
    expected_points = [points_per_unit * total for total in case["total"]]
    assert expected_points == [seat.points for seat in result.seats]
    assert [seat.seat for seat in result.seats] == [0, 1, 2, 3]
    assert [(case["dealer"] + step) % 4 for step in range(4)] == list(result.showing_order)


@every_case("score")
def test_every_golden_unit_is_found_in_exactly_one_pair(wire: Wire, case: Case) -> None:
    result = wire.ask("Score", messages.score(case)).result
    totals = [0, 0, 0, 0]
    for pair in result.pairs:
        royalties = sum(
            royalty.units if royalty.payee == pair.seat else -royalty.units
            for royalty in pair.royalties
        )
        parts = pair.pair_units + pair.gunshot_units + pair.home_run_units + royalties
        assert parts == pair.total_units
        totals[pair.seat] += pair.total_units
        totals[pair.opponent] -= pair.total_units
    pairs = [(pair.seat, pair.opponent) for pair in result.pairs]
    assert list(combinations(range(4), 2)) == pairs
    assert case["total"] == totals


@every_case("pairs")
def test_a_round_settles_the_golden_pairs(wire: Wire, case: Case) -> None:
    result = wire.ask("Score", messages.score(case)).result
    assert case["pairs"] == [described_pair(pair) for pair in result.pairs]


def described_pair(pair: PairResult) -> dict[str, Any]:
    """Write what two seats settle as the golden file does."""
    royalties = [
        royalty.units if royalty.payee == pair.seat else -royalty.units
        for royalty in pair.royalties
    ]
    outcomes = {"front": pair.front, "middle": pair.middle, "back": pair.back}
    return {
        **{name: getattr(pair, name) for name in ("seat", "opponent", "guns", "gunned")},
        **{row: outcome_or_null(outcome) for row, outcome in outcomes.items()},
        **{part: getattr(pair, f"{part}_units") for part in PARTS if part != "royalty"},
        "royalty": sum(royalties),
    }


def outcome_or_null(number: Any) -> str | None:
    return RowOutcome.Name(number).removeprefix("ROW_OUTCOME_") if number else None


@every_case("deal")
def test_a_seed_deals_the_golden_round(wire: Wire, case: Case) -> None:
    response = wire.ask("DealRound", messages.deal(case))
    dealt = {
        "seed": response.seed.hex(),
        "commitment": response.commitment.hex(),
        "dealer": response.dealer,
        "first_receiver": response.first_receiver,
        "cut_card": card_or_null(response.cut_card),
        "turned_up_card": card_or_null(response.turned_up_card),
        "hands": [text_of(hand.cards) for hand in response.hands],
    }
    assert {name: case[name] for name in dealt} == dealt
    assert response.algorithm == "shisanzhi.v1"


@every_case("seats")
def test_a_seed_draws_the_golden_seats(wire: Wire, case: Case) -> None:
    request = {"ruleset": "classic", "player_seeds": [], "player_ids": PLAYERS, **case}
    response = wire.ask("StartMatch", messages.start_match(request))
    draws = [text_of(cards) for cards in zip(*(draw.cards for draw in response.draws), strict=True)]
    assert case["draws"] == draws
    assert [draw.player for draw in response.draws] == [0, 1, 2, 3]
    seat_of = [case["player_in_seat"].index(player) for player in range(4)]
    assert seat_of == [draw.seat for draw in response.draws]
    seated = [PLAYERS[player] for player in case["player_in_seat"]]
    assert seated == list(response.match.player_ids)
    assert case["seed"] == response.seed.hex()


@every_case("match")
def test_a_match_keeps_the_golden_books(wire: Wire, case: Case) -> None:
    """The server remembers nothing: what it answered is handed back."""
    response = wire.ask("StartMatch", messages.start_match(case))
    draws = [{"cards": text_of(draw.cards), "seat": draw.seat} for draw in response.draws]
    assert case["draws"] == draws
    match = response.match
    assert case["matches"][0] == messages.match_of(match)
    for units, expected in zip(case["rounds"], case["matches"][1:], strict=True):
        request = service_pb2.AdvanceMatchRequest(match=match, units=units)
        match = wire.ask("AdvanceMatch", request).match
        assert expected == messages.match_of(match)
        assert messages.ruleset(case["ruleset"]) == match.ruleset
        lines = [
            (match.player_ids[line.seat], match.units[line.seat], match.points[line.seat])
            for line in match.standings
        ]
        assert lines == [(line.player_id, line.units, line.points) for line in match.standings]


def test_a_drawn_dealer_is_the_one_that_the_first_deal_draws(wire: Wire) -> None:
    """In BONUS the same seeds name the same dealer to StartMatch and to DealRound."""
    drawn = [case for case in cases("match") if case["ruleset"] == "bonus"]
    expected = [case["matches"][0]["dealer"] for case in drawn]
    deals = [
        messages.deal({**case, "round": 1, "dealer_named": None, "cuts": []}) for case in drawn
    ]
    assert expected == [wire.ask("DealRound", deal).dealer for deal in deals]


@every_case("arrange")
def test_a_hand_gets_the_golden_suggestions(wire: Wire, case: Case) -> None:
    response = wire.ask("Arrange", messages.arrange(case))
    assert case["dragon"] == response.dragon
    assert case["suggestions"] == [
        {
            "front": text_of(each.arrangement.front),
            "middle": text_of(each.arrangement.middle),
            "back": text_of(each.arrangement.back),
            "discards": text_of(each.discards),
            "expected_units": each.expected_units,
        }
        for each in response.suggestions
    ]


@every_case("rulesets")
def test_a_ruleset_is_described_as_the_golden_file_says(wire: Wire, case: Case) -> None:
    request = service_pb2.GetRulesetRequest(ruleset=messages.ruleset(case["ruleset"]))
    info = wire.ask("GetRuleset", request).ruleset
    assert case == dict(described(info))


def test_all_rulesets_are_described_in_the_golden_order(wire: Wire) -> None:
    infos = wire.ask("ListRulesets", service_pb2.ListRulesetsRequest()).rulesets
    assert cases("rulesets") == [dict(described(info)) for info in infos]


TEXTS = {
    "ViolationReason": ("violation_reasons", ViolationReason),
    "ErrorReason": ("error_reasons", ErrorReason),
    "FinishReason": ("finish_reasons", FinishReason),
    "RowOutcome": ("row_outcomes", RowOutcome),
}


@every_case("texts")
def test_every_value_has_its_golden_texts(wire: Wire, case: Case) -> None:
    """In the order of the numbers, none left out."""
    field, enum = TEXTS[case["enum"]]
    lines = getattr(wire.ask("GetTexts", service_pb2.GetTextsRequest()), field)
    names = {value.number: value.name for value in enum.DESCRIPTOR.values}
    prefix = names[0].removesuffix("UNSPECIFIED")
    assert case["texts"] == [
        {"value": names[line.value].removeprefix(prefix), "text": texts(line.text)}
        for line in lines
    ]
    assert list(names) == [line.value for line in lines]


def test_every_enum_that_has_texts_has_golden_ones() -> None:
    assert list(TEXTS) == [case["enum"] for case in cases("texts")]


@every_case("errors")
def test_a_request_at_fault_is_refused_as_the_golden_file_says(wire: Wire, case: Case) -> None:
    refusal = wire.refusal(case["method"], bytes.fromhex(case["request_bytes"]))
    faults = [{"path": path, "reason": reason} for path, reason in refusal.faults]
    assert case["faults"] == faults
    assert (case["code"], case["reason"]) == (refusal.code.name, refusal.reason)
    assert case["left_out"] == refusal.left_out


@every_case("errors")
def test_a_golden_request_reads_the_same_in_both_forms(case: Case) -> None:
    message = GetMessageClass(SERVICE.methods_by_name[case["method"]].input_type)
    request = json_format.ParseDict(case["request"], message())
    assert case["request_bytes"] == request.SerializeToString(deterministic=True).hex()
    written = json_format.MessageToDict(request, preserving_proto_field_name=True)
    assert case["request"] == written


def test_every_method_that_can_be_asked_wrongly_has_golden_errors() -> None:
    met = {case["method"] for case in cases("errors")}
    assert set(METHODS) - {"ListRulesets", "GetTexts"} == met


def described(info: RulesetInfo) -> Iterator[tuple[str, Any]]:
    """Write every field of a description as the golden file does."""
    for field in info.DESCRIPTOR.fields:
        value = getattr(info, field.name)
        match field.name:
            case "ruleset":
                yield field.name, {1: "bonus", 2: "classic"}[value]
            case "deck":
                yield field.name, text_of(value)
            case "rows" | "ladder" | "royalties":
                yield field.name, [dict(described_line(line)) for line in value]
            case _:
                yield field.name, texts(value) if isinstance(value, LocalizedText) else value


def described_line(line: Any) -> Iterator[tuple[str, Any]]:
    for field in line.DESCRIPTOR.fields:
        value = getattr(line, field.name)
        if field.name == "row":
            yield "row", Row.Name(value).removeprefix("ROW_") if value else None
        elif field.name == "category":
            name = Category.Name(value).removeprefix("CATEGORY_") if value else None
            yield "category", name
        else:
            yield field.name, texts(value) if isinstance(value, LocalizedText) else value


def texts(text: LocalizedText) -> dict[str, str]:
    return {"zh_hant": text.zh_hant, "en": text.en}
