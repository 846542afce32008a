"""One good request for each method, as a platform would send it, and its answer."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from shisanzhi.engine.cards import CARDS, Card, parse_cards
from shisanzhi.rpc.calls.servicer import GameLogic
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.arrangement_pb2 import Arrangement
from shisanzhi.v1.card_pb2 import CardList
from shisanzhi.v1.ruleset_pb2 import RULESET_BONUS

SERVICE = "shisanzhi.v1.GameLogicService"
METHODS = tuple(
    method.name for method in service_pb2.DESCRIPTOR.services_by_name["GameLogicService"].methods
)
SEED = bytes(range(100, 148))
PLAYER_SEED = b"the players own words"
BONUS: Any = {"ruleset": RULESET_BONUS}


def path(method: str) -> str:
    return f"/{SERVICE}/{method}"


@cache
def request(method: str) -> Any:
    """Give the request; do not change it."""
    make: dict[str, Callable[[], Any]] = {
        "Evaluate": lambda: service_pb2.EvaluateRequest(
            **BONUS, cut_card=_cut_card(), rows=[CardList(cards=_arrangements()[0].back)]
        ),
        "Validate": lambda: service_pb2.ValidateRequest(
            **BONUS, cut_card=_cut_card(), arrangement=_arrangements()[0]
        ),
        "Score": lambda: service_pb2.ScoreRequest(
            **BONUS, cut_card=_cut_card(), arrangements=_arrangements(), dealer=0
        ),
        "DealRound": lambda: service_pb2.DealRoundRequest(
            **BONUS, seed=SEED, player_seeds=[PLAYER_SEED]
        ),
        "Arrange": lambda: arrange(response("DealRound").hands[0]),
        "BatchArrange": lambda: service_pb2.BatchArrangeRequest(
            requests=map(arrange, response("DealRound").hands)
        ),
        "BatchScore": lambda: service_pb2.BatchScoreRequest(
            requests=[request("Score"), with_hands("Score")]
        ),
        "GetRuleset": lambda: service_pb2.GetRulesetRequest(**BONUS),
        "ListRulesets": service_pb2.ListRulesetsRequest,
        "GetTexts": service_pb2.GetTextsRequest,
        "StartMatch": lambda: service_pb2.StartMatchRequest(
            **BONUS, seed=SEED, player_seeds=[PLAYER_SEED], player_ids="ABCD"
        ),
        "AdvanceMatch": lambda: service_pb2.AdvanceMatchRequest(
            match=response("StartMatch").match, units=(3, -1, -1, -1)
        ),
    }
    return make[method]()


@cache
def response(method: str) -> Any:
    """Give the answer; do not change it."""
    answer: Message = getattr(GameLogic(), method)(request(method))
    return answer


def with_hands(method: str) -> Any:
    """Give the request of Validate or Score with what was dealt."""
    deal = response("DealRound")
    arrangements = [_arranged(hand).suggestions[0].arrangement for hand in deal.hands]
    if method == "Validate":
        return service_pb2.ValidateRequest(
            **BONUS,
            cut_card=deal.cut_card,
            arrangement=arrangements[0],
            hand=deal.hands[0].cards,
        )
    return service_pb2.ScoreRequest(
        **BONUS,
        cut_card=deal.cut_card,
        arrangements=arrangements,
        dealer=deal.dealer,
        hands=deal.hands,
    )


def arrange(hand: Any) -> Any:
    """Give the request to arrange one of the hands dealt."""
    cut_card = response("DealRound").cut_card
    return service_pb2.ArrangeRequest(**BONUS, cut_card=cut_card, hand=hand.cards)


def _arranged(hand: Any) -> Any:
    return GameLogic().Arrange(arrange(hand))


def foul() -> Any:
    """Give a round that cannot be scored, since the first seat's rows are out of order."""
    first, *others = _arrangements()
    turned = Arrangement(front=first.front, middle=first.back, back=first.middle)
    return service_pb2.ScoreRequest(
        **BONUS, cut_card=_cut_card(), arrangements=[turned, *others], dealer=0
    )


@cache
def _round() -> Any:
    lines = (Path(__file__).parent / "vectors" / "score.jsonl").read_text().splitlines()
    return json.loads(lines[0])


def _cut_card() -> Any:
    return Card.parse(_round()["cut"])


def _arrangements() -> list[Arrangement]:
    return [
        Arrangement(**{row: _cards(text) for row, text in arrangement.items()})
        for arrangement in _round()["arrangements"]
    ]


def _cards(text: str) -> Any:
    return [CARDS[card] for card in parse_cards(text)]


def raw(method: str) -> bytes:
    return bytes(request(method).SerializeToString())
