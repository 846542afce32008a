"""Make the first call as fast as the hundredth: build every table, and take every path once."""

import gc
from contextlib import suppress
from typing import Any, Final

from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.engine.solver import arranger
from shisanzhi.rpc.calls.methods import METHODS, TakesLongerError

_SEED: Final = bytes(32)


def warm() -> None:
    """Ask every question once in every ruleset, then keep what that built from the collector.

    Takes some tenths of a second.
    """
    _ask("ListRulesets")
    _ask("GetTexts")
    for ruleset in RULESETS.values():
        arranger.prepare(ruleset)
        _play_round(ruleset.number)
        _play_match(ruleset.number)
    gc.collect()
    gc.freeze()


def _ask(name: str, **fields: Any) -> Any:  # noqa: ANN401 - messages of any method
    rpc = METHODS[name]
    request = rpc.request_type(**fields)
    if rpc.quick is not None:
        with suppress(TakesLongerError):
            rpc.quick(request)
    return rpc.answer(request)


def _play_round(ruleset: int) -> None:
    _ask("GetRuleset", ruleset=ruleset)
    deal = _ask("DealRound", ruleset=ruleset, seed=_SEED)
    judged = {"ruleset": ruleset, "cut_card": deal.cut_card}
    arrangements = []
    for hand in deal.hands:
        arranged = _ask("Arrange", **judged, hand=hand.cards)
        arrangements.append(arranged.suggestions[0].arrangement)
        _ask("Validate", **judged, arrangement=arrangements[-1], hand=hand.cards)
    _ask("Score", **judged, arrangements=arrangements, dealer=deal.dealer, hands=deal.hands)
    _ask("Evaluate", **judged, rows=[type(hand)(cards=hand.cards[:5]) for hand in deal.hands])


def _play_match(ruleset: int) -> None:
    start = _ask("StartMatch", ruleset=ruleset, seed=_SEED, player_ids="ABCD")
    _ask("AdvanceMatch", match=start.match, units=(3, -1, -1, -1))
