"""What a newer server says that this client does not know: seen, and shown as its number."""

from collections.abc import Callable, Iterator
from typing import Any

from shisanzhi.client import CallError, Client, Names, card_text, rank_text
from shisanzhi.v1 import game_logic_service_pb2 as service


def _values(client: Client) -> tuple[Any, Any]:
    strange, pair = client.evaluate(service.EvaluateRequest()).values
    seen = strange.category, list(strange.ranks), strange.strength > pair.strength
    return (99, [14, 99, 2], True, "99"), (*seen, rank_text(strange.ranks[1]))


def _names(client: Client) -> tuple[Any, Any]:
    names = Names(client.get_ruleset(service.GetRulesetRequest()).ruleset)
    new, unknown = names.category(99), names.category(98)
    expected = "新牌型", "new category", "98", "98"
    return expected, (new.zh_hant, new.en, unknown.zh_hant, unknown.en)


def _violations(client: Client) -> tuple[Any, Any]:
    (broken,) = client.validate(service.ValidateRequest()).violations
    return (99, 99, "99"), (broken.reason, broken.row, card_text(broken.card))


def _refusal(client: Client) -> tuple[Any, Any]:
    expected = "LATER_REASON", [("later[0].field", "LATER_REASON")], 3
    try:
        return expected, client.score(service.ScoreRequest())
    except CallError as error:
        paths = [(fault.path, fault.reason) for fault in error.faults]
        return expected, (error.reason, paths, error.left_out)


def _match(client: Client) -> tuple[Any, Any]:
    match = client.start_match(service.StartMatchRequest()).match
    turn = service.AdvanceMatchRequest(match=match, units=[1, -1, 0, 0])
    return 2, client.advance_match(turn).match.next_round


_CHECKS: tuple[Callable[[Client], tuple[Any, Any]], ...] = (
    _values,
    _names,
    _violations,
    _refusal,
    _match,
)
"""Each gives what is expected and what was got, in the order of the page."""
CHECKS = len(_CHECKS)


def failures(target: str) -> Iterator[tuple[int, object]]:
    """Make every check."""
    with Client(target) as client:
        for number, check in enumerate(_CHECKS, start=1):
            try:
                expected, got = check(client)
            except Exception as error:  # noqa: BLE001 - whatever it is, the check has failed
                yield number, error
                continue
            if expected != got:
                yield number, f"expected {expected}, got {got}"
