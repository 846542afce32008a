"""Several times the load that a server takes; ``make overload`` keeps it up for longer."""

import pytest

from tests.server import overload
from tests.server.calls import percentile


@pytest.mark.alone
def test_the_accepted_are_served_the_refused_told_at_once_and_health_answers() -> None:
    seen = overload.run(seconds=4)
    told = str(seen)
    # Medians, and twice what a machine of its own shows: this one may have other work.
    assert percentile(seen.health, 0.5) < 0.25, told
    assert percentile(seen.refused, 0.5) < 0.1, told
    assert percentile(seen.accepted, 0.5) < 0.5, told
    assert seen.memory_after - seen.memory_before < 10e6, told
