"""What each question gets that cannot be answered: every fault at once, each with its path."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.arrangement import Judgement
from shisanzhi.engine.cards import Card, parse_cards
from shisanzhi.engine.checks import MAX_ROWS
from shisanzhi.engine.errors import MAX_FAULTS, InvalidRequestError
from shisanzhi.engine.questions import (
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.rulesets import BONUS, CLASSIC

Fault = tuple[str, str]
UNKNOWN_CARDS = [0, 99, -1]
SEED = bytes(range(16))


def cards(text: str) -> tuple[int, ...]:
    return tuple(map(int, parse_cards(text)))


def laid(text: str) -> RawArrangement:
    """Read three rows, divided by bars."""
    return RawArrangement(*map(cards, text.split("|")))


CUT = int(Card.parse("9d"))
ROW = cards("Ks Kh 7c 5d 2h")
SEATS = [
    laid("Ah As 3h | 6s 5c 4d 3d 2h | Ac Kc Qc Tc 8c"),
    laid("Ks 7s 4h | Jd 9s 8h 7h 7s | Jh Js Td 9s 7d"),
    laid("Js Th 8s | Qs Jc Ts 6s 2s | Qh 9c 9h 7c 3s"),
    laid("Ts 6d 3c | Ad Kd 6c 2d 2s | As Ks Qd Qs 4s"),
]
DISCARDS = list(map(cards, ("Kh 8d 6h", "5d 5h 5s", "4c 2c 5s", "3s 4s 8s")))
HANDS = [
    [*front, *middle, *back, *rest]
    for (front, middle, back), rest in zip(SEATS, DISCARDS, strict=True)
]
CLASSIC_SEATS = [
    laid("Ac Ah 9c | Jc Tc 9h 8c 7s | Qd Qh Qs 4h 4s"),
    laid("As Qc Ts | 8s 7d 5c 2d 2h | Ad Jh Js Td 7c"),
    laid("Th 8d 5d | Ks Jd 9d 4d 2c | Kh 6c 6h 5h 5s"),
    laid("9s 6d 3c | 8h 6s 3h 3s 2s | Kc Kd 7h 4c 3d"),
]

bonus_rows = partial(EvaluateQuestion, BONUS.number, CUT)
classic_rows = partial(EvaluateQuestion, CLASSIC.number, 0)
bonus_arrangement = partial(ValidateQuestion, BONUS.number, CUT)
classic_arrangement = partial(ValidateQuestion, CLASSIC.number, 0)
bonus_deal = partial(DealRoundQuestion, BONUS.number)
classic_deal = partial(DealRoundQuestion, CLASSIC.number)


def bonus_round(seats: Sequence[RawArrangement], dealer: int = 0, hands: Any = ()) -> ScoreQuestion:
    return ScoreQuestion(BONUS.number, CUT, seats, dealer, hands)


def classic_round(seats: Sequence[RawArrangement], dealer: int = 0) -> ScoreQuestion:
    return ScoreQuestion(CLASSIC.number, 0, seats, dealer)


def with_card(row: Sequence[int], index: int, card: int | str) -> tuple[int, ...]:
    """Give a row with another card at an index."""
    number = int(Card.parse(card)) if isinstance(card, str) else card
    return (*row[:index], number, *row[index + 1 :])


def with_seat(seats: Sequence[Any], seat: int, other: Any) -> list[Any]:
    return [*seats[:seat], other, *seats[seat + 1 :]]


def with_back(seat: int, back: tuple[int, ...]) -> list[RawArrangement]:
    return with_seat(SEATS, seat, SEATS[seat]._replace(back=back))


ANSWERS: dict[type, Callable[[Any], object]] = {
    EvaluateQuestion: game_logic.evaluate,
    ValidateQuestion: game_logic.validate,
    ScoreQuestion: game_logic.score,
    DealRoundQuestion: game_logic.deal_round,
    ArrangeQuestion: game_logic.arrange,
    StartMatchQuestion: game_logic.start_match,
}


def refusal(question: object) -> InvalidRequestError:
    with pytest.raises(InvalidRequestError) as refused:
        ANSWERS[type(question)](question)
    return refused.value


def faults_of(question: object) -> list[Fault]:
    return [(fault.reason.name, fault.path) for fault in refusal(question).faults]


GOOD = {
    "evaluate bonus": bonus_rows([ROW, ROW[:3]]),
    "evaluate classic": classic_rows([ROW, ROW[:3]]),
    "evaluate as many rows as allowed": bonus_rows([ROW] * MAX_ROWS),
    "evaluate both aces of spades": bonus_rows([cards("As As 2c")]),
    "validate bonus": bonus_arrangement(SEATS[0]),
    "validate bonus from a hand": bonus_arrangement(SEATS[0], HANDS[0]),
    "validate classic": classic_arrangement(CLASSIC_SEATS[0]),
    "score bonus": bonus_round(SEATS, 3),
    "score bonus from hands": bonus_round(SEATS, 0, HANDS),
    "score classic": classic_round(CLASSIC_SEATS, 3),
    "deal bonus": bonus_deal(SEED),
    "deal with a long seed": bonus_deal(bytes(64), [bytes(1), bytes(64)] * 4, 2**32 - 1, 3),
    "deal classic": classic_deal(SEED, (), 1, 0, [1, 51, 26]),
    "arrange bonus": ArrangeQuestion(BONUS.number, CUT, HANDS[0]),
    "arrange as many ways as allowed": ArrangeQuestion(BONUS.number, CUT, HANDS[0], 20),
}

BAD: dict[str, tuple[object, list[Fault]]] = {
    # Ruleset
    "evaluate nothing": (
        EvaluateQuestion(0, 0, ()),
        [("RULESET_REQUIRED", "ruleset"), ("ROW_COUNT", "rows")],
    ),
    "validate nothing": (
        ValidateQuestion(0, 0, None),
        [("RULESET_REQUIRED", "ruleset"), ("ARRANGEMENT_REQUIRED", "arrangement")],
    ),
    "score nothing": (
        ScoreQuestion(0, 0, ()),
        [
            ("RULESET_REQUIRED", "ruleset"),
            ("ARRANGEMENT_COUNT", "arrangements"),
            ("DEALER_REQUIRED", "dealer"),
        ],
    ),
    "deal nothing": (
        DealRoundQuestion(0, b""),
        [("RULESET_REQUIRED", "ruleset"), ("SEED_SIZE", "seed")],
    ),
    "start nothing": (
        StartMatchQuestion(0, b"", (), ()),
        [
            ("RULESET_REQUIRED", "ruleset"),
            ("SEED_SIZE", "seed"),
            ("PLAYER_COUNT", "player_ids"),
        ],
    ),
    "no ruleset": (EvaluateQuestion(0, CUT, [ROW]), [("RULESET_REQUIRED", "ruleset")]),
    "unknown ruleset": (EvaluateQuestion(3, CUT, [ROW]), [("RULESET_UNKNOWN", "ruleset")]),
    "negative ruleset": (ScoreQuestion(-1, CUT, SEATS, 0), [("RULESET_UNKNOWN", "ruleset")]),
    "unknown ruleset to validate": (
        ValidateQuestion(99, CUT, SEATS[0]),
        [("RULESET_UNKNOWN", "ruleset")],
    ),
    "unknown ruleset to deal": (DealRoundQuestion(3, SEED), [("RULESET_UNKNOWN", "ruleset")]),
    # Cut card
    "cut card missing to evaluate": (
        EvaluateQuestion(BONUS.number, 0, [ROW]),
        [("CUT_CARD_REQUIRED", "cut_card")],
    ),
    "cut card missing to validate": (
        ValidateQuestion(BONUS.number, 0, SEATS[0]),
        [("CUT_CARD_REQUIRED", "cut_card")],
    ),
    "cut card missing to score": (
        ScoreQuestion(BONUS.number, 0, SEATS, 0),
        [("CUT_CARD_REQUIRED", "cut_card")],
    ),
    "cut card forbidden to evaluate": (
        EvaluateQuestion(CLASSIC.number, CUT, [ROW]),
        [("CUT_CARD_FORBIDDEN", "cut_card")],
    ),
    "cut card forbidden to validate": (
        ValidateQuestion(CLASSIC.number, CUT, CLASSIC_SEATS[0]),
        [("CUT_CARD_FORBIDDEN", "cut_card")],
    ),
    "cut card forbidden to score": (
        ScoreQuestion(CLASSIC.number, CUT, CLASSIC_SEATS, 0),
        [("CUT_CARD_FORBIDDEN", "cut_card")],
    ),
    "cut card forbidden, and no card at all": (
        EvaluateQuestion(CLASSIC.number, 99, [ROW]),
        [("CUT_CARD_FORBIDDEN", "cut_card")],
    ),
    "cut card unknown": (
        EvaluateQuestion(BONUS.number, 99, [ROW]),
        [("CARD_UNKNOWN", "cut_card")],
    ),
    "cut card negative": (
        ScoreQuestion(BONUS.number, -1, SEATS, 0),
        [("CARD_UNKNOWN", "cut_card")],
    ),
    # Cards that are none
    **{
        f"card {number} in a row": (
            bonus_rows([ROW, with_card(ROW, 3, number)]),
            [("CARD_UNKNOWN", "rows[1].cards[3]")],
        )
        for number in UNKNOWN_CARDS
    },
    **{
        f"card {number} in an arrangement": (
            bonus_arrangement(SEATS[0]._replace(back=with_card(SEATS[0].back, 4, number))),
            [("CARD_UNKNOWN", "arrangement.back[4]")],
        )
        for number in UNKNOWN_CARDS
    },
    **{
        f"card {number} in a hand": (
            bonus_arrangement(SEATS[0], with_card(HANDS[0], 15, number)),
            [("CARD_UNKNOWN", "hand[15]")],
        )
        for number in UNKNOWN_CARDS
    },
    **{
        f"card {number} in a round": (
            bonus_round(
                with_seat(SEATS, 2, SEATS[2]._replace(front=(*SEATS[2].front[:2], number)))
            ),
            [("CARD_UNKNOWN", "arrangements[2].front[2]")],
        )
        for number in UNKNOWN_CARDS
    },
    **{
        f"card {number} in the hands of a round": (
            bonus_round(SEATS, 0, with_seat(HANDS, 1, with_card(HANDS[1], 15, number))),
            [("CARD_UNKNOWN", "hands[1].cards[15]")],
        )
        for number in UNKNOWN_CARDS
    },
    # Rows
    "no row": (bonus_rows([]), [("ROW_COUNT", "rows")]),
    "1,001 rows": (bonus_rows([ROW] * 1001), [("ROW_COUNT", "rows")]),
    "rows of 0, 2, 4 and 6 cards": (
        classic_rows([[], ROW[:2], ROW, ROW[:4], [*ROW, *cards("9s")]]),
        [("ROW_SIZE", f"rows[{index}].cards") for index in (0, 1, 3, 4)],
    ),
    "third ace of spades": (
        bonus_rows([ROW, cards("As As 2c 3c As")]),
        [("CARD_REPEATED", "rows[1].cards[4]")],
    ),
    "second ace of spades, one being cut": (
        EvaluateQuestion(BONUS.number, int(Card.parse("As")), [cards("As As 2c")]),
        [("CARD_REPEATED", "rows[0].cards[1]")],
    ),
    "second ace of spades in classic": (
        classic_rows([cards("As As 2c")]),
        [("CARD_REPEATED", "rows[0].cards[1]")],
    ),
    "second ace of hearts": (
        bonus_rows([cards("Ah 2c Ah")]),
        [("CARD_REPEATED", "rows[0].cards[2]")],
    ),
    "the cut card in a row": (
        bonus_rows([ROW, ROW, ROW, cards("9d 9s 9h")]),
        [("CARD_REPEATED", "rows[3].cards[0]")],
    ),
    "everything wrong with rows": (
        EvaluateQuestion(BONUS.number, 99, [[], with_card(ROW, 0, 99), cards("Ah Ah Ah 2c")]),
        [
            ("CARD_UNKNOWN", "cut_card"),
            ("ROW_SIZE", "rows[0].cards"),
            ("CARD_UNKNOWN", "rows[1].cards[0]"),
            ("ROW_SIZE", "rows[2].cards"),
            ("CARD_REPEATED", "rows[2].cards[1]"),
            ("CARD_REPEATED", "rows[2].cards[2]"),
        ],
    ),
    # Validate
    "no arrangement": (bonus_arrangement(None), [("ARRANGEMENT_REQUIRED", "arrangement")]),
    "hand of 15": (bonus_arrangement(SEATS[0], HANDS[0][:15]), [("HAND_SIZE", "hand")]),
    "hand of 17": (
        bonus_arrangement(SEATS[0], [*HANDS[0], *cards("Td")]),
        [("HAND_SIZE", "hand")],
    ),
    "hand of 16 in classic": (
        classic_arrangement(CLASSIC_SEATS[0], HANDS[0]),
        [("HAND_SIZE", "hand")],
    ),
    "hand with the cut card": (
        bonus_arrangement(SEATS[0], with_card(HANDS[0], 15, "9d")),
        [("CARD_REPEATED", "hand[15]")],
    ),
    "hand with a card twice": (
        bonus_arrangement(SEATS[0], with_card(HANDS[0], 14, "Ah")),
        [("CARD_REPEATED", "hand[14]")],
    ),
    "everything wrong with an arrangement": (
        ValidateQuestion(BONUS.number, 0, RawArrangement((0,), (), (99,)), [*cards("Ah Ah"), -1]),
        [
            ("CUT_CARD_REQUIRED", "cut_card"),
            ("CARD_UNKNOWN", "arrangement.front[0]"),
            ("CARD_UNKNOWN", "arrangement.back[0]"),
            ("HAND_SIZE", "hand"),
            ("CARD_UNKNOWN", "hand[2]"),
            ("CARD_REPEATED", "hand[1]"),
        ],
    ),
    # Score
    "three arrangements": (bonus_round(SEATS[:3]), [("ARRANGEMENT_COUNT", "arrangements")]),
    "five arrangements": (
        classic_round([*CLASSIC_SEATS, laid("||")]),
        [("ARRANGEMENT_COUNT", "arrangements")],
    ),
    "no dealer": (ScoreQuestion(BONUS.number, CUT, SEATS), [("DEALER_REQUIRED", "dealer")]),
    "dealer 4": (bonus_round(SEATS, 4), [("SEAT_UNKNOWN", "dealer")]),
    "dealer -1": (classic_round(CLASSIC_SEATS, -1), [("SEAT_UNKNOWN", "dealer")]),
    "a middle of 4": (
        bonus_round(with_seat(SEATS, 2, SEATS[2]._replace(middle=SEATS[2].middle[:4]))),
        [("ROW_SIZE", "arrangements[2].middle")],
    ),
    "a front of 5 and a back of 3": (
        bonus_round(
            with_seat(SEATS, 1, RawArrangement(SEATS[1].back, SEATS[1].middle, SEATS[1].front))
        ),
        [("ROW_SIZE", "arrangements[1].front"), ("ROW_SIZE", "arrangements[1].back")],
    ),
    "the cut card played": (
        bonus_round(with_back(3, with_card(SEATS[3].back, 4, "9d"))),
        [("CARD_REPEATED", "arrangements[3].back[4]")],
    ),
    "a third king of spades": (
        bonus_round(with_back(3, with_card(SEATS[3].back, 4, "Ks"))),
        [("CARD_REPEATED", "arrangements[3].back[4]")],
    ),
    "a second ace of hearts by another seat": (
        bonus_round(with_back(3, with_card(SEATS[3].back, 4, "Ah"))),
        [("CARD_REPEATED", "arrangements[3].back[4]")],
    ),
    "a front over the middle": (
        bonus_round(with_seat(SEATS, 0, laid("As Ah 3h | Ac Kc Qc Tc 2h | 6s 5c 4d 3d 8c"))),
        [
            ("FRONT_NOT_BELOW_MIDDLE", "arrangements[0].front"),
            ("MIDDLE_NOT_BELOW_BACK", "arrangements[0].middle"),
        ],
    ),
    "a middle over the back": (
        bonus_round(
            with_seat(SEATS, 1, SEATS[1]._replace(middle=SEATS[1].back, back=SEATS[1].middle))
        ),
        [("MIDDLE_NOT_BELOW_BACK", "arrangements[1].middle")],
    ),
    "a middle that equals the back in classic": (
        classic_round(
            [
                laid("2c 3c 5d | 6h 7s 8d 9c Tc | 6d 7c 8c 9h Td"),
                *map(
                    laid,
                    (
                        "Ac Kd 9s | 2d 2h 3d 4c 5c | 3h 3s 4d 5h 6s",
                        "Jc Qd 7d | 4h 4s 2s 8h 9d | Jd Jh 5s 6c Ks",
                        "Kc Qh 7h | Ad Ah 8s Ts Qc | Js As Kh Qs Th",
                    ),
                ),
            ]
        ),
        [("MIDDLE_NOT_BELOW_BACK", "arrangements[0].middle")],
    ),
    "one hand": (bonus_round(SEATS, 0, HANDS[:1]), [("HAND_COUNT", "hands")]),
    "three hands": (bonus_round(SEATS, 0, HANDS[:3]), [("HAND_COUNT", "hands")]),
    "five hands": (
        bonus_round(SEATS, 0, [*HANDS, []]),
        [("HAND_COUNT", "hands")],
    ),
    "a hand of 13 in bonus": (
        bonus_round(SEATS, 0, with_seat(HANDS, 3, HANDS[3][:13])),
        [("HAND_SIZE", "hands[3].cards")],
    ),
    "hands of 13 in bonus, all of them played": (
        bonus_round(SEATS, 0, [hand[:13] for hand in HANDS]),
        [("HAND_SIZE", f"hands[{seat}].cards") for seat in range(4)],
    ),
    "a card dealt to two seats": (
        bonus_round(SEATS, 0, with_seat(HANDS, 1, with_card(HANDS[1], 15, "Kh"))),
        [("CARD_REPEATED", "hands[1].cards[15]")],
    ),
    "the cut card dealt": (
        bonus_round(SEATS, 0, with_seat(HANDS, 2, with_card(HANDS[2], 13, "9d"))),
        [("CARD_REPEATED", "hands[2].cards[13]")],
    ),
    "a card that another seat was dealt": (
        bonus_round(with_back(3, with_card(SEATS[3].back, 4, "5s")), 0, HANDS),
        [("CARD_NOT_IN_HAND", "arrangements[3].back[4]")],
    ),
    "two seats' arrangements changed over": (
        bonus_round([SEATS[1], SEATS[0], *SEATS[2:]], 0, HANDS),
        [
            ("CARD_NOT_IN_HAND", f"arrangements[{seat}].{row}[{index}]")
            for seat in (0, 1)
            for row, size in (("front", 3), ("middle", 5), ("back", 5))
            for index in range(size)
        ],
    ),
    "a row too long only by what is no card has no value": (
        bonus_round(
            with_seat(
                SEATS,
                0,
                SEATS[0]._replace(middle=(*SEATS[0].back, 99), back=SEATS[0].middle),
            )
        ),
        [("ROW_SIZE", "arrangements[0].middle")],
    ),
    "everything wrong with a round": (
        bonus_round(
            [
                laid("As Ah | Ac Kc Qc Tc 2h | 6s 5c 4d 3d 8c"),
                SEATS[1]._replace(front=(0, 99, -1)),
                laid("5c Th 8s | Qs Jc Ts 6s 2s | Qh 9c 9h 7c 9d"),
            ],
            4,
            [HANDS[0][:15]],
        ),
        [
            ("HAND_COUNT", "hands"),
            ("HAND_SIZE", "hands[0].cards"),
            ("ARRANGEMENT_COUNT", "arrangements"),
            ("ROW_SIZE", "arrangements[0].front"),
            ("CARD_UNKNOWN", "arrangements[1].front[0]"),
            ("CARD_UNKNOWN", "arrangements[1].front[1]"),
            ("CARD_UNKNOWN", "arrangements[1].front[2]"),
            ("CARD_REPEATED", "arrangements[2].front[0]"),
            ("CARD_REPEATED", "arrangements[2].back[4]"),
            ("MIDDLE_NOT_BELOW_BACK", "arrangements[0].middle"),
            ("SEAT_UNKNOWN", "dealer"),
        ],
    ),
    # Deal
    "seed of 15 bytes": (bonus_deal(bytes(15)), [("SEED_SIZE", "seed")]),
    "seed of 65 bytes": (classic_deal(bytes(65)), [("SEED_SIZE", "seed")]),
    "nine player seeds": (
        bonus_deal(SEED, [b"a"] * 9),
        [("PLAYER_SEED_COUNT", "player_seeds")],
    ),
    "player seeds of 0 and 65 bytes": (
        classic_deal(SEED, [b"", b"a", bytes(65)]),
        [("PLAYER_SEED_SIZE", "player_seeds[0]"), ("PLAYER_SEED_SIZE", "player_seeds[2]")],
    ),
    "dealt by seat 4": (bonus_deal(SEED, (), 1, 4), [("SEAT_UNKNOWN", "dealer")]),
    "cuts of 0 and 52": (
        classic_deal(SEED, (), 1, 0, [0, 26, 52]),
        [("CUT_OUT_OF_RANGE", "cuts[0]"), ("CUT_OUT_OF_RANGE", "cuts[2]")],
    ),
    "four cuts": (classic_deal(SEED, (), 1, 0, [1, 2, 3, 4]), [("CUT_COUNT", "cuts")]),
    "a cut in bonus": (bonus_deal(SEED, (), 1, 0, [26]), [("CUTS_FORBIDDEN", "cuts")]),
    "a cut in bonus, out of range": (bonus_deal(SEED, (), 1, 0, [0]), [("CUTS_FORBIDDEN", "cuts")]),
    "everything wrong with a deal": (
        classic_deal(bytes(15), [b""] * 8, 0, 9, [0, 1, 99]),
        [
            ("SEED_SIZE", "seed"),
            *(("PLAYER_SEED_SIZE", f"player_seeds[{index}]") for index in range(8)),
            ("SEAT_UNKNOWN", "dealer"),
            ("CUT_OUT_OF_RANGE", "cuts[0]"),
            ("CUT_OUT_OF_RANGE", "cuts[2]"),
        ],
    ),
    # Arrange
    "everything wrong with a hand to arrange": (
        ArrangeQuestion(BONUS.number, CUT, [*cards("Ah Ah 9d"), 99], 21),
        [
            ("HAND_SIZE", "hand"),
            ("CARD_UNKNOWN", "hand[3]"),
            ("CARD_REPEATED", "hand[1]"),
            ("CARD_REPEATED", "hand[2]"),
            ("SUGGESTION_COUNT", "max_suggestions"),
        ],
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_question_is_answered(name: str) -> None:
    """So that each bad one below differs from a good one by its fault alone."""
    question = GOOD[name]
    answer = ANSWERS[type(question)](question)
    assert not isinstance(answer, Judgement) or answer.legal


def test_an_unset_round_is_the_first_and_unset_suggestions_are_one() -> None:
    dealt = [bonus_deal(SEED), bonus_deal(SEED, (), 0), bonus_deal(SEED, (), 1)]
    assert len(set(map(game_logic.deal_round, dealt))) == 1
    hand = partial(ArrangeQuestion, BONUS.number, CUT, HANDS[0])
    assert len(set(map(game_logic.arrange, [hand(), hand(0), hand(1)]))) == 1


def test_a_hand_is_arranged_at_once_if_the_steps_are_enough() -> None:
    question = ArrangeQuestion(BONUS.number, CUT, HANDS[0], 20)
    assert game_logic.arrange_at_once(question, 10) is None
    assert game_logic.arrange_at_once(question, 1_000_000) == game_logic.arrange(question)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_question_gets_every_fault_with_its_reason_and_path(name: str) -> None:
    question, expected = BAD[name]
    assert sorted(expected) == sorted(faults_of(question))


@pytest.mark.parametrize("name", BAD)
def test_a_fault_says_what_was_expected_and_what_came(name: str) -> None:
    question, _ = BAD[name]
    for fault in refusal(question).faults:
        assert re.fullmatch(r"expected .+, got .*[^.]", fault.description)
        assert len(fault.description) < 100


@pytest.mark.parametrize("secret", [SEED[:15], b"secret" * 11], ids=["short", "long"])
def test_a_fault_tells_no_seed(secret: bytes) -> None:
    refused = refusal(bonus_deal(secret, [secret[:1] * 65]))
    for part in (secret[:4].hex(), repr(secret)[2:10], str(list(secret[:4]))):
        assert part not in str(refused)


def test_the_first_faults_of_very_many_are_kept_and_the_others_counted() -> None:
    refused = refusal(bonus_rows([[99] * 5] * 1000))
    assert len(refused.faults) == MAX_FAULTS
    assert refused.faults[-1].path == "rows[199].cards[4]"
    assert refused.more == 5 * 1000 - MAX_FAULTS


def test_the_fault_after_the_last_that_is_kept_is_counted() -> None:
    refused = refusal(EvaluateQuestion(BONUS.number, 0, [()] * MAX_ROWS))
    assert refused.faults[-1].path == f"rows[{MAX_ROWS - 2}].cards"
    assert (len(refused.faults), refused.more) == (MAX_FAULTS, 1)


def test_few_faults_are_all_there_are() -> None:
    assert refusal(bonus_rows([])).more == 0


# Validate answers what Score refuses


VIOLATIONS: dict[str, tuple[ValidateQuestion, list[tuple[str, str, str | None]]]] = {
    "sizes": (
        bonus_arrangement(laid("As Ah | 6s 5c 4d 3d 2h 2s | ")),
        [("ROW_SIZE", row, None) for row in ("FRONT", "MIDDLE", "BACK")],
    ),
    "the cut card": (
        bonus_arrangement(laid("9d Ah 3h | 6s 5c 4d 3d 2h | Ac Kc Qc Tc 8c")),
        [("CARD_REPEATED", "FRONT", "9d")],
    ),
    "a third ace of spades": (
        bonus_arrangement(laid("As As 3h | 6s 5c 4d 3d 2h | As Kc Kh Ks Kd")),
        [("CARD_REPEATED", "BACK", "As")],
    ),
    "a second ace of hearts": (
        bonus_arrangement(laid("Ah As 3h | 6s 5c 4d 3d 2h | Ah Kc Kh Ks Kd")),
        [("CARD_REPEATED", "BACK", "Ah")],
    ),
    "a card of another hand": (
        bonus_arrangement(SEATS[0]._replace(front=cards("Ah As 3c")), HANDS[0]),
        [("CARD_NOT_IN_HAND", "FRONT", "3c")],
    ),
    "a front over the middle": (
        bonus_arrangement(laid("9s 9h Kh | 9s 9c 5d 4h 3s | As Ah Ad 4c 6c")),
        [("FRONT_NOT_BELOW_MIDDLE", "FRONT", None)],
    ),
    "a front over the middle over the back": (
        bonus_arrangement(laid("As Ah 3h | Ac Kc Qc Tc 2h | 6s 5c 4d 3d 8c")),
        [("FRONT_NOT_BELOW_MIDDLE", "FRONT", None), ("MIDDLE_NOT_BELOW_BACK", "MIDDLE", None)],
    ),
    "everything": (
        bonus_arrangement(laid("9d As As As | Ac Kc Qc Tc 2h | 6s 5c 4d 3d 8c"), HANDS[0]),
        [
            ("ROW_SIZE", "FRONT", None),
            ("CARD_REPEATED", "FRONT", "9d"),
            ("CARD_REPEATED", "FRONT", "As"),
            ("CARD_NOT_IN_HAND", "FRONT", "9d"),
            ("CARD_NOT_IN_HAND", "FRONT", "As"),
            ("MIDDLE_NOT_BELOW_BACK", "MIDDLE", None),
        ],
    ),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_an_arrangement_against_the_rules_is_answered_with_every_violation(name: str) -> None:
    question, expected = VIOLATIONS[name]
    judged = game_logic.validate(question)
    found = [
        (violation.reason.name, violation.row.name, violation.card and str(violation.card))
        for violation in judged.violations
    ]
    assert expected == found
    assert not judged.legal


@pytest.mark.parametrize(
    ("question", "descriptions"),
    [
        (
            bonus_arrangement(laid("As Ah 3h | Ac Kc Qc Tc 2h | 6s 5c 4d 3d 8c")),
            [
                "expected a front below the middle, got PAIR over HIGH_CARD",
                "expected a middle not above the back, got HIGH_CARD A over HIGH_CARD 8",
            ],
        ),
        (
            classic_arrangement(laid("2c 3c 5d | 6h 7s 8d 9c Tc | 6d 7c 8c 9h Td")),
            ["expected a middle below the back, got STRAIGHT T over STRAIGHT T"],
        ),
        (
            bonus_arrangement(laid("As As 3h | 6s 5c 4d 3d 2h | As Kc Kh Ks Kd")),
            ["expected a card still in play, got As once too often"],
        ),
        (
            bonus_arrangement(SEATS[0]._replace(front=cards("Ah As 3c")), HANDS[0]),
            ["expected a card of the hand, got 3c"],
        ),
    ],
)
def test_a_violation_says_what_decided(question: ValidateQuestion, descriptions: list[str]) -> None:
    """Of two rows no more than the first rank in which they differ."""
    judged = game_logic.validate(question)
    assert [violation.description for violation in judged.violations] == descriptions


def test_a_row_of_the_wrong_size_has_no_value_and_the_others_have_theirs() -> None:
    judged = game_logic.validate(bonus_arrangement(laid("As Ah | 6s 5c 4d 3d 2h | Ac Kc Qc Tc 8c")))
    assert judged.front is None
    assert [str(judged.middle), str(judged.back)] == ["STRAIGHT 6", "FLUSH A K Q T 8"]


def test_the_discards_are_the_cards_of_the_hand_that_are_not_played_in_its_order() -> None:
    judged = game_logic.validate(bonus_arrangement(SEATS[0], [*DISCARDS[0], *HANDS[0][:13]]))
    assert tuple(DISCARDS[0]) == judged.discards
    assert game_logic.validate(bonus_arrangement(SEATS[0])).discards == ()


def test_a_dragon_in_classic_is_legal_in_any_order_and_in_bonus_it_is_none() -> None:
    dragon = laid("As Kd 8s | Qs Jc Th 9h 7c | 6c 5d 4s 3h 2h")
    assert game_logic.validate(classic_arrangement(dragon)).dragon
    assert game_logic.validate(classic_arrangement(dragon)).legal
    judged = game_logic.validate(bonus_arrangement(dragon))
    assert not judged.dragon
    assert not judged.legal
