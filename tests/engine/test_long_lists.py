"""Of a list that is too long only that is said: its items are not looked at."""

from collections.abc import Callable, Sequence
from typing import Any, Never

import pytest

from shisanzhi.engine import game_logic
from shisanzhi.engine.checks import LONGEST
from shisanzhi.engine.errors import InvalidRequestError
from shisanzhi.engine.match import Match
from shisanzhi.engine.questions import (
    AdvanceMatchQuestion,
    ArrangeQuestion,
    DealRoundQuestion,
    EvaluateQuestion,
    RawArrangement,
    ScoreQuestion,
    StartMatchQuestion,
    ValidateQuestion,
)
from shisanzhi.engine.rulesets import BONUS, RULESETS

CLASSIC, NO_CARD = 2, 0
SEED = bytes(16)
PLAYERS = ("ann", "bob", "cho", "dee")
NO_ROWS = RawArrangement((), (), ())


class Long(Sequence[Any]):
    """A list that fails whoever looks at its items."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, _index: object) -> Never:
        raise AssertionError("expected nobody to look at the items")

    def __iter__(self) -> Never:
        raise AssertionError("expected nobody to look at the items")


def seats(**rows: Any) -> list[RawArrangement]:
    """Four arrangements that one deck holds, the first of them changed."""
    first, *others = (
        RawArrangement(
            tuple(range(16 * suit + 2, 16 * suit + 5)),
            tuple(range(16 * suit + 5, 16 * suit + 10)),
            tuple(range(16 * suit + 10, 16 * suit + 15)),
        )
        for suit in (1, 2, 3, 4)
    )
    return [first._replace(**rows), *others]


def hands() -> list[Any]:
    return [[*rows.front, *rows.middle, *rows.back] for rows in seats()]


def books(**changed: Any) -> Match:
    question = StartMatchQuestion(CLASSIC, SEED, (), PLAYERS)
    return game_logic.start_match(question).match._replace(**changed)


def score(arrangements: Any, hands: Any = ()) -> ScoreQuestion:
    return ScoreQuestion(CLASSIC, 0, arrangements, 0, hands)


def advance(**changed: Any) -> AdvanceMatchQuestion:
    return AdvanceMatchQuestion(books(**changed), (0, 0, 0, 0))


Ask = Callable[[Any], object]
LISTS: dict[str, tuple[Ask, int, Callable[[Any], Any]]] = {
    "rows": (game_logic.evaluate, 1000, lambda it: EvaluateQuestion(CLASSIC, 0, it)),
    "rows[1].cards": (
        game_logic.evaluate,
        5,
        lambda it: EvaluateQuestion(CLASSIC, 0, [[18, 19, 20], it]),
    ),
    "hand": (game_logic.validate, 13, lambda it: ValidateQuestion(CLASSIC, 0, NO_ROWS, it)),
    "arrangements": (game_logic.score, 4, score),
    "arrangements[0].front": (game_logic.score, 3, lambda it: score(seats(front=it))),
    "arrangements[0].middle": (game_logic.score, 5, lambda it: score(seats(middle=it))),
    "arrangements[0].back": (game_logic.score, 5, lambda it: score(seats(back=it), hands())),
    "hands": (game_logic.score, 4, lambda it: score(seats(), it)),
    "hands[0].cards": (game_logic.score, 13, lambda it: score(seats(), [it, *hands()[1:]])),
    "player_seeds": (game_logic.deal_round, 8, lambda it: DealRoundQuestion(CLASSIC, SEED, it)),
    "cuts": (
        game_logic.deal_round,
        3,
        lambda it: DealRoundQuestion(CLASSIC, SEED, (), 1, None, it),
    ),
    "player_ids": (
        game_logic.start_match,
        4,
        lambda it: StartMatchQuestion(CLASSIC, SEED, (), it),
    ),
    "match.player_ids": (game_logic.advance_match, 4, lambda it: advance(player_ids=it)),
    "match.units": (game_logic.advance_match, 4, lambda it: advance(units=it)),
    "match.points": (game_logic.advance_match, 4, lambda it: advance(points=it)),
    "match.standings": (game_logic.advance_match, 4, lambda it: advance(standings=it)),
    "units": (game_logic.advance_match, 4, lambda it: AdvanceMatchQuestion(books(), it)),
}
"""For each list: who judges it, how long it may be, and a question that has it."""
UNNUMBERED = {"match.standings"}
ARRANGED = ("hand", game_logic.arrange, 13, lambda it: ArrangeQuestion(CLASSIC, 0, it))


def faults_of(ask: Ask, question: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as refused:
        ask(question)
    return [(fault.path, fault.description) for fault in refused.value.faults]


@pytest.mark.parametrize("more", [1, 60_000])
@pytest.mark.parametrize(
    ("path", "ask", "most", "question"),
    [*((path, *case) for path, case in LISTS.items()), ARRANGED],
)
def test_of_a_list_that_is_too_long_only_that_is_said(
    path: str, ask: Ask, most: int, question: Callable[[Any], Any], more: int
) -> None:
    ((place, text),) = faults_of(ask, question(Long(most + more)))
    assert path == place
    assert path in UNNUMBERED or text.endswith(f", got {most + more}")


def test_a_hand_of_no_ruleset_is_not_looked_at_beyond_a_deck() -> None:
    question = ArrangeQuestion(0, 0, Long(LONGEST + 1))
    assert [path for path, _ in faults_of(game_logic.arrange, question)] == ["ruleset"]


@pytest.mark.parametrize("place", range(3))
def test_a_row_longer_than_a_deck_that_is_validated_is_one_violation(place: int) -> None:
    rows: list[Any] = [*seats()[0]]
    rows[place] = Long(LONGEST + 1)
    judged = game_logic.validate(ValidateQuestion(CLASSIC, 0, RawArrangement(*rows)))
    assert [violation.reason.name for violation in judged.violations] == ["ROW_SIZE"]
    assert not judged.dragon


def test_a_row_that_is_not_read_makes_no_dragon_of_the_others() -> None:
    (whole, *_) = hands()
    endless: Any = Long(LONGEST + 1)
    rows = RawArrangement(endless, tuple(whole), ())
    assert not game_logic.validate(ValidateQuestion(CLASSIC, 0, rows)).dragon


def test_a_row_as_long_as_the_longest_deck_that_is_validated_is_looked_at() -> None:
    rows = RawArrangement((), BONUS.deck, ())
    judged = game_logic.validate(ValidateQuestion(BONUS.number, BONUS.deck[0], rows))
    found = {(violation.reason.name, violation.card) for violation in judged.violations}
    assert ("CARD_REPEATED", BONUS.deck[0]) in found


def test_a_row_too_long_by_a_card_that_is_validated_is_looked_at() -> None:
    """The arrangement is perhaps being made, and what is left of the hand is to be shown."""
    front, middle, back = seats()[0]
    rows = RawArrangement(front, (*middle, back[0], NO_CARD), back[1:])
    faults = faults_of(game_logic.validate, ValidateQuestion(CLASSIC, 0, rows))
    assert [path for path, _ in faults] == ["arrangement.middle[6]"]


def test_of_a_list_that_is_too_short_the_items_are_looked_at_too() -> None:
    three = seats(middle=(NO_CARD,) * 5)[:3]
    paths = [path for path, _ in faults_of(game_logic.score, score(three, [[NO_CARD]]))]
    assert "arrangements[0].middle[4]" in paths
    assert {"arrangements", "hands", "hands[0].cards", "hands[0].cards[0]"} <= set(paths)


def test_two_players_with_the_same_endless_name_are_told_its_size_only() -> None:
    names = ("x" * 60_000, "x" * 60_000, "cho", "dee")
    faults = faults_of(game_logic.start_match, StartMatchQuestion(CLASSIC, SEED, (), names))
    assert faults == [
        (f"player_ids[{place}]", "expected 1 to 128 bytes, got 60000") for place in (0, 1)
    ]


def test_no_list_that_is_in_order_is_too_long_to_be_read() -> None:
    for ruleset in RULESETS.values():
        assert max(ruleset.hand_size, ruleset.max_cuts) <= LONGEST
