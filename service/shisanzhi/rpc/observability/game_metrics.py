"""What an operator asks of the game itself: rounds, fouls, suggestions.

Each answer is counted where it is made, by ruleset; a foul also where it is refused. Those of a
batch that is refused in the end were made, and are counted.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter

from shisanzhi.engine.errors import InvalidRequestError, Reason
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.rpc.observability.safely import Safely
from shisanzhi.rpc.observability.tally import Tallies, Tally

FOULS: Final = frozenset({Reason.FRONT_NOT_BELOW_MIDDLE, Reason.MIDDLE_NOT_BELOW_BACK})

Ask = Callable[[Any], Any]
Counts = Mapping[int, Counter] | Mapping[int, Tally]
"""By ruleset."""


class Domain:
    """The counters, and answers that count."""

    def __init__(self, registry: CollectorRegistry, tallies: Tallies, safely: Safely) -> None:
        """Make every counter, for every ruleset."""
        self._safely = safely
        self._tallies = tallies

        def counters(name: str, text: str) -> Mapping[int, Counter]:
            counter = Counter(name, text, ("ruleset",), registry=registry)
            return {number: counter.labels(rules.key) for number, rules in RULESETS.items()}

        self._dealt = counters("shisanzhi_rounds_dealt", "Rounds dealt.")
        self._scored = counters("shisanzhi_rounds_scored", "Rounds scored.")
        self._fouls = counters("shisanzhi_fouls_refused", "Rounds not scored for a foul.")
        self._illegal = counters("shisanzhi_arrangements_illegal", "Validated and not legal.")
        self._matches = counters("shisanzhi_matches_started", "Matches opened.")
        self._suggestions = counters("shisanzhi_suggestions", "Arrangements suggested.")

    def counted(self, name: str, ask: Ask, *, in_threads: bool = False) -> Ask:
        """Give the same answers, counted; a method of which nothing is counted stays as it is.

        What is asked in threads takes longer to count.
        """
        of = (lambda counts: counts) if in_threads else self._tallied
        wrap = {
            "DealRound": lambda: self._answers(ask, of(self._dealt)),
            "StartMatch": lambda: self._answers(ask, of(self._matches)),
            "Score": lambda: self._scores(ask, of(self._scored), of(self._fouls)),
            "Validate": lambda: self._validations(ask, of(self._illegal)),
            "Arrange": lambda: self._arrangements(ask),
        }.get(name)
        return wrap() if wrap else ask

    def _tallied(self, counters: Mapping[int, Counter]) -> Counts:
        return {number: self._tallies.of(each) for number, each in counters.items()}

    def _count(
        self,
        counters: Counts,
        request: Any,  # noqa: ANN401 - a message of any method
        amount: int = 1,
    ) -> None:
        self._safely(_of, counters, request, amount)

    def _answers(self, ask: Ask, counters: Counts) -> Ask:
        def counted(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            response = ask(request)
            self._count(counters, request)
            return response

        return counted

    def _scores(self, ask: Ask, scored: Counts, fouls: Counts) -> Ask:
        def score(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            try:
                response = ask(request)
            except InvalidRequestError as error:
                if any(fault.reason in FOULS for fault in error.faults):
                    self._count(fouls, request)
                raise
            self._count(scored, request)
            return response

        return score

    def _validations(self, ask: Ask, illegal: Counts) -> Ask:
        def validate(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            response = ask(request)
            if not response.legal:
                self._count(illegal, request)
            return response

        return validate

    def _arrangements(self, ask: Ask) -> Ask:
        """Count, always from threads."""

        def arrange(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            response = ask(request)
            self._count(self._suggestions, request, len(response.suggestions))
            return response

        return arrange


def _of(
    counters: Counts,
    request: Any,  # noqa: ANN401 - a message of any method
    amount: int,
) -> None:
    """Count for the request's ruleset, if it is one."""
    counter = counters.get(request.ruleset)
    if counter is not None:
        counter.inc(amount)
