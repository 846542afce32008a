"""How grpc is to run the connections. Its options are unchecked strings: only a test tells."""

from typing import Final

from shisanzhi.rpc.limits.sizes import max_receive_bytes
from shisanzhi.settings import Settings

_SETTINGS_TIMEOUT: Final = 5000
"""Milliseconds."""


def channel_options(settings: Settings) -> list[tuple[str, int]]:
    never = 2**31 - 1
    age = settings.max_connection_age
    return [
        # On by default, and then a second server on the same port starts without a word.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", max_receive_bytes(settings)),
        # Of each listener, that is of each address.
        ("grpc.max_allowed_incoming_connections", settings.max_connections),
        # For TLS and the first bytes of HTTP/2. By default it is two minutes.
        ("grpc.server_handshake_timeout_ms", _ms(settings.request_timeout)),
        # Until a client has acknowledged the settings, grpc does not hold it to those below.
        ("grpc.http2.settings_timeout", _SETTINGS_TIMEOUT),
        # It widens the windows of fast connections to megabytes, which only a hoarder would fill.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.max_concurrent_streams", settings.max_streams),
        ("grpc.max_metadata_size", 8192),
        # Requests are small, and a small one can unpack to a very large one.
        ("grpc.compression_enabled_algorithms_bitset", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", _ms(settings.min_ping_interval)),
        # Without it, two hours are the least interval for a client with no call open.
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.keepalive_time_ms", _ms(settings.keepalive_interval)),
        ("grpc.keepalive_timeout_ms", _ms(settings.keepalive_timeout)),
        ("grpc.max_connection_age_ms", _ms(age) if age else never),
        ("grpc.max_connection_age_grace_ms", _ms(settings.max_connection_age_grace)),
    ]


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
