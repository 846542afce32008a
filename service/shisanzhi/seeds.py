"""The one thing that a request may leave open: seeds drawn from the system's randomness."""

import secrets
from typing import Final

DRAWN_SEED_SIZE: Final = 48
"""Bytes of a seed that is drawn here: more than the 2^302 orders of 65 cards need."""


def draw_seed() -> bytes:
    """Draw a seed."""
    return secrets.token_bytes(DRAWN_SEED_SIZE)
