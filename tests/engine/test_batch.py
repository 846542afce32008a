"""Many questions in one: each answered as it is by itself, or all refused with every fault."""

from typing import Never

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.batch import MAX_REQUESTS, answer_all, answer_each
from shisanzhi.engine.cards import Card
from shisanzhi.engine.errors import MAX_FAULTS, Fault, InvalidRequestError, Reason
from shisanzhi.engine.questions import ArrangeQuestion, RawArrangement, ScoreQuestion
from shisanzhi.engine.rulesets import CLASSIC

HANDS = [tuple(card for card in CLASSIC.deck[seat::4]) for seat in range(4)]
GOOD = [ArrangeQuestion(CLASSIC.number, 0, hand) for hand in HANDS]
BAD = ArrangeQuestion(CLASSIC.number, int(Card.parse("As")), HANDS[0][:12])


def refuse(faults: int) -> Never:
    """Refuse whoever asks, with so many faults."""
    raise InvalidRequestError((Fault(Reason.CARD_UNKNOWN, "cards", "expected a card"),) * faults)


def refusal_of(*faults: int) -> InvalidRequestError:
    with pytest.raises(InvalidRequestError) as refused:
        answer_all(refuse, faults)
    return refused.value


def test_each_question_is_answered_as_it_is_by_itself() -> None:
    assert game_logic.batch_arrange(GOOD) == tuple(map(game_logic.arrange, GOOD))
    arranged = [game_logic.arrange(each).suggestions[0].arrangement for each in GOOD]
    question = ScoreQuestion(CLASSIC.number, 0, [RawArrangement(*rows) for rows in arranged], 1)
    assert game_logic.batch_score([question] * 2) == (game_logic.score(question),) * 2


def test_one_that_cannot_be_answered_is_a_fault_of_all() -> None:
    with pytest.raises(InvalidRequestError) as refused:
        game_logic.batch_arrange([GOOD[0], BAD, GOOD[1]])
    assert [(fault.reason.name, fault.path) for fault in refused.value.faults] == [
        ("CUT_CARD_FORBIDDEN", "requests[1].cut_card"),
        ("HAND_SIZE", "requests[1].hand"),
    ]


def test_the_others_are_asked_all_the_same() -> None:
    answers = answer_each(game_logic.arrange, [BAD, GOOD[0]])
    assert next(answers) is None
    assert next(answers) == game_logic.arrange(GOOD[0])
    with pytest.raises(InvalidRequestError, match=r"requests\[0\].hand"):
        next(answers)


def test_as_many_as_allowed_are_answered() -> None:
    assert answer_all(str, range(MAX_REQUESTS)) == tuple(map(str, range(MAX_REQUESTS)))


@pytest.mark.parametrize("count", [0, MAX_REQUESTS + 1])
def test_of_none_or_too_many_none_is_asked(count: int) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        answer_all(refuse, [1] * count)
    (fault,) = refused.value.faults
    assert (fault.reason.name, fault.path) == ("REQUEST_COUNT", "requests")


@pytest.mark.parametrize(
    ("faults", "more"),
    [
        ((MAX_FAULTS,), 0),
        ((MAX_FAULTS, 1), 1),
        ((MAX_FAULTS - 1, 2), 1),
        ((2, MAX_FAULTS + 5), 7),
    ],
)
def test_the_first_faults_of_all_are_kept_and_the_others_counted(
    faults: tuple[int, ...], more: int
) -> None:
    refused = refusal_of(*faults)
    assert (len(refused.faults), refused.more) == (MAX_FAULTS, more)


def test_what_a_refusal_did_not_keep_is_counted_on() -> None:
    def ask(_: int) -> Never:
        raise InvalidRequestError((Fault(Reason.CARD_UNKNOWN, "cards", "expected a card"),), 3)

    with pytest.raises(InvalidRequestError) as refused:
        answer_all(ask, [1, 2])
    assert (len(refused.value.faults), refused.value.more) == (2, 6)
