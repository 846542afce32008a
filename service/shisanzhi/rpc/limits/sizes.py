"""How large requests may be, and how many of them may be on their way."""

from typing import Final

from shisanzhi.settings import Settings

_HALF_SENT: Final = 64 << 20
"""Bytes that requests may fill which have not arrived whole."""
_LEAST_INCOMPLETE: Final = 16


def max_incomplete(settings: Settings) -> int:
    """Give how many requests may be on their way: few enough to hold little, were all large."""
    fit = _HALF_SENT // max_receive_bytes(settings)
    return min(settings.max_concurrent_rpcs, max(fit, _LEAST_INCOMPLETE))


def max_receive_bytes(settings: Settings) -> int:
    """Give what grpc takes of any method: it does not tell them apart.

    What is a little too large is refused as the call is admitted, where it is counted and logged.
    """
    most = settings.max_message_bytes
    return most + max(most, settings.max_batch_bytes)
