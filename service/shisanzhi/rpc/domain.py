"""What an operator asks of the game itself: rounds, fouls, suggestions.

Each answer is counted where it is made, by ruleset; a foul also where it is refused.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter

from shisanzhi.engine.errors import InvalidRequestError, Reason
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.rpc.safely import Safely
from shisanzhi.rpc.tally import Tallies, Tally

FOULS: Final = frozenset({Reason.FRONT_NOT_BELOW_MIDDLE, Reason.MIDDLE_NOT_BELOW_BACK})

Ask = Callable[[Any], Any]


class Domain:
    """The counters, and answers that count."""

    def __init__(self, registry: CollectorRegistry, tallies: Tallies, safely: Safely) -> None:
        """Make every counter, for every ruleset."""
        self._safely = safely

        def counters(name: str, text: str) -> Mapping[int, Counter]:
            counter = Counter(name, text, ("ruleset",), registry=registry)
            return {number: counter.labels(rules.key) for number, rules in RULESETS.items()}

        def by_ruleset(name: str, text: str) -> Mapping[int, Tally]:
            return {number: tallies.of(each) for number, each in counters(name, text).items()}

        self._dealt = by_ruleset("shisanzhi_rounds_dealt", "Rounds dealt.")
        self._scored = by_ruleset("shisanzhi_rounds_scored", "Rounds scored.")
        self._fouls = by_ruleset("shisanzhi_fouls_refused", "Rounds not scored for a foul.")
        self._illegal = by_ruleset("shisanzhi_arrangements_illegal", "Validated and not legal.")
        self._matches = by_ruleset("shisanzhi_matches_started", "Matches opened.")
        # Counted in the threads that arrange.
        self._suggestions = counters("shisanzhi_suggestions", "Arrangements suggested.")

    def counted(self, name: str, ask: Ask) -> Ask:
        """Give the same answers, counted; a method of which nothing is counted stays as it is."""
        wrap = {
            "DealRound": lambda: self._answers(ask, self._dealt),
            "StartMatch": lambda: self._answers(ask, self._matches),
            "Score": lambda: self._scores(ask),
            "Validate": lambda: self._validations(ask),
            "Arrange": lambda: self._arrangements(ask),
        }.get(name)
        return wrap() if wrap else ask

    def _count(
        self,
        counters: Mapping[int, Counter] | Mapping[int, Tally],
        request: Any,  # noqa: ANN401 - a message of any method
        amount: int = 1,
    ) -> None:
        self._safely(_of, counters, request, amount)

    def _answers(self, ask: Ask, counters: Mapping[int, Tally]) -> Ask:
        def counted(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            response = ask(request)
            self._count(counters, request)
            return response

        return counted

    def _scores(self, ask: Ask) -> Ask:
        def score(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            try:
                response = ask(request)
            except InvalidRequestError as error:
                if any(fault.reason in FOULS for fault in error.faults):
                    self._count(self._fouls, request)
                raise
            self._count(self._scored, request)
            return response

        return score

    def _validations(self, ask: Ask) -> Ask:
        def validate(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            response = ask(request)
            if not response.legal:
                self._count(self._illegal, request)
            return response

        return validate

    def _arrangements(self, ask: Ask) -> Ask:
        def arrange(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            response = ask(request)
            self._count(self._suggestions, request, len(response.suggestions))
            return response

        return arrange


def _of(
    counters: Mapping[int, Counter] | Mapping[int, Tally],
    request: Any,  # noqa: ANN401 - a message of any method
    amount: int,
) -> None:
    """Count for the request's ruleset, if it is one."""
    counter = counters.get(request.ruleset)
    if counter is not None:
        counter.inc(amount)
