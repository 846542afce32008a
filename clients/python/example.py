"""A round of BONUS, dealt, arranged and scored: what each seat won or lost."""

import sys

from shisanzhi.client import Client
from shisanzhi.v1.game_logic_service_pb2 import ArrangeRequest, DealRoundRequest, ScoreRequest
from shisanzhi.v1.ruleset_pb2 import RULESET_BONUS

TARGET = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"

with Client(TARGET) as client:
    deal = client.deal_round(DealRoundRequest(ruleset=RULESET_BONUS, seed=bytes(range(16))))
    score = ScoreRequest(
        ruleset=RULESET_BONUS, cut_card=deal.cut_card, dealer=deal.dealer, hands=deal.hands
    )
    for hand in deal.hands:
        asked = ArrangeRequest(ruleset=RULESET_BONUS, cut_card=deal.cut_card, hand=hand.cards)
        score.arrangements.append(client.arrange(asked).suggestions[0].arrangement)
    for seat in client.score(score).result.seats:
        print(f"seat {seat.seat}: {seat.total_units}")
