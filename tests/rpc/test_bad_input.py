"""What is wrong with a request is said completely, with path and reason, and no more is said."""

import base64
import inspect
import pkgutil
import re
from importlib import import_module
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.message import Message

import shisanzhi
from shisanzhi.v1 import card_pb2
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.arrangement_pb2 import Arrangement
from shisanzhi.v1.card_pb2 import CardList
from shisanzhi.v1.error_pb2 import ErrorReason
from shisanzhi.v1.match_pb2 import Match, Standing
from shisanzhi.v1.ruleset_pb2 import RULESET_BONUS, RULESET_CLASSIC
from tests.rpc.messages import card, cards
from tests.rpc.wire import METHODS, Refusal, Wire

Fault = tuple[str, str]

BONUS: Any = {"ruleset": RULESET_BONUS, "cut_card": card("7c")}
CLASSIC: Any = {"ruleset": RULESET_CLASSIC}
SEED = b"a secret, which no message tells"
PLAYER_IDS = ("ann", "bob", "cho", "dee")
REASONS = tuple(value.name for value in ErrorReason.DESCRIPTOR.values)
OF_THE_SERVER = {
    "UNSPECIFIED",
    "OVERLOADED",
    "INTERNAL",
    "MESSAGE_TOO_LARGE",
    "CLIENT_NAME",
    "DEADLINE",
    "REQUEST_LATE",
    "TOO_MANY_STREAMS",
    "UNKNOWN_METHOD",
    "UNKNOWN_SERVICE",
}
"""Reasons that blame no request."""
MAX_TRAILERS = 8192
"""What Java's clients take by default; no client takes less."""


class Case(NamedTuple):
    """A request that cannot be answered, and every fault that is to be found in it, in order."""

    method: str
    request: Message
    faults: list[Fault]


def evaluate(rows: list[str | list[int]], **header: Any) -> service_pb2.EvaluateRequest:
    numbers: list[Any] = [cards(row) if isinstance(row, str) else row for row in rows]
    return service_pb2.EvaluateRequest(
        **(header or BONUS), rows=[CardList(cards=row) for row in numbers]
    )


def arrangement(front: str, middle: str, back: str) -> Arrangement:
    return Arrangement(front=cards(front), middle=cards(middle), back=cards(back))


def validate(
    rows: Arrangement | None,
    hand: str | list[Any] = "",
    **header: Any,
) -> service_pb2.ValidateRequest:
    numbers = cards(hand) if isinstance(hand, str) else hand
    return service_pb2.ValidateRequest(**(header or BONUS), arrangement=rows, hand=numbers)


def seats(*changed: tuple[int, Arrangement], deck: str = "bonus") -> list[Arrangement]:
    """Four legal arrangements, some of them changed."""
    four = [*LEGAL[deck]]
    for seat, rows in changed:
        four[seat] = rows
    return four


def score(arrangements: list[Arrangement], **fields: Any) -> service_pb2.ScoreRequest:
    return service_pb2.ScoreRequest(**(BONUS | {"dealer": 0} | fields), arrangements=arrangements)


def deal(**fields: Any) -> service_pb2.DealRoundRequest:
    return service_pb2.DealRoundRequest(**(CLASSIC | {"seed": SEED} | fields))


def start(**fields: Any) -> service_pb2.StartMatchRequest:
    return service_pb2.StartMatchRequest(
        **(CLASSIC | {"seed": SEED, "player_ids": PLAYER_IDS} | fields)
    )


def match(**changed: Any) -> Match:
    """The books of a CLASSIC match after its second round, some of them changed."""
    units = (6, -4, -1, -1)
    points = (3220, 3020, 3080, 3080)
    lines = [
        Standing(
            place=place,
            seat=seat,
            player_id=PLAYER_IDS[seat],
            units=units[seat],
            points=points[seat],
        )
        for place, seat in ((1, 0), (2, 2), (2, 3), (4, 1))
    ]
    books = {
        "player_ids": PLAYER_IDS,
        "next_round": 3,
        "dealer": 2,
        "units": units,
        "points": points,
        "standings": lines,
    }
    return Match(**(CLASSIC | books | changed))


def advance(books: Match | None, *units: int) -> service_pb2.AdvanceMatchRequest:
    return service_pb2.AdvanceMatchRequest(match=books, units=units)


LEGAL = {
    "bonus": [
        arrangement("2c 5c 9c", "3c 3d 8c Jc Kc", "4c 4d 4h 6c Qc"),
        arrangement("2d 5d 9d", "3h 3s 8d Jd Kd", "Td Th Tc 6d Qd"),
        arrangement("2h 5h 9h", "3s 4s 8h Jh Ah", "4s 7s 7s 9s As"),
        arrangement("2s 5s 8s", "6h 6s Ks Ts Ad", "Js Js Qh Qs Kh"),
    ],
    "classic": [
        arrangement("2c 5c 9c", "3c 3d 8c Jc Kc", "4c 4d 4h 6c Qc"),
        arrangement("2d 5d 9d", "3h 3s 8d Jd Kd", "Td Th Tc 6d Qd"),
        arrangement("2h 5h 9h", "7c 7d 8h Jh Ah", "6h 6s As Ad Kh"),
        arrangement("2s 5s 8s", "7h 7s Ks 9s Ac", "Js Ts Qh Qs 4s"),
    ],
}
UNKNOWN_CARDS: Any = [0, 99, -1]
MIXED: list[Any] = [*cards("As Kd"), 99]
HAND = "2c 5c 9c 3c 3d 8c Jc Kc 4c 4d 4h 6c Qc Ah Kh Qh"


def ruleset_cases() -> dict[str, Case]:
    """Unset and unknown, for every method that names a ruleset."""
    unset: Any = {"ruleset": 0}
    unknown: Any = {"ruleset": 3}
    requests: dict[str, Any] = {
        "Evaluate": lambda header: evaluate(["2c 3d 4h"], **header),
        "Validate": lambda header: validate(LEGAL["bonus"][0], **header),
        "Score": lambda header: score(seats(), **header, cut_card=0),
        "DealRound": lambda header: deal(**header),
        "Arrange": lambda header: service_pb2.ArrangeRequest(**header, hand=cards(HAND)),
        "GetRuleset": lambda header: service_pb2.GetRulesetRequest(**header),
        "StartMatch": lambda header: start(**header),
        "AdvanceMatch": lambda header: advance(match(**header), 1, -1, 0, 0),
    }
    cases = {}
    for method, request in requests.items():
        path = "match.ruleset" if method == "AdvanceMatch" else "ruleset"
        required = [(path, "RULESET_REQUIRED")]
        cases[f"{method}: no ruleset"] = Case(method, request(unset), required)
        no_such = [(path, "RULESET_UNKNOWN")]
        cases[f"{method}: unknown ruleset"] = Case(method, request(unknown), no_such)
    return cases


def cut_card_cases() -> dict[str, Case]:
    """Missing, forbidden and unknown, for every method that judges cards."""
    missing: Any = {"ruleset": RULESET_BONUS}
    forbidden: Any = {"ruleset": RULESET_CLASSIC, "cut_card": card("7c")}
    unknown: Any = {"ruleset": RULESET_BONUS, "cut_card": 17}
    classic_hand = cards("2c 5c 9c 3c 3d 8c Jc Kc 4c 4d 4h 6c Qc")
    requests: dict[str, Any] = {
        "Evaluate": lambda header, _: evaluate(["2c 3d 4h"], **header),
        "Validate": lambda header, deck: validate(LEGAL[deck][0], **header),
        "Score": lambda header, deck: service_pb2.ScoreRequest(
            **header, dealer=0, arrangements=seats(deck=deck)
        ),
        "Arrange": lambda header, deck: service_pb2.ArrangeRequest(
            **header, hand=classic_hand if deck == "classic" else cards(HAND)
        ),
    }
    cases = {}
    for method, request in requests.items():
        for what, header, deck, reason in (
            ("missing", missing, "bonus", "CUT_CARD_REQUIRED"),
            ("forbidden", forbidden, "classic", "CUT_CARD_FORBIDDEN"),
            ("unknown", unknown, "bonus", "CARD_UNKNOWN"),
        ):
            faults = [("cut_card", reason)]
            cases[f"{method}: {what} cut card"] = Case(method, request(header, deck), faults)
    return cases


ROWS = {
    "cards that are none": Case(
        "Evaluate",
        evaluate(["2c 3d 4h", "2c 3d 4h", "2c 3d 4h", UNKNOWN_CARDS]),
        [(f"rows[3].cards[{index}]", "CARD_UNKNOWN") for index in range(3)],
    ),
    "no rows": Case("Evaluate", evaluate([]), [("rows", "ROW_COUNT")]),
    "1,001 rows": Case("Evaluate", evaluate(["2c 3d 4h"] * 1001), [("rows", "ROW_COUNT")]),
    **{
        f"a row of {len(row.split())} cards": Case(
            "Evaluate", evaluate(["2c 3d 4h", row]), [("rows[1].cards", "ROW_SIZE")]
        )
        for row in ("", "2c 3d", "2c 3d 4h 5s", "2c 3d 4h 5s 6s 7s")
    },
    "a third ace of spades in a row": Case(
        "Evaluate", evaluate(["As As Kd", "As As As"]), [("rows[1].cards[2]", "CARD_REPEATED")]
    ),
    "a second ace of hearts in a row": Case(
        "Evaluate", evaluate(["Ah Kh Ah"]), [("rows[0].cards[2]", "CARD_REPEATED")]
    ),
    "a second ace of spades in CLASSIC": Case(
        "Evaluate", evaluate(["As As Kd"], **CLASSIC), [("rows[0].cards[1]", "CARD_REPEATED")]
    ),
    "the cut card in a row": Case(
        "Evaluate", evaluate(["2c 7c 4h 5s 6s"]), [("rows[0].cards[1]", "CARD_REPEATED")]
    ),
    "the second copy of a spade that was cut": Case(
        "Evaluate",
        evaluate(["As Kd As"], ruleset=RULESET_BONUS, cut_card=card("As")),
        [("rows[0].cards[2]", "CARD_REPEATED")],
    ),
    "several faults in several rows": Case(
        "Evaluate",
        evaluate(["Ah Ah", MIXED]),
        [
            ("rows[0].cards", "ROW_SIZE"),
            ("rows[0].cards[1]", "CARD_REPEATED"),
            ("rows[1].cards[2]", "CARD_UNKNOWN"),
        ],
    ),
}

VALIDATED = {
    "no arrangement": Case("Validate", validate(None), [("arrangement", "ARRANGEMENT_REQUIRED")]),
    "cards that are none in each row": Case(
        "Validate",
        validate(
            Arrangement(
                front=UNKNOWN_CARDS[:1],
                middle=UNKNOWN_CARDS[1:2],
                back=[*cards("2c 3c 4c 5c"), *UNKNOWN_CARDS[2:]],
            )
        ),
        [
            ("arrangement.front[0]", "CARD_UNKNOWN"),
            ("arrangement.middle[0]", "CARD_UNKNOWN"),
            ("arrangement.back[4]", "CARD_UNKNOWN"),
        ],
    ),
    "a hand of thirteen in BONUS": Case(
        "Validate",
        validate(LEGAL["bonus"][0], HAND.removesuffix(" Ah Kh Qh")),
        [("hand", "HAND_SIZE")],
    ),
    "a hand of sixteen in CLASSIC": Case(
        "Validate", validate(LEGAL["classic"][0], HAND, **CLASSIC), [("hand", "HAND_SIZE")]
    ),
    "a hand that no deck holds": Case(
        "Validate",
        validate(LEGAL["bonus"][0], HAND.replace("Kh Qh", "Ah 7c")),
        [("hand[14]", "CARD_REPEATED"), ("hand[15]", "CARD_REPEATED")],
    ),
    "a hand with a card that is none": Case(
        "Validate",
        validate(LEGAL["bonus"][0], [*cards(HAND.removesuffix(" Qh")), -1]),
        [("hand[15]", "CARD_UNKNOWN")],
    ),
}

OTHER = arrangement("2c 5c 9c", "3c 3d 8c Jc Kc", "4c 4d 4h 6c Ac")
HANDS = {
    "bonus": [CardList(cards=[*rows.front, *rows.middle, *rows.back]) for rows in LEGAL["bonus"]],
    "classic": [
        CardList(cards=[*rows.front, *rows.middle, *rows.back]) for rows in LEGAL["classic"]
    ],
}


def with_card(hand: CardList, index: int, number: int) -> CardList:
    """A hand with one card changed."""
    numbers: list[Any] = list(hand.cards)
    numbers[index] = number
    return CardList(cards=numbers)


def classic(arrangements: list[Arrangement], **fields: Any) -> service_pb2.ScoreRequest:
    return score(arrangements, **(CLASSIC | {"cut_card": 0} | fields))


def swapped(row: str) -> list[Arrangement]:
    """Four legal CLASSIC arrangements from one deck, of which seats 0 and 1 have swapped a row."""
    four = seats(deck="classic")
    four[0], four[1] = (_with_row(four[0], row, four[1]), _with_row(four[1], row, four[0]))
    return four


def _with_row(rows: Arrangement, row: str, other: Arrangement) -> Arrangement:
    changed = Arrangement()
    changed.CopyFrom(rows)
    changed.ClearField(row)  # type: ignore[arg-type] # a row's name
    getattr(changed, row).extend(getattr(other, row))
    return changed


SCORED = {
    "three arrangements": Case(
        "Score", score(seats()[:3]), [("arrangements", "ARRANGEMENT_COUNT")]
    ),
    "five arrangements": Case(
        "Score",
        score([*seats(), Arrangement()]),
        [("arrangements", "ARRANGEMENT_COUNT")],
    ),
    "dealer 4": Case("Score", score(seats(), dealer=4), [("dealer", "SEAT_UNKNOWN")]),
    "no dealer": Case("Score", score(seats(), dealer=None), [("dealer", "DEALER_REQUIRED")]),
    "a row of four cards": Case(
        "Score",
        score(seats((2, arrangement("2h 5h 9h", "3s 4s 8h Jh", "4s 7s 7s 9s As")))),
        [("arrangements[2].middle", "ROW_SIZE")],
    ),
    "a card that is none": Case(
        "Score",
        score(
            seats(
                (
                    2,
                    Arrangement(
                        front=cards("2h 5h 9h"),
                        middle=[*cards("3s 4s 8h Jh"), card(None)],
                        back=cards("4s 7s 7s 9s As"),
                    ),
                )
            )
        ),
        [("arrangements[2].middle[4]", "CARD_UNKNOWN")],
    ),
    "a third ace of spades on the table": Case(
        "Score",
        score(
            seats(
                (1, arrangement("2d 5d 9d", "3h 3s 8d Jd As", "Td Th Tc 6d Qd")),
                (3, arrangement("2s 5s 8s", "6h 6s Ks Ts As", "Js Js Qh Qs Kh")),
            )
        ),
        [("arrangements[3].middle[4]", "CARD_REPEATED")],
    ),
    "the cut card on the table": Case(
        "Score",
        score(seats((0, arrangement("2c 5c 7c", "3c 3d 8c Jc Kc", "4c 4d 4h 6c Qc")))),
        [("arrangements[0].front[2]", "CARD_REPEATED")],
    ),
    "the front not below the middle": Case(
        "Score",
        score(seats((1, arrangement("3h 3s Kd", "2d 5d 8d Jd Tc", "Td Th 9d 6d Qd")))),
        [("arrangements[1].front", "FRONT_NOT_BELOW_MIDDLE")],
    ),
    "the middle above the back": Case(
        "Score",
        score(seats((1, arrangement("2d 5d 9d", "Td Th Tc 6d Qd", "3h 3s 8d Jd Kd")))),
        [("arrangements[1].middle", "MIDDLE_NOT_BELOW_BACK")],
    ),
    "the middle equal to the back in CLASSIC": Case(
        "Score",
        classic(
            seats(
                (0, arrangement("2c 4c 9c", "Kc Kd Jc 5c 3d", "Kh Ks Jh 5h 3h")),
                (1, arrangement("2d 5d 9d", "3c 3s 8d Jd 6c", "Td Th Tc 6d Qd")),
                (2, arrangement("2h 4h 9h", "7c 7d 8h 8c Ah", "6h 6s As Ad Qc")),
                (3, arrangement("2s 5s 8s", "7h 7s 4d 9s Ac", "Js Ts Qh Qs 4s")),
                deck="classic",
            )
        ),
        [("arrangements[0].middle", "MIDDLE_NOT_BELOW_BACK")],
    ),
    "both orders wrong, and in two seats": Case(
        "Score",
        score(
            seats(
                (0, arrangement("3c 3d Kc", "4d 5c 9c 8c Jc", "2c 4c 4h 6c Qc")),
                (2, arrangement("9s As 9h", "7s 7s 8h 2h Ah", "3s 4s Jh 5h 4s")),
            )
        ),
        [
            ("arrangements[0].front", "FRONT_NOT_BELOW_MIDDLE"),
            ("arrangements[2].front", "FRONT_NOT_BELOW_MIDDLE"),
            ("arrangements[2].middle", "MIDDLE_NOT_BELOW_BACK"),
        ],
    ),
    "three hands": Case(
        "Score",
        classic(seats(deck="classic"), hands=HANDS["classic"][:3]),
        [("hands", "HAND_COUNT")],
    ),
    "a card that the hand does not hold": Case(
        "Score",
        classic(
            seats(
                (0, OTHER),
                (3, arrangement("2s 5s 8s", "7h 7s Ks 9s Qc", "Js Ts Qh Qs 4s")),
                deck="classic",
            ),
            hands=HANDS["classic"],
        ),
        [
            ("arrangements[0].back[4]", "CARD_NOT_IN_HAND"),
            ("arrangements[3].middle[4]", "CARD_NOT_IN_HAND"),
        ],
    ),
    **{
        f"two seats that swapped their {row}s": Case(
            "Score",
            classic(swapped(row), hands=HANDS["classic"]),
            [
                (f"arrangements[{seat}].{row}[{index}]", "CARD_NOT_IN_HAND")
                for seat in (0, 1)
                for index in range(size)
            ],
        )
        for row, size in (("front", 3), ("middle", 5), ("back", 5))
    },
    "a hand of fourteen": Case(
        "Score",
        classic(
            seats(deck="classic"),
            hands=[*HANDS["classic"][:3], CardList(cards=[*HANDS["classic"][3].cards, card("9h")])],
        ),
        [("hands[3].cards", "HAND_SIZE")],
    ),
    "a hand with a card that is none": Case(
        "Score",
        classic(
            seats(deck="classic"),
            hands=[
                HANDS["classic"][0],
                with_card(HANDS["classic"][1], 7, 99),
                *HANDS["classic"][2:],
            ],
        ),
        [("hands[1].cards[7]", "CARD_UNKNOWN"), ("arrangements[1].middle[4]", "CARD_NOT_IN_HAND")],
    ),
    "hands that one deck does not hold": Case(
        "Score",
        classic(
            seats(deck="classic"),
            hands=[
                HANDS["classic"][0],
                with_card(HANDS["classic"][1], 7, card("Ac")),
                *HANDS["classic"][2:],
            ],
        ),
        [("hands[3].cards[7]", "CARD_REPEATED"), ("arrangements[1].middle[4]", "CARD_NOT_IN_HAND")],
    ),
    "faults of all kinds": Case(
        "Score",
        score(
            seats((0, arrangement("2c 5c", "3c 3d 8c Jc Kc", "4c 4d 4h 6c Qc")))[:3],
            cut_card=0,
            dealer=2**32 - 1,
            hands=[CardList()],
        ),
        [
            ("cut_card", "CUT_CARD_REQUIRED"),
            ("hands", "HAND_COUNT"),
            ("hands[0].cards", "HAND_SIZE"),
            ("arrangements", "ARRANGEMENT_COUNT"),
            ("arrangements[0].front", "ROW_SIZE"),
            ("dealer", "SEAT_UNKNOWN"),
        ],
    ),
}

DEALT = {
    "a seed of 15 bytes": Case("DealRound", deal(seed=SEED[:15]), [("seed", "SEED_SIZE")]),
    "a seed of 65 bytes": Case("DealRound", deal(seed=bytes(65)), [("seed", "SEED_SIZE")]),
    "nine player seeds": Case(
        "DealRound", deal(player_seeds=[b"x"] * 9), [("player_seeds", "PLAYER_SEED_COUNT")]
    ),
    "an empty player seed": Case(
        "DealRound", deal(player_seeds=[b""]), [("player_seeds[0]", "PLAYER_SEED_SIZE")]
    ),
    "a player seed of 65 bytes": Case(
        "DealRound",
        deal(player_seeds=[b"x" * 64, b"x" * 65]),
        [("player_seeds[1]", "PLAYER_SEED_SIZE")],
    ),
    "dealer 4": Case("DealRound", deal(dealer=4), [("dealer", "SEAT_UNKNOWN")]),
    "cuts of 0 and 52": Case(
        "DealRound",
        deal(cuts=[51, 52, 0]),
        [("cuts[1]", "CUT_OUT_OF_RANGE"), ("cuts[2]", "CUT_OUT_OF_RANGE")],
    ),
    "four cuts": Case("DealRound", deal(cuts=[1, 2, 3, 4]), [("cuts", "CUT_COUNT")]),
    "a cut in BONUS": Case(
        "DealRound", deal(ruleset=RULESET_BONUS, cuts=[1]), [("cuts", "CUTS_FORBIDDEN")]
    ),
    "all at once": Case(
        "DealRound",
        deal(seed=SEED[:15], player_seeds=[b""] * 8, dealer=7, cuts=[0, 0, 0]),
        [
            ("seed", "SEED_SIZE"),
            *((f"player_seeds[{index}]", "PLAYER_SEED_SIZE") for index in range(8)),
            ("dealer", "SEAT_UNKNOWN"),
            *((f"cuts[{index}]", "CUT_OUT_OF_RANGE") for index in range(3)),
        ],
    ),
}

STARTED = {
    "a seed of 15 bytes": Case("StartMatch", start(seed=SEED[:15]), [("seed", "SEED_SIZE")]),
    "a seed of 65 bytes": Case("StartMatch", start(seed=bytes(65)), [("seed", "SEED_SIZE")]),
    "nine player seeds": Case(
        "StartMatch", start(player_seeds=[b"x"] * 9), [("player_seeds", "PLAYER_SEED_COUNT")]
    ),
    "player seeds of 0 and 65 bytes": Case(
        "StartMatch",
        start(player_seeds=[b"", b"x" * 65]),
        [("player_seeds[0]", "PLAYER_SEED_SIZE"), ("player_seeds[1]", "PLAYER_SEED_SIZE")],
    ),
    "three players": Case(
        "StartMatch", start(player_ids=PLAYER_IDS[:3]), [("player_ids", "PLAYER_COUNT")]
    ),
    "five players": Case(
        "StartMatch", start(player_ids=[*PLAYER_IDS, "eve"]), [("player_ids", "PLAYER_COUNT")]
    ),
    "a player twice": Case(
        "StartMatch",
        start(player_ids=["ann", "bob", "ann", "dee"]),
        [("player_ids[2]", "PLAYER_ID_REPEATED")],
    ),
    "a player without a name": Case(
        "StartMatch",
        start(player_ids=["ann", "", "cho", "dee"]),
        [("player_ids[1]", "PLAYER_ID_SIZE")],
    ),
    "a name of 129 bytes": Case(
        "StartMatch",
        start(player_ids=["ann", "b" * 128, "東" * 43, "dee"]),
        [("player_ids[2]", "PLAYER_ID_SIZE")],
    ),
}

TURN = (1, -1, 0, 0)
MATCH_FAULT = "MATCH_CONTRADICTORY"
ADVANCED = {
    "no match": Case("AdvanceMatch", advance(None, *TURN), [("match", "MATCH_REQUIRED")]),
    "three units": Case("AdvanceMatch", advance(match(), 1, -1, 0), [("units", "UNIT_COUNT")]),
    "units that do not sum to zero": Case(
        "AdvanceMatch", advance(match(), 1, 1, 1, 1), [("units", "UNIT_SUM")]
    ),
    "units that the match cannot hold": Case(
        "AdvanceMatch",
        advance(match(), 2**31 - 1, -(2**31) + 1, 0, 0),
        [("units[0]", "UNIT_OUT_OF_RANGE"), ("units[1]", "UNIT_OUT_OF_RANGE")],
    ),
    "points that are not 3,100 and 20 a unit": Case(
        "AdvanceMatch",
        advance(match(points=(3220, 3020, 3081, 3079)), *TURN),
        [("match.points[2]", MATCH_FAULT), ("match.points[3]", MATCH_FAULT)],
    ),
    "three points": Case(
        "AdvanceMatch",
        advance(match(points=(3220, 3020, 3080)), *TURN),
        [("match.points", MATCH_FAULT)],
    ),
    "dealer 7": Case(
        "AdvanceMatch", advance(match(dealer=7), *TURN), [("match.dealer", "SEAT_UNKNOWN")]
    ),
    "round 0": Case(
        "AdvanceMatch", advance(match(next_round=0), *TURN), [("match.next_round", MATCH_FAULT)]
    ),
    "round 18": Case(
        "AdvanceMatch",
        advance(match(next_round=18), *TURN),
        [
            ("match.next_round", MATCH_FAULT),
            ("match.finished", MATCH_FAULT),
            ("match.finish_reason", MATCH_FAULT),
        ],
    ),
    "units before the first round": Case(
        "AdvanceMatch",
        advance(match(next_round=1, dealer=0), *TURN),
        [("match.units", MATCH_FAULT)],
    ),
    "a finished match": Case(
        "AdvanceMatch",
        advance(match(next_round=17, finished=True, finish_reason=1), *TURN),
        [("match.finished", "MATCH_FINISHED")],
    ),
    "a match that says it is over and is not": Case(
        "AdvanceMatch",
        advance(match(finished=True, finish_reason=2), *TURN),
        [("match.finished", MATCH_FAULT), ("match.finish_reason", MATCH_FAULT)],
    ),
    "a match that is over and does not say so": Case(
        "AdvanceMatch",
        advance(match(next_round=17), *TURN),
        [("match.finished", MATCH_FAULT), ("match.finish_reason", MATCH_FAULT)],
    ),
    "the wrong reason to be over": Case(
        "AdvanceMatch",
        advance(match(next_round=17, finished=True, finish_reason=2), *TURN),
        [("match.finish_reason", MATCH_FAULT), ("match.finished", "MATCH_FINISHED")],
    ),
    "match units that do not sum to zero": Case(
        "AdvanceMatch", advance(match(units=(6, -4, -1, 0)), *TURN), [("match.units", "UNIT_SUM")]
    ),
    "three match units": Case(
        "AdvanceMatch", advance(match(units=(6, -4, -2)), *TURN), [("match.units", "UNIT_COUNT")]
    ),
    "standings altered": Case(
        "AdvanceMatch",
        advance(match(standings=[*match().standings[1:], match().standings[0]]), *TURN),
        [("match.standings", MATCH_FAULT)],
    ),
    "standings left out": Case(
        "AdvanceMatch", advance(match(standings=[]), *TURN), [("match.standings", MATCH_FAULT)]
    ),
    "match players at fault": Case(
        "AdvanceMatch",
        advance(match(player_ids=["ann", "ann", "", "d" * 129]), *TURN),
        [
            ("match.player_ids[1]", "PLAYER_ID_REPEATED"),
            ("match.player_ids[2]", "PLAYER_ID_SIZE"),
            ("match.player_ids[3]", "PLAYER_ID_SIZE"),
        ],
    ),
    "three match players": Case(
        "AdvanceMatch",
        advance(match(player_ids=PLAYER_IDS[:3]), *TURN),
        [("match.player_ids", "PLAYER_COUNT")],
    ),
    "faults of match and units together": Case(
        "AdvanceMatch",
        advance(match(dealer=4, units=()), 1),
        [("match.dealer", "SEAT_UNKNOWN"), ("match.units", "UNIT_COUNT"), ("units", "UNIT_COUNT")],
    ),
}

ARRANGED = {
    "a hand of fifteen": Case(
        "Arrange",
        service_pb2.ArrangeRequest(**BONUS, hand=cards(HAND.removesuffix(" Qh"))),
        [("hand", "HAND_SIZE")],
    ),
    "a hand with a card that is none, one twice, and the cut card": Case(
        "Arrange",
        service_pb2.ArrangeRequest(
            **BONUS, hand=[*cards(HAND.replace("Ah Kh Qh", "2c 7c")), *UNKNOWN_CARDS[:1]]
        ),
        [
            ("hand[15]", "CARD_UNKNOWN"),
            ("hand[13]", "CARD_REPEATED"),
            ("hand[14]", "CARD_REPEATED"),
        ],
    ),
    "21 suggestions": Case(
        "Arrange",
        service_pb2.ArrangeRequest(**BONUS, hand=cards(HAND), max_suggestions=21),
        [("max_suggestions", "SUGGESTION_COUNT")],
    ),
}

GOOD_HAND = service_pb2.ArrangeRequest(**BONUS, hand=cards(HAND))
BATCHED = {
    "faults of more than one round": Case(
        "BatchScore",
        service_pb2.BatchScoreRequest(
            requests=[
                score(seats()[:3]),
                score(seats()),
                classic(seats(deck="classic"), hands=HANDS["classic"]),
                score(seats((2, arrangement("2h 5h 9h", "3s 4s 8h Jh", "4s 7s 7s 9s As")))),
            ]
        ),
        [
            ("requests[0].arrangements", "ARRANGEMENT_COUNT"),
            ("requests[3].arrangements[2].middle", "ROW_SIZE"),
        ],
    ),
    "an empty hand among good ones": Case(
        "BatchArrange",
        service_pb2.BatchArrangeRequest(
            requests=[GOOD_HAND, service_pb2.ArrangeRequest(**BONUS), GOOD_HAND]
        ),
        [("requests[1].hand", "HAND_SIZE")],
    ),
    "1,001 rounds, all at fault": Case(
        "BatchScore",
        service_pb2.BatchScoreRequest(requests=[service_pb2.ScoreRequest()] * 1001),
        [("requests", "REQUEST_COUNT")],
    ),
    "1,001 hands": Case(
        "BatchArrange",
        service_pb2.BatchArrangeRequest(requests=[GOOD_HAND] * 1001),
        [("requests", "REQUEST_COUNT")],
    ),
}

EMPTY = {
    "Evaluate": [("ruleset", "RULESET_REQUIRED"), ("rows", "ROW_COUNT")],
    "Validate": [("ruleset", "RULESET_REQUIRED"), ("arrangement", "ARRANGEMENT_REQUIRED")],
    "Score": [
        ("ruleset", "RULESET_REQUIRED"),
        ("arrangements", "ARRANGEMENT_COUNT"),
        ("dealer", "DEALER_REQUIRED"),
    ],
    "DealRound": [("ruleset", "RULESET_REQUIRED")],
    "Arrange": [("ruleset", "RULESET_REQUIRED")],
    "BatchArrange": [("requests", "REQUEST_COUNT")],
    "BatchScore": [("requests", "REQUEST_COUNT")],
    "GetRuleset": [("ruleset", "RULESET_REQUIRED")],
    "StartMatch": [("ruleset", "RULESET_REQUIRED"), ("player_ids", "PLAYER_COUNT")],
    "AdvanceMatch": [("match", "MATCH_REQUIRED"), ("units", "UNIT_COUNT")],
}
"""ListRulesets and GetTexts have no fields, so an empty request is all that can be asked."""

CASES = {
    **ruleset_cases(),
    **cut_card_cases(),
    **{
        f"{case.method}: {name}": case
        for group in (ROWS, VALIDATED, SCORED, DEALT, STARTED, ADVANCED, ARRANGED, BATCHED)
        for name, case in group.items()
    },
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_fault_is_found_with_its_path_and_its_reason(wire: Wire, case: Case) -> None:
    refusal = wire.refusal(case.method, case.request)
    assert sorted(case.faults) == sorted(refusal.faults)
    assert_well_told(refusal)


def assert_well_told(refusal: Refusal) -> None:
    """A refusal has one code and one domain, and its reasons are the contract's."""
    assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.domain == "shisanzhi"
    assert refusal.reason == refusal.faults[0][1]
    for _, reason in refusal.faults:
        assert f"ERROR_REASON_{reason}" in REASONS
    for text in refusal.descriptions:
        assert re.match(r"expected .+, got .+", text)
        assert not text.endswith(".")
    path, _ = refusal.faults[0]
    assert refusal.message.startswith(f"{path}: {refusal.descriptions[0]}")


def test_every_reason_is_met() -> None:
    """No reason of the contract, of those that blame a request, is left untried."""
    tried = {reason for case in CASES.values() for _, reason in case.faults} | {"MALFORMED_REQUEST"}
    reasons = {name.removeprefix("ERROR_REASON_") for name in REASONS}
    assert tried == reasons - OF_THE_SERVER


@pytest.mark.parametrize("method", EMPTY)
def test_an_empty_request_lacks_all_that_is_required(wire: Wire, method: str) -> None:
    refusal = wire.refusal(method, b"")
    assert EMPTY[method] == list(refusal.faults)
    assert_well_told(refusal)


def test_every_method_that_has_fields_refuses_an_empty_request() -> None:
    assert {*EMPTY, "ListRulesets", "GetTexts"} == set(METHODS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "raw",
    [b"\xff", b"\x07", b"\x0a\xff\xff\xff\xff\x0f", b"no message at all", b"\x0a\x05ab"],
    ids=["unfinished tag", "unknown wire type", "length beyond the end", "text", "cut short"],
)
def test_bytes_that_are_no_message_are_refused(wire: Wire, method: str, raw: bytes) -> None:
    refusal = wire.refusal(method, raw)
    assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
    assert (refusal.domain, refusal.reason) == ("shisanzhi", "MALFORMED_REQUEST")
    assert refusal.faults == (("", "MALFORMED_REQUEST"),)


def test_a_player_id_that_is_no_utf_8_is_no_message(wire: Wire) -> None:
    good = start(player_ids=["ann", "bob", "cho", "dXe"]).SerializeToString()
    refusal = wire.refusal("StartMatch", good.replace(b"dXe", b"d\xffe"))
    assert refusal.reason == "MALFORMED_REQUEST"


FLOODS = {
    "cards that are none": evaluate([[99] * 5] * 1000),
    "numbers below zero": evaluate([[-1] * 5] * 1000),
    "cards of which the deck has no more": evaluate([[card("7c")] * 5] * 1000),
}
"""Requests for Evaluate."""


def test_the_faults_of_a_whole_batch_are_cut_short_and_counted(wire: Wire) -> None:
    request = service_pb2.BatchScoreRequest(requests=[service_pb2.ScoreRequest()] * 1000)
    refusal = wire.refusal("BatchScore", request)
    assert " (and 2999 more)" in refusal.message
    assert refusal.faults[3] == ("requests[1].ruleset", "RULESET_REQUIRED")
    assert size_on_the_wire(refusal) < MAX_TRAILERS


@pytest.mark.parametrize("request_", FLOODS.values(), ids=FLOODS)
def test_five_thousand_faults_are_cut_short_and_counted(wire: Wire, request_: Message) -> None:
    """The trailers stay so small that every client takes them."""
    refusal = wire.refusal("Evaluate", request_)
    assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
    more = re.search(r" \(and (\d+) more\)$", refusal.message)
    assert more is not None
    assert 1 + int(more[1]) == 5000
    assert len(refusal.faults) > 20
    assert size_on_the_wire(refusal) < MAX_TRAILERS


def size_on_the_wire(refusal: Refusal) -> int:
    """Count trailers as HTTP/2 does: names, values (binary ones in base64) and 32 each."""
    status, message = str(refusal.code.value[0]), refusal.message
    fixed = [(":status", "200"), ("content-type", "application/grpc"), ("grpc-status", status)]
    fields = [*fixed, ("grpc-message", message), *refusal.trailers]
    return sum(
        len(name) + 32 + len(base64.b64encode(value) if isinstance(value, bytes) else value)
        for name, value in fields
    )


def test_a_message_says_no_more_than_it_should(wire: Wire) -> None:
    """No class name, no seed, no player's seed and no hand is told, whatever was wrong."""
    class_names = set(our_class_names())
    assert {"Checker", "InvalidRequestError", "EvaluateRequest"} <= class_names
    for case in CASES.values():
        refusal = wire.refusal(case.method, case.request)
        for text in refusal.texts:
            assert not set(re.findall(r"\w+", text)) & class_names, text
            assert len(re.findall(r"\b[2-9TJQKA][cdhs]\b", text)) <= 1, text
            assert "Traceback" not in text
        for secret in (SEED[:15], b"x" * 64, b"b" * 129, PLAYER_IDS[0].encode()):
            for spelling in (secret, secret.hex().encode(), base64.b64encode(secret)):
                assert spelling not in refusal.status
        assert bytes(65) not in refusal.status


def our_class_names() -> list[str]:
    """Name all classes of the package, generated ones included."""
    names = []
    for module in pkgutil.walk_packages(shisanzhi.__path__, "shisanzhi."):
        if not module.name.endswith("__main__"):
            members = inspect.getmembers(import_module(module.name), inspect.isclass)
            names += [
                name for name, member in members if str(member.__module__).startswith("shisanzhi")
            ]
    return [name for name in names if not name.isupper() and len(name) > 4]


def test_what_every_case_is_a_change_of_is_answered(wire: Wire) -> None:
    """The cases above are wrong in what they say and in nothing else."""
    assert card_pb2.Card.Value("CARD_CLUBS_SEVEN") == card("7c")
    wire.ask("Evaluate", evaluate(["2c 3d 4h"]))
    for deck, arrangements in LEGAL.items():
        header = BONUS if deck == "bonus" else CLASSIC
        for rows in arrangements:
            assert wire.ask("Validate", validate(rows, **header)).legal
    wire.ask("Score", score(seats()))
    wire.ask("Score", classic(seats(deck="classic"), hands=HANDS["classic"]))
    wire.ask("DealRound", deal())
    wire.ask("StartMatch", start())
    wire.ask("AdvanceMatch", advance(match(), *TURN))
    wire.ask("Arrange", service_pb2.ArrangeRequest(**BONUS, hand=cards(HAND)))
