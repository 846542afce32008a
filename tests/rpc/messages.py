"""Golden cases as messages, by the contract's names alone: our own code is not asked."""

from collections.abc import Iterable, Mapping
from typing import Any

from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.arrangement_pb2 import Arrangement, Category, RowValue, ViolationReason
from shisanzhi.v1.card_pb2 import Card, CardList, Rank, Suit
from shisanzhi.v1.match_pb2 import FinishReason, Match
from shisanzhi.v1.ruleset_pb2 import Ruleset

Case = Mapping[str, Any]

_RANKS = dict(
    zip("23456789TJQKA", (name.removeprefix("RANK_") for name in Rank.keys()[1:]), strict=True)
)
_SUITS = dict(zip("cdhs", (name.removeprefix("SUIT_") for name in Suit.keys()[1:]), strict=True))
_LETTERS: dict[int, str] = {
    Card.Value(f"CARD_{suit}_{rank}"): rank_letter + suit_letter
    for suit_letter, suit in _SUITS.items()
    for rank_letter, rank in _RANKS.items()
}


def card(text: str | None) -> Any:
    """Give a card's number; 0 for none."""
    return Card.Value(f"CARD_{_SUITS[text[1]]}_{_RANKS[text[0]]}") if text else 0


def cards(text: str | None) -> list[Any]:
    """Give the numbers of cards; of none, no numbers."""
    return [card(word) for word in (text or "").split()]


def text_of(numbers: Iterable[int]) -> str:
    """Write cards as golden cases do."""
    return " ".join(_LETTERS[number] for number in numbers)


def card_or_null(number: int) -> str | None:
    """Write a card as golden cases do; null for none."""
    return _LETTERS[number] if number else None


def rows(case: Case) -> Arrangement:
    """Give an arrangement."""
    return Arrangement(
        front=cards(case["front"]), middle=cards(case["middle"]), back=cards(case["back"])
    )


def ruleset(name: str) -> Any:
    """Give a ruleset's number."""
    return Ruleset.Value(f"RULESET_{name.upper()}")


def value_of(value: RowValue) -> tuple[str, list[int]]:
    """Give the category as golden cases name it, and the ranks."""
    return Category.Name(value.category).removeprefix("CATEGORY_"), list(value.ranks)


def reason_of(number: Any) -> str:
    """Name a rule broken as golden cases do."""
    return ViolationReason.Name(number).removeprefix("VIOLATION_REASON_")


def evaluate(case: Case, *texts: str) -> service_pb2.EvaluateRequest:
    """Ask what rows are worth."""
    return service_pb2.EvaluateRequest(
        ruleset=ruleset(case["ruleset"]),
        cut_card=card(case["cut"]),
        rows=[CardList(cards=cards(text)) for text in texts],
    )


def validate(case: Case) -> service_pb2.ValidateRequest:
    """Ask whether an arrangement may be played."""
    return service_pb2.ValidateRequest(
        ruleset=ruleset(case["ruleset"]),
        cut_card=card(case["cut"]),
        arrangement=rows(case),
        hand=cards(case["hand"]),
    )


def score(case: Case) -> service_pb2.ScoreRequest:
    """Ask what a round settles."""
    return service_pb2.ScoreRequest(
        ruleset=ruleset(case["ruleset"]),
        cut_card=card(case["cut"]),
        arrangements=map(rows, case["arrangements"]),
        dealer=case["dealer"],
    )


def deal(case: Case) -> service_pb2.DealRoundRequest:
    """Ask what a seed deals."""
    return service_pb2.DealRoundRequest(
        ruleset=ruleset(case["ruleset"]),
        seed=bytes.fromhex(case["seed"]),
        player_seeds=map(bytes.fromhex, case["player_seeds"]),
        round=case["round"],
        dealer=case["dealer_named"],
        cuts=case["cuts"],
    )


def arrange(case: Case) -> service_pb2.ArrangeRequest:
    """A request of a line of `arrange.jsonl`."""
    return service_pb2.ArrangeRequest(
        ruleset=ruleset(case["ruleset"]),
        cut_card=card(case["cut"]),
        hand=cards(case["hand"]),
        max_suggestions=len(case["suggestions"]),
    )


def start_match(case: Case) -> service_pb2.StartMatchRequest:
    """Ask who sits where."""
    return service_pb2.StartMatchRequest(
        ruleset=ruleset(case["ruleset"]),
        seed=bytes.fromhex(case["seed"]),
        player_seeds=map(bytes.fromhex, case["player_seeds"]),
        player_ids=case["player_ids"],
    )


def match_of(match: Match) -> Case:
    """Write a match as golden cases do."""
    finish_reason = FinishReason.Name(match.finish_reason).removeprefix("FINISH_REASON_")
    return {
        "player_ids": list(match.player_ids),
        "next_round": match.next_round,
        "dealer": match.dealer,
        "units": list(match.units),
        "points": list(match.points),
        "finished": match.finished,
        "finish_reason": None if finish_reason == "UNSPECIFIED" else finish_reason,
        "standings": [{"place": line.place, "seat": line.seat} for line in match.standings],
    }
