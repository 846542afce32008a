"""Make the first call as fast as the hundredth: build every table, and take every path once."""

import gc
from contextlib import suppress

from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.solver import arranger
from shisanzhi.rpc.calls.servicer import GameLogic, TakesLongerError
from shisanzhi.v1 import game_logic_service_pb2 as service_pb2
from shisanzhi.v1.ruleset_pb2 import Ruleset

_SEED = bytes(32)


def warm(logic: GameLogic) -> None:
    """Ask every question once in every ruleset, then keep what that built from the collector.

    Takes some tenths of a second.
    """
    logic.ListRulesets(service_pb2.ListRulesetsRequest())
    logic.GetTexts(service_pb2.GetTextsRequest())
    for ruleset in RULESETS.values():
        arranger.prepare(ruleset)
        number = Ruleset.ValueType(ruleset.number)
        _play_round(logic, number)
        _play_match(logic, number)
    gc.collect()
    gc.freeze()


def _play_round(logic: GameLogic, number: Ruleset.ValueType) -> None:
    logic.GetRuleset(service_pb2.GetRulesetRequest(ruleset=number))
    deal = logic.DealRound(service_pb2.DealRoundRequest(ruleset=number, seed=_SEED))
    arrangements = []
    for hand in deal.hands:
        request = service_pb2.ArrangeRequest(
            ruleset=number, cut_card=deal.cut_card, hand=hand.cards
        )
        arrangement = logic.Arrange(request).suggestions[0].arrangement
        with suppress(TakesLongerError):
            logic.arrange_at_once(request)
        arrangements.append(arrangement)
        logic.Validate(
            service_pb2.ValidateRequest(
                ruleset=number,
                cut_card=deal.cut_card,
                arrangement=arrangement,
                hand=hand.cards,
            )
        )
    logic.Score(
        service_pb2.ScoreRequest(
            ruleset=number,
            cut_card=deal.cut_card,
            arrangements=arrangements,
            dealer=deal.dealer,
            hands=deal.hands,
        )
    )
    rows = [hand.__class__(cards=hand.cards[:5]) for hand in deal.hands]
    logic.Evaluate(service_pb2.EvaluateRequest(ruleset=number, cut_card=deal.cut_card, rows=rows))


def _play_match(logic: GameLogic, number: Ruleset.ValueType) -> None:
    start = logic.StartMatch(
        service_pb2.StartMatchRequest(ruleset=number, seed=_SEED, player_ids="ABCD")
    )
    logic.AdvanceMatch(service_pb2.AdvanceMatchRequest(match=start.match, units=(3, -1, -1, -1)))
