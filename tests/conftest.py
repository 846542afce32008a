"""How the tests run here: hypothesis without a clock, and each in the environment of all."""

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import Phase, settings

PHASES = (Phase.explicit, Phase.generate)
"""Without those that make a failure small: of a mutant one only asks whether it is noticed."""
FEW_EXAMPLES = 25
"""A mutant that only a rare example notices is one that a test should name."""

settings.register_profile("shared", deadline=None, print_blob=True)
settings.register_profile(
    "mutants",
    settings.get_profile("shared"),
    derandomize=True,
    max_examples=FEW_EXAMPLES,
    phases=PHASES,
)
settings.load_profile("shared")


@pytest.fixture(autouse=True)
def _environment_is_given_back() -> Iterator[None]:
    """A command silences grpc's core for its process; the servers of later tests are to speak."""
    with patch.dict(os.environ):
        yield
