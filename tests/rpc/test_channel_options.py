"""How grpc is told to run the connections: what each option does is shown by servers that run."""

from shisanzhi.config import load
from shisanzhi.rpc.server.channel_options import channel_options

NEVER = 2**31 - 1


def told(**flags: object) -> dict[str, int]:
    options = channel_options(load({key: str(value) for key, value in flags.items()}, {}).settings)
    assert len(dict(options)) == len(options)
    return {name.removeprefix("grpc."): value for name, value in options}


def test_every_setting_of_connections_is_told_to_grpc() -> None:
    flags = {
        "max_message_bytes": 2000,
        "max_batch_bytes": 3000,
        "max_connections": 7,
        "max_streams": 8,
        "request_timeout": 1.5,
        "min_ping_interval": 2.5,
        "keepalive_interval": 3.5,
        "keepalive_timeout": 4.5,
        "max_connection_age": 5.5,
        "max_connection_age_grace": 6.5,
    }
    assert told(**flags) == {
        "so_reuseport": 0,
        "max_receive_message_length": 5000,
        "max_allowed_incoming_connections": 7,
        "server_handshake_timeout_ms": 1500,
        "http2.settings_timeout": 5000,
        "http2.bdp_probe": 0,
        "max_concurrent_streams": 8,
        "max_metadata_size": 8192,
        "compression_enabled_algorithms_bitset": 1,
        "http2.min_ping_interval_without_data_ms": 2500,
        "keepalive_permit_without_calls": 1,
        "keepalive_time_ms": 3500,
        "keepalive_timeout_ms": 4500,
        "max_connection_age_ms": 5500,
        "max_connection_age_grace_ms": 6500,
    }


def test_connections_need_not_age() -> None:
    assert told(max_connection_age=0)["max_connection_age_ms"] == NEVER
