"""How a client reaches a server: the shipped service config, TLS, proxies."""

from collections.abc import Sequence
from importlib import resources
from typing import Final

SERVICE_CONFIG: Final = resources.files("shisanzhi").joinpath("service_config.json").read_text()
"""Balancing, waiting for a server, a deadline of ten seconds, and what is tried again."""

Options = Sequence[tuple[str, str | int]]


def channel_options(more: Options) -> list[tuple[str, str | int]]:
    """Give the options of a channel: ours, unless others of the same name are given."""
    # A proxy of the environment is one for web pages, and grpc would send even loopback through it.
    ours: dict[str, str | int] = {
        "grpc.service_config": SERVICE_CONFIG,
        "grpc.enable_http_proxy": 0,
    }
    return list((ours | dict(more)).items())
