"""Runs the gateway on one machine: the cluster's configuration, with other addresses.

python -m deploy.gateway.gateway --server 127.0.0.1:50051 --server 127.0.0.1:50052

Needs Envoy, on the path or from the extra ``real``.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

HERE = Path(__file__).resolve().parent
SHIPPED = HERE / "envoy.yaml"
DESCRIPTOR = HERE / "shisanzhi.binpb"
OPENAPI = HERE / "openapi.json"
PAGE = HERE / "page"
"""What is served where no page is given: a few words."""

Config = dict[str, Any]


class Tls(NamedTuple):
    """How to reach servers that speak TLS: files, and the name that their certificate has."""

    ca: str
    certificate: str
    key: str
    name: str


def tls_in(folder: str, name: str) -> Tls:
    """Name the files of a folder as Kubernetes' secrets have them."""
    return Tls(f"{folder}/ca.crt", f"{folder}/tls.crt", f"{folder}/tls.key", name)


class Gateway(NamedTuple):
    """What differs from the cluster's gateway; each as shipped unless it is named."""

    servers: Sequence[str] = ()
    public: str = ""
    platform: str = ""
    metrics: str = ""
    admin: str = ""
    page: str = ""
    origins: Sequence[str] = ()
    demo: bool = False
    tls: Tls | None = None
    files: str = ""  # the folder of the contract's descriptor and of openapi.json


def configuration(gateway: Gateway) -> Config:
    """Give the shipped configuration, with what differs."""
    config: Config = json.loads(json.dumps(yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))))
    for listener in config["static_resources"]["listeners"]:
        if address := getattr(gateway, listener["name"]):
            listener["address"] = _address(address)
    servers, admin = config["static_resources"]["clusters"]
    if gateway.servers:
        servers["load_assignment"]["endpoints"] = _endpoints(gateway.servers)
    if gateway.admin:
        config["admin"]["address"] = _address(gateway.admin)
        admin["load_assignment"]["endpoints"] = _endpoints([gateway.admin])
    if gateway.tls:
        servers["transport_socket"] = _upstream_tls(gateway.tls)
    manager = public(config)
    _serve_files(config, manager, gateway)
    _allow(manager["route_config"]["virtual_hosts"][0], gateway.origins)
    if gateway.demo:
        _open_demo(manager)
    return config


def _manager(config: Config, name: str) -> Config:
    """Give the HTTP connection manager of a listener."""
    listener = next(
        each for each in config["static_resources"]["listeners"] if each["name"] == name
    )
    manager: Config = listener["filter_chains"][0]["filters"][0]["typed_config"]
    return manager


def http_filter(manager: Config, name: str) -> Config:
    """Give the settings of one of a connection manager's filters."""
    found: Config = next(
        each["typed_config"]
        for each in manager["http_filters"]
        if each["name"] == f"envoy.filters.http.{name}"
    )
    return found


def public(config: Config) -> Config:
    """Give the HTTP connection manager of the public listener."""
    return _manager(config, "public")


def route(manager: Config, name: str) -> Config:
    """Give one of a connection manager's routes."""
    routes = manager["route_config"]["virtual_hosts"][0]["routes"]
    found: Config = next(each for each in routes if each.get("name") == name)
    return found


def _address(text: str) -> Config:
    host, _, port = text.rpartition(":")
    return {"socket_address": {"address": host.strip("[]"), "port_value": int(port)}}


def _endpoints(addresses: Sequence[str]) -> list[Config]:
    return [{"lb_endpoints": [{"endpoint": {"address": _address(each)}} for each in addresses]}]


def _serve_files(config: Config, manager: Config, gateway: Gateway) -> None:
    if gateway.page:
        served = route(manager, "page")["typed_per_filter_config"]["envoy.filters.http.file_server"]
        served["path_mappings"][0]["file_path_prefix"] = gateway.page.rstrip("/") + "/"
    if gateway.files:
        body = route(manager, "openapi")["direct_response"]["body"]
        body["filename"] = f"{gateway.files}/{OPENAPI.name}"
        for each in (manager, _manager(config, "platform")):
            transcoder = http_filter(each, "grpc_json_transcoder")
            transcoder["proto_descriptor"] = f"{gateway.files}/{DESCRIPTOR.name}"


def _allow(host: Config, origins: Sequence[str]) -> None:
    policy = host["typed_per_filter_config"]["envoy.filters.http.cors"]
    policy["allow_origin_string_match"] += [{"exact": origin} for origin in origins]


def _open_demo(manager: Config) -> None:
    demo = route(manager, "demo")
    del demo["direct_response"]
    demo["route"] = route(manager, "open")["route"]


def _upstream_tls(tls: Tls) -> Config:
    return {
        "name": "envoy.transport_sockets.tls",
        "typed_config": {
            "@type": "type.googleapis.com/"
            "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
            "sni": tls.name,
            "common_tls_context": {
                "alpn_protocols": ["h2"],
                "tls_certificates": [
                    {
                        "certificate_chain": {"filename": tls.certificate},
                        "private_key": {"filename": tls.key},
                        # Renewed certificates are taken as their folder changes.
                        "watched_directory": {"path": str(Path(tls.certificate).parent)},
                    }
                ],
                "validation_context": {
                    "trusted_ca": {"filename": tls.ca},
                    "watched_directory": {"path": str(Path(tls.ca).parent)},
                    "match_typed_subject_alt_names": [
                        {"san_type": "DNS", "matcher": {"exact": tls.name}}
                    ],
                },
            },
        },
    }


def for_cluster(gateway: Gateway) -> str:
    """Write a configuration as the cluster has it, as YAML."""
    note = "# Written by `make gateway-config`; see deploy/gateway/envoy.yaml.\n"
    return note + yaml.safe_dump(configuration(gateway), sort_keys=False, width=120)


def command() -> str:
    """Give the path of Envoy."""
    beside = Path(sys.executable).with_name("envoy")
    return str(beside) if beside.exists() else (shutil.which("envoy") or "envoy")


def run(gateway: Gateway, folder: Path) -> None:
    """Become Envoy."""
    file = folder / "envoy.json"
    file.write_text(json.dumps(configuration(gateway), indent=1), encoding="utf-8")
    words = [command(), "-c", str(file), "--use-dynamic-base-id", "--log-level", "warning"]
    # Two gateways on one machine share no memory; and as many threads as there are processors.
    sys.stdout.write(f"public on http://{gateway.public}\nplatform on {gateway.platform}\n")
    sys.stdout.flush()
    os.execv(words[0], words)  # noqa: S606 - Envoy itself is to get the signals


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--server", action="append", default=[], metavar="HOST:PORT", help="a server; repeat it"
    )
    for name, address in (
        ("public", "127.0.0.1:8080"),
        ("platform", "127.0.0.1:8081"),
        ("metrics", "127.0.0.1:9902"),
        ("admin", "127.0.0.1:9901"),
    ):
        parser.add_argument(f"--{name}", default=address, metavar="HOST:PORT", help=address)
    parser.add_argument("--page", default=str(PAGE), metavar="FOLDER", help="files to serve at /")
    parser.add_argument("--allow-origin", action="append", default=[], metavar="ORIGIN")
    parser.add_argument("--demo", action="store_true", help="open DealRound to the public")
    parser.add_argument(
        "--tls", metavar="FOLDER", help="reach servers by TLS, with ca.crt, tls.crt, tls.key"
    )
    parser.add_argument("--tls-name", default="shisanzhi", help="the name in their certificate")
    parser.add_argument(
        "--for-cluster",
        action="store_true",
        help="print the cluster's configuration, with the other options, as YAML",
    )
    return parser.parse_args()


def main() -> None:
    """Run the gateway, or print its configuration."""
    given = arguments()
    tls = tls_in(given.tls, given.tls_name) if given.tls else None
    if given.for_cluster:
        changed = Gateway(origins=given.allow_origin, demo=given.demo, tls=tls)
        sys.stdout.write(for_cluster(changed))
        return
    if not given.server:
        sys.exit("expected a --server at least, got none")
    page = str(Path(given.page).resolve())
    gateway = Gateway(
        servers=given.server,
        public=given.public,
        platform=given.platform,
        metrics=given.metrics,
        admin=given.admin,
        page=page,
        origins=given.allow_origin,
        demo=given.demo,
        tls=tls,
        files=str(HERE),
    )
    run(gateway, Path(tempfile.mkdtemp(prefix="gateway-")))


if __name__ == "__main__":
    main()
