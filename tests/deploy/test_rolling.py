"""An update of the Deployment loses no call."""

import asyncio
from pathlib import Path

import pytest

from tests.deploy.rolling import delays, roll

pytestmark = pytest.mark.real


def test_an_update_fails_no_call(tmp_path: Path) -> None:
    rolled = asyncio.run(roll(1, tmp_path))
    assert not rolled.failed
    assert rolled.calls > 200


def test_the_delays_are_the_manifests() -> None:
    assert delays().drain >= 0.5
    assert delays().grace > delays().drain
