"""What the server does before it serves."""

import gc
from functools import partial
from typing import Any

import pytest

from shisanzhi.engine import evaluator, game_logic
from shisanzhi.engine.questions import ArrangeQuestion
from shisanzhi.engine.rulesets import RULESETS, Ruleset
from shisanzhi.engine.solver import arranger, model
from shisanzhi.rpc.calls.methods import METHODS, Rpc, TakesLongerError, Weight
from shisanzhi.rpc.server.warm import warm


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_then_nothing_is_left_to_build(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    arranger.arranger.cache_clear()
    warm()
    monkeypatch.setattr(model.Model, "_make", None)
    monkeypatch.setattr(evaluator.Tables, "_raise", None)
    for cut_card in ruleset.deck[:13] if ruleset.has_bonus_rank else (0,):
        hand = [card for card in ruleset.deck[::3] if card != cut_card][: ruleset.hand_size]
        question = ArrangeQuestion(ruleset.number, cut_card, hand)
        assert len(game_logic.arrange(question).suggestions) == 1


def test_every_method_is_asked_once_in_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """But the batches, which ask what the single ones do."""
    asked = set()
    judged: list[bool] = []

    def answered(rpc: Rpc) -> Rpc:
        def answer(request: Any) -> Any:
            asked.add(rpc.name)
            response: Any = rpc.answer(request)
            if rpc.name == "Validate":
                judged.append(response.legal)
            return response

        def take_longer(_request: Any) -> Any:
            asked.add(f"{rpc.name}, quickly")
            raise TakesLongerError

        return rpc._replace(answer=answer, quick=take_longer if rpc.name == "Arrange" else None)

    monkeypatch.setattr(
        "shisanzhi.rpc.server.warm.METHODS",
        dict(zip(METHODS, map(answered, METHODS.values()), strict=True)),
    )
    warm()
    methods = {name for name, rpc in METHODS.items() if rpc.weight is not Weight.BATCH}
    assert asked == methods | {"Arrange, quickly"}
    assert judged == [True] * 8


def test_what_it_built_is_kept_from_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once what is garbage has gone."""
    done: list[str] = []
    for name in ("collect", "freeze"):
        monkeypatch.setattr(gc, name, partial(done.append, name))
    warm()
    assert done == ["collect", "freeze"]
