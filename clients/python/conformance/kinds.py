"""Every kind of golden case: what is asked of the server, and what its answer says."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from google.protobuf import json_format

from shisanzhi.client import CallError, Client, cards_text, parse_cards
from shisanzhi.v1 import game_logic_service_pb2 as service
from shisanzhi.v1.arrangement_pb2 import ViolationReason
from shisanzhi.v1.card_pb2 import CardList
from shisanzhi.v1.error_pb2 import ErrorReason
from shisanzhi.v1.match_pb2 import FinishReason
from shisanzhi.v1.round_pb2 import RowOutcome
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC

from . import messages
from .cases import Case

Answer = dict[str, Any]
Ask = Callable[[Client, Case], Answer]
AskTogether = Callable[[Client, Sequence[Case]], list[Answer]]
PLAYERS: Final = ["ann", "bob", "cho", "dee"]


class Kind(NamedTuple):
    """The fields of a case that ask, those that answer, and how the server is asked."""

    asks: tuple[str, ...]
    answers: tuple[str, ...]
    ask: Ask
    together: AskTogether | None = None


def evaluate(client: Client, case: Case) -> Answer:
    (value,) = _values(client, case, [case["row"]])
    if not value.strength:
        raise ValueError("expected a strength above 0, got 0")
    return messages.value(value)


def order(client: Client, case: Case) -> Answer:
    first, again = ([v.strength for v in _values(client, case, case["ascending"])] for _ in "12")
    if first != again:
        raise ValueError(f"expected the same strengths when asked again, got {first} and {again}")
    for (lower, low), (row, strength) in pairwise(zip(case["ascending"], first, strict=True)):
        if low >= strength:
            raise ValueError(f"expected {lower} to be less than {row}, got {low} and {strength}")
    return {"ascending": case["ascending"]}


def _values(client: Client, case: Case, rows: Sequence[str]) -> Any:
    lists = [CardList(cards=parse_cards(row)) for row in rows]
    request = service.EvaluateRequest(**messages.judged_by(case), rows=lists)
    return client.evaluate(request).values


def validate(client: Client, case: Case) -> Answer:
    request = service.ValidateRequest(
        **messages.judged_by(case),
        arrangement=messages.arrangement(case),
        hand=parse_cards(case["hand"] or ""),
    )
    response = client.validate(request)
    reasons = {messages.name(ViolationReason, each.reason) for each in response.violations}
    return {"legal": response.legal, "reasons": sorted(map(str, reasons))}


def score(client: Client, case: Case) -> Answer:
    return messages.units(client.score(messages.score_request(case)).result)


def scores(client: Client, cases: Sequence[Case]) -> list[Answer]:
    request = service.BatchScoreRequest(requests=map(messages.score_request, cases))
    return [messages.units(each.result) for each in client.batch_score(request).responses]


def pairs(client: Client, case: Case) -> Answer:
    result = client.score(messages.score_request(case)).result
    return {"pairs": [messages.pair(pair) for pair in result.pairs]}


def deal(client: Client, case: Case) -> Answer:
    dealt = client.deal_round(
        service.DealRoundRequest(
            **messages.seeds(case),
            round=case["round"],
            dealer=case["dealer_named"],
            cuts=case["cuts"],
        )
    )
    if (dealt.seed.hex(), dealt.algorithm) != (case["seed"], "shisanzhi.v1"):
        raise ValueError(f"expected its seed and shisanzhi.v1, got {dealt.algorithm}")
    return messages.deal(dealt)


def seats(client: Client, case: Case) -> Answer:
    request = service.StartMatchRequest(
        ruleset=RULESET_CLASSIC, seed=bytes.fromhex(case["seed"]), player_ids=PLAYERS
    )
    started = client.start_match(request)
    draws = zip(*(draw.cards for draw in started.draws), strict=True)
    return {
        "draws": [cards_text(cards) for cards in draws],
        "player_in_seat": [PLAYERS.index(player) for player in started.match.player_ids],
    }


def arrange(client: Client, case: Case) -> Answer:
    return messages.suggestions(client.arrange(messages.arrange_request(case)))


def arranged(client: Client, cases: Sequence[Case]) -> list[Answer]:
    request = service.BatchArrangeRequest(requests=map(messages.arrange_request, cases))
    return [messages.suggestions(each) for each in client.batch_arrange(request).responses]


def match(client: Client, case: Case) -> Answer:
    request = service.StartMatchRequest(**messages.seeds(case), player_ids=case["player_ids"])
    started = client.start_match(request)
    matches = [started.match]
    for units in case["rounds"]:
        turn = service.AdvanceMatchRequest(match=matches[-1], units=units)
        matches.append(client.advance_match(turn).match)
    return {
        "draws": [{"cards": cards_text(each.cards), "seat": each.seat} for each in started.draws],
        "matches": list(map(messages.match, matches)),
    }


def rulesets(client: Client, case: Case) -> Answer:
    request = service.GetRulesetRequest(ruleset=messages.ruleset(case))
    return messages.rules(client.get_ruleset(request).ruleset)


def all_rulesets(client: Client, cases: Sequence[Case]) -> list[Answer]:
    listed = client.list_rulesets(service.ListRulesetsRequest()).rulesets
    by_name = {rules["ruleset"]: rules for rules in map(messages.rules, listed)}
    expected = list(dict.fromkeys(case["ruleset"] for case in cases))
    if list(by_name) != expected:
        raise ValueError(f"expected {expected} in the list, got {list(by_name)}")
    return [by_name[case["ruleset"]] for case in cases]


TEXTS: Final[dict[str, tuple[str, Any]]] = {
    "ViolationReason": ("violation_reasons", ViolationReason),
    "ErrorReason": ("error_reasons", ErrorReason),
    "FinishReason": ("finish_reasons", FinishReason),
    "RowOutcome": ("row_outcomes", RowOutcome),
}


def texts(client: Client, case: Case) -> Answer:
    field, enum = TEXTS[case["enum"]]
    lines = getattr(client.get_texts(service.GetTextsRequest()), field)
    return {
        "texts": [
            {
                "value": messages.name(enum, line.value) or "UNSPECIFIED",
                "text": messages.text(line.text),
            }
            for line in lines
        ]
    }


def errors(client: Client, case: Case) -> Answer:
    method = case["method"]
    request = getattr(service, f"{method}Request")()
    json_format.ParseDict(case["request"], request)
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in method)
    try:
        getattr(client, snake.lstrip("_"))(request)
    except CallError as error:
        return {
            "code": error.code.name,
            "reason": error.reason,
            "faults": [{"path": each.path, "reason": each.reason} for each in error.faults],
            "left_out": error.left_out,
        }
    raise ValueError("expected a refusal, got an answer")


_JUDGED: Final = ("ruleset", "cut")
_SEEDED: Final = ("seed", "player_seeds")
_ROUND: Final = (*_JUDGED, "dealer", "arrangements")
_RULES: Final = tuple(service.GetRulesetResponse().ruleset.DESCRIPTOR.fields_by_name)[1:]

KINDS: Final = {
    "evaluate": Kind((*_JUDGED, "row"), ("category", "ranks"), evaluate),
    "order": Kind(_JUDGED, ("ascending",), order),
    "validate": Kind((*_JUDGED, "front", "middle", "back", "hand"), ("legal", "reasons"), validate),
    "score": Kind(_ROUND, (*messages.PARTS, "place"), score, scores),
    "pairs": Kind(_ROUND, ("pairs",), pairs),
    "deal": Kind(
        ("ruleset", *_SEEDED, "round", "dealer_named", "cuts"),
        ("dealer", "first_receiver", "cut_card", "turned_up_card", "commitment", "hands"),
        deal,
    ),
    "seats": Kind(("seed",), ("draws", "player_in_seat"), seats),
    "arrange": Kind((*_JUDGED, "hand"), ("dragon", "suggestions"), arrange, arranged),
    "match": Kind(("ruleset", *_SEEDED, "player_ids", "rounds"), ("draws", "matches"), match),
    "rulesets": Kind(("ruleset",), _RULES, rulesets, all_rulesets),
    "texts": Kind(("enum",), ("texts",), texts),
    "errors": Kind(
        ("method", "request", "request_bytes"), ("code", "reason", "faults", "left_out"), errors
    ),
}
