"""What an operator asks of the game itself: rounds, fouls, suggestions.

Each answer is counted where it is made, by ruleset; a foul also where it is refused. Those of a
batch that is refused in the end were made, and are counted. What is counted of which method stands
in the table of methods.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from prometheus_client import CollectorRegistry, Counter

from shisanzhi.engine.errors import InvalidRequestError, Reason
from shisanzhi.engine.rulesets import RULESETS
from shisanzhi.rpc.observability.safely import Safely
from shisanzhi.rpc.observability.tally import Tallies, Tally

Answer = Callable[[Any], Any]
"""Request -> response; raises InvalidRequestError."""


class Count(NamedTuple):
    """A counter; ``amount`` tells by how much it grows with a response, or with a refusal."""

    name: str
    text: str
    amount: Callable[[Any], int]


def _answers(outcome: Any) -> int:  # noqa: ANN401 - a message of any method
    return not isinstance(outcome, InvalidRequestError)


def _fouls(outcome: Any) -> int:  # noqa: ANN401 - a message of any method
    return isinstance(outcome, InvalidRequestError) and any(
        fault.reason in _FOULS for fault in outcome.faults
    )


def _illegal(outcome: Any) -> int:  # noqa: ANN401 - a message of Validate
    return not isinstance(outcome, InvalidRequestError) and not outcome.legal


def _suggestions(outcome: Any) -> int:  # noqa: ANN401 - a message of Arrange
    return 0 if isinstance(outcome, InvalidRequestError) else len(outcome.suggestions)


_FOULS: Final = {Reason.FRONT_NOT_BELOW_MIDDLE, Reason.MIDDLE_NOT_BELOW_BACK}

DEALT: Final = Count("shisanzhi_rounds_dealt", "Rounds dealt.", _answers)
SCORED: Final = Count("shisanzhi_rounds_scored", "Rounds scored.", _answers)
FOULS: Final = Count("shisanzhi_fouls_refused", "Rounds not scored for a foul.", _fouls)
ILLEGAL: Final = Count("shisanzhi_arrangements_illegal", "Validated and not legal.", _illegal)
STARTED: Final = Count("shisanzhi_matches_started", "Matches opened.", _answers)
SUGGESTED: Final = Count("shisanzhi_suggestions", "Arrangements suggested.", _suggestions)
COUNTS: Final = (DEALT, SCORED, FOULS, ILLEGAL, STARTED, SUGGESTED)

_ByRuleset = Mapping[int, Counter] | Mapping[int, Tally]
_Counting = list[tuple[Callable[[Any], int], _ByRuleset]]
"""Each amount, with what counts it."""


class GameMetrics:
    """The counters, and answers that count."""

    def __init__(self, registry: CollectorRegistry, tallies: Tallies, safely: Safely) -> None:
        self._safely = safely
        self._tallies = tallies
        self._counters: dict[Count, Mapping[int, Counter]] = {}
        for count in COUNTS:
            counter = Counter(count.name, count.text, ("ruleset",), registry=registry)
            self._counters[count] = {
                number: counter.labels(rules.key) for number, rules in RULESETS.items()
            }

    def counted(self, counts: Iterable[Count], answer: Answer, *, in_threads: bool) -> Answer:
        """Give the same answers, counted; they are asked for in threads, or in the event loop.

        Threads take longer to count. Raises KeyError for a count that is not in ``COUNTS``.
        """
        of = self._counted_by if in_threads else self._tallied_by
        counting: _Counting = [(count.amount, of(self._counters[count])) for count in counts]
        if not counting:
            return answer
        safely = self._safely

        def counted(request: Any) -> Any:  # noqa: ANN401 - messages of any method
            try:
                response = answer(request)
            except InvalidRequestError as error:
                safely(_count, counting, request, error)
                raise
            safely(_count, counting, request, response)
            return response

        return counted

    @staticmethod
    def _counted_by(counters: Mapping[int, Counter]) -> _ByRuleset:
        return counters

    def _tallied_by(self, counters: Mapping[int, Counter]) -> _ByRuleset:
        return {number: self._tallies.of(each) for number, each in counters.items()}


def _count(
    counting: _Counting,
    request: Any,  # noqa: ANN401 - a message of any method
    outcome: Any,  # noqa: ANN401 - the same, or a refusal
) -> None:
    """Count for the request's ruleset, if it is one."""
    for amount, counters in counting:
        if (more := amount(outcome)) and (counter := counters.get(request.ruleset)):
            counter.inc(more)
