"""Configuration: flags over environment over file, and every mistake at once."""

import dataclasses
import subprocess
import tomllib
from pathlib import Path

import pytest

from shisanzhi.config import ConfigError, load, to_toml
from shisanzhi.settings import OPTIONS, Settings
from tests.servers import COMMAND


def mistakes(flags: dict[str, str], environment: dict[str, str], file: str | None = None) -> str:
    with pytest.raises(ConfigError) as raised:
        load(flags, environment, file)
    return str(raised.value)


def test_flags_win_over_environment_over_file_over_default(tmp_path: Path) -> None:
    file = tmp_path / "shisanzhi.toml"
    file.write_text("port = 1\ngrace = 1\nworkers = 1\n")
    environment = {"SHISANZHI_PORT": "2", "SHISANZHI_GRACE": "2"}
    loaded = load({"port": "3"}, environment, str(file))
    settings = loaded.settings
    assert (settings.port, settings.grace, settings.workers) == (3, 2.0, 1)
    assert settings.max_queued == Settings().max_queued
    assert [str(loaded.sources[name]) for name in ("port", "grace", "workers", "host")] == [
        "flag --port",
        "environment SHISANZHI_GRACE",
        f"file {file}, workers",
        "default",
    ]


def test_the_file_can_be_named_by_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "shisanzhi.toml"
    file.write_text(
        'tls_client_names = ["a", "b"]\ntls_client_ca = "x"\n'
        'tls_certificate = "x"\ntls_key = "x"\nreflection = false\n'
    )
    settings = load({}, {"SHISANZHI_CONFIG": str(file)}).settings
    assert (settings.tls_client_names, settings.reflection) == (("a", "b"), False)


def test_every_mistake_is_reported_with_its_source(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('port = "x"\nhealth = 1\ncolour = "red"\ngrace = -1.0\n')
    flags = {"port": "70000", "log_level": "loud", "grace": "inf"}
    environment = {"SHISANZHI_WORKERS": "many", "SHISANZHI_COLOUR": "red", "PATH": "/bin"}
    assert mistakes(flags, environment, str(file)).splitlines() == [
        "flag --port: expected at most 65535, got '70000'",
        "flag --log-level: expected one of debug, info, warning, error, got 'loud'",
        "flag --grace: expected a number, got 'inf'",
        "environment SHISANZHI_COLOUR: expected the name of a setting",
        "environment SHISANZHI_WORKERS: expected a whole number, got 'many'",
        f"file {file}: expected the name of a setting, got 'colour'",
        f"file {file}, port: expected a whole number, got 'x'",
        f"file {file}, health: expected true or false, got 1",
        f"file {file}, grace: expected at least 0 seconds, got -1.0",
    ]


def test_a_file_that_is_missing_or_no_toml_is_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    assert "expected a readable file" in mistakes({}, {}, str(file))
    file.write_text("port: 1")
    assert "expected TOML" in mistakes({}, {}, str(file))


def test_half_a_tls_configuration_is_a_mistake() -> None:
    assert "flag --tls-key: expected --tls-certificate" in mistakes({"tls_key": "x"}, {})
    assert "environment SHISANZHI_TLS_CLIENT_CA: expected --tls-certificate" in mistakes(
        {}, {"SHISANZHI_TLS_CLIENT_CA": "x"}
    )


def service_links(service: str, address: str = "10.0.0.1") -> dict[str, str]:
    """Give the variables that Kubernetes makes for a Service in pods that start after it."""
    host = f"[{address}]" if ":" in address else address
    links = {
        "SERVICE_HOST": address,
        "SERVICE_PORT": "9090",
        "SERVICE_PORT_HTTP": "9090",
        "SERVICE_PORT_GRPC_WEB": "8080",
        "PORT": f"tcp://{host}:9090",
    }
    for protocol in ("tcp", "udp", "sctp"):
        port = f"PORT_9090_{protocol.upper()}"
        links |= {
            port: f"{protocol}://{host}:9090",
            f"{port}_PROTO": protocol,
            f"{port}_PORT": "9090",
            f"{port}_ADDR": address,
        }
    return {f"{service}_{name}": value for name, value in links.items()}


@pytest.mark.parametrize("address", ["10.0.0.1", "fd00::1"])
@pytest.mark.parametrize(
    "service",
    ["SHISANZHI", "SHISANZHI_METRICS", "SHISANZHI_MANAGEMENT", "SHISANZHI_SERVICE", "SHISANZHI_2"],
)
def test_what_kubernetes_says_of_services_is_left_alone(service: str, address: str) -> None:
    links = service_links(service, address)
    assert load({}, links).settings == Settings()
    for variable, value in links.items():
        assert load({}, {variable: value}).settings == Settings(), variable


@pytest.mark.parametrize("scheme", ["tcp", "udp", "sctp"])
def test_a_port_of_any_protocol_of_a_service_is_left_alone(scheme: str) -> None:
    assert load({}, {"SHISANZHI_PORT": f"{scheme}://10.0.0.1:50051"}).settings == Settings()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SHISANZHI_PROT", "1"),
        ("SHISANZHI_PROT", "tcp://10.0.0.1:1"),
        ("SHISANZHI_PORTS", "tcp://10.0.0.1:1"),
        ("SHISANZHI_METRICS_PORT", "9090"),
        ("SHISANZHI_MANAGEMENT_PORT_9090", "1"),
        ("SHISANZHI_SERVICE_HOST_NAME", "10.0.0.1"),
        ("SHISANZHI_SERVICE_HOST", "example.org"),
        ("SHISANZHI_SERVICE_PORT", "many"),
        ("SHISANZHI_PORT_9090_TCP_PROTO", "http"),
        ("SHISANZHI_PORT_9090_HTTP_PORT", "9090"),
    ],
)
def test_what_only_looks_like_a_service_is_refused(variable: str, value: str) -> None:
    assert mistakes({}, {variable: value}) == (
        f"environment {variable}: expected the name of a setting"
    )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SHISANZHI_PORT", "http://10.0.0.1:1"),
        ("SHISANZHI_PORT", "tcp://"),
        ("SHISANZHI_GRACE", "tcp://10.0.0.1:1"),
    ],
)
def test_a_setting_with_a_strange_value_is_refused(variable: str, value: str) -> None:
    assert f"environment {variable}: expected a" in mistakes({}, {variable: value})


def test_every_setting_is_read_from_the_environment() -> None:
    samples: dict[type, str] = {str: "a", int: "1", float: "1", bool: "true", tuple: "a"}
    given = {
        option.variable: option.limits.words[0] if option.limits.words else samples[option.kind]
        for option in OPTIONS.values()
    }
    given["SHISANZHI_HOST"] = "tcp://10.0.0.1:1"
    given |= dict.fromkeys(("SHISANZHI_MAX_MESSAGE_BYTES", "SHISANZHI_MAX_BATCH_BYTES"), "1024")
    sources = load({}, given).sources
    assert {str(source) for source in sources.values()} == {f"environment {name}" for name in given}


def test_what_is_printed_reads_back(tmp_path: Path) -> None:
    loaded = load({"port": "7", "tls_certificate": "a", "tls_key": "b", "drain_delay": "0.5"}, {})
    file = tmp_path / "printed.toml"
    file.write_text(to_toml(loaded))
    assert load({}, {}, str(file)).settings == loaded.settings


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc]


def test_help_documents_every_setting() -> None:
    helped = subprocess.run(
        [COMMAND, "serve", "--help"], capture_output=True, text=True, check=True
    )
    words = " ".join(helped.stdout.split())
    for option in OPTIONS.values():
        assert option.flag in words
        assert f"env: {option.variable}" in words
        assert option.text in words


def test_the_config_command_prints_what_is_in_force_and_fails_on_mistakes() -> None:
    environment = {"SHISANZHI_GRACE": "3"}
    printed = subprocess.run(
        [COMMAND, "config", "--port", "7"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert printed.returncode == 0
    assert (tomllib.loads(printed.stdout)["grace"], tomllib.loads(printed.stdout)["port"]) == (3, 7)
    for command in ("config", "serve"):
        failed = subprocess.run(
            [COMMAND, command, "--port", "x"], capture_output=True, text=True, check=False
        )
        assert failed.returncode == 2
        assert "flag --port: expected a whole number, got 'x'" in failed.stderr
