"""Make the first call as fast as the hundredth: build every table, and take every path once."""

import gc

from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.rpc.servicer import GameLogic
from shisanzhi.v1 import arrangement_pb2, card_pb2
from shisanzhi.v1 import game_logic_service_pb2 as pb

_SEED = bytes(32)


def warm(logic: GameLogic) -> None:
    """Ask every question once in every ruleset, and keep what that built out of the collector's way.

    Takes some tenths of a second.
    """
    for number, ruleset in RULESETS.items():
        for bonus_rank in ruleset.bonus_ranks:
            ruleset.evaluator(bonus_rank)
        _play(logic, pb.DealRoundRequest(ruleset=number, seed=_SEED))
    gc.collect()
    gc.freeze()
