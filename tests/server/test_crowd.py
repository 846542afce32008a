"""Large requests hold up nobody else; ``python -m tests.server.crowd`` tells more of it."""

from collections.abc import Iterator

import pytest

from shisanzhi.rpc.calls.unary_call import LIGHT_BYTES
from tests.server.crowd import FLAGS, Crowd, Seen, look
from tests.servers import Process, serving

LOOKS = 3
SECONDS = 1.5


@pytest.fixture(scope="module")
def quiet() -> Iterator[Process]:
    with serving(*FLAGS) as process:
        yield process


@pytest.mark.alone
@pytest.mark.parametrize(
    "crowd",
    [
        Crowd("Score: empty arrangements", 1, 16),
        Crowd("Evaluate: rows", 1, 32),
        Crowd("Evaluate: rows of the same card", 8, 8),
        Crowd("BatchScore: one endless request", 1, 16),
        Crowd("BatchArrange: hard hands", 8, 4),
        Crowd("Evaluate: rows", 1, 95, LIGHT_BYTES),
    ],
    ids=str,
)
def test_probes_and_light_calls_are_answered_beside_large_requests(
    quiet: Process, crowd: Crowd
) -> None:
    """Other programs may have the processors for a while, so one look in three is enough."""
    looks: list[Seen] = []
    for _ in range(LOOKS):
        looks.append(look(quiet, crowd, SECONDS))
        if looks[-1].worst_probe < 0.2 and looks[-1].light_p99 < 0.1:
            return
    pytest.fail("; ".join(map(str, looks)))
