"""What kustomize renders is valid for Kubernetes, and keeps every policy; each policy can fail."""

import copy
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest

from shisanzhi import config
from tests.deploy import policies
from tests.deploy.policies import Object, Objects, of
from tests.deploy.rendering import NEEDS, OVERLAYS, combined, overlay, with_components

SUPPORTED = ("1.30", "1.37")
"""The oldest version of Kubernetes, and the newest. Since 1.30 a pod can pause before it stops."""

OF_OTHERS = {
    **dict.fromkeys(("Certificate", "Issuer"), "cloudcoil.models.cert_manager.v1"),
    **dict.fromkeys(
        ("PrometheusRule", "ServiceMonitor"), "cloudcoil.models.prometheus_operator.v1"
    ),
}
"""What cert-manager and the Prometheus operator brought, and where models of their schemas are.

Those take seconds to load: only who judges by them does.
"""

COMBINATIONS = list(combined())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rendered")


def faults(objects: Objects) -> list[str]:
    return [fault for policy in policies.POLICIES for fault in policy(objects)]


def invalid(objects: Objects, version: str) -> list[str]:
    found = []
    for each in objects:
        if module := OF_OTHERS.get(each["kind"]):
            found += _unlike(getattr(import_module(module), each["kind"]), each)
            continue
        try:
            kubernetes_validate.validate(each, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            found.append(f"{policies.name(each)}: {error.message}")
    return found


def _unlike(model: Any, given: Object) -> list[str]:
    """Say what a model refuses, and what it drops since it does not know it."""
    try:
        read = model.model_validate(given).model_dump(by_alias=True, exclude_none=True)
    except ValueError as error:
        return [f"{policies.name(given)}: {error}"]
    return [] if read == given else [f"{policies.name(given)}: has unknown fields"]


@pytest.mark.parametrize("name", OVERLAYS)
def test_an_overlay_keeps_every_policy(name: str) -> None:
    assert faults(overlay(name)) == []


@pytest.mark.parametrize("version", SUPPORTED)
@pytest.mark.parametrize("name", OVERLAYS)
def test_an_overlay_is_valid(name: str, version: str) -> None:
    assert invalid(overlay(name), version) == []


@pytest.mark.parametrize("names", COMBINATIONS, ids="+".join)
def test_components_go_together(names: tuple[str, ...], folder: Path) -> None:
    objects = with_components(folder, names)
    assert faults(objects) == []
    assert invalid(objects, SUPPORTED[0]) == []


def test_every_component_is_tried() -> None:
    shipped = Path(__file__).parents[2] / "deploy" / "kubernetes" / "components"
    assert {path.name for path in shipped.iterdir()} == set(NEEDS)
    assert {name for names in COMBINATIONS for name in names} == set(NEEDS)


def test_the_servers_settings_are_settings(tmp_path: Path) -> None:
    objects = overlay("production")
    text = next(
        each["data"]["shisanzhi.toml"]
        for each in of(objects, "ConfigMap")
        if "shisanzhi.toml" in each["data"]
    )
    file = tmp_path / "shisanzhi.toml"
    file.write_text(text)
    server = next(
        each for each in of(objects, "Deployment") if each["metadata"]["name"] == "shisanzhi"
    )
    environment = {each["name"]: each["value"] for each in policies.containers(server)[0]["env"]}
    loaded = config.load({}, {**environment, "SHISANZHI_CONFIG": str(file)}).settings
    ports = {
        each["name"]: each["containerPort"] for each in policies.containers(server)[0]["ports"]
    }
    assert ports == {"grpc": loaded.port, "management": loaded.management_port}
    assert loaded.workers == 0  # follows the CPU limit


def test_an_unknown_field_is_found() -> None:
    objects = copy.deepcopy(overlay("local"))
    of(objects, "Deployment")[0]["spec"]["template"]["spec"]["terminationGracePeriod"] = 40
    assert invalid(objects, SUPPORTED[1]) != []


@pytest.mark.parametrize("kind", OF_OTHERS)
def test_an_unknown_field_and_a_wrong_one_of_others_are_found(kind: str) -> None:
    of_wrong_types = {"endpoints": "x", "groups": "x", "ca": "x", "secretName": 7}
    for wrong in ({"noSuchField": 1}, of_wrong_types):
        objects = copy.deepcopy(of(overlay("production"), kind))
        objects[0]["spec"] |= wrong
        assert invalid(objects, SUPPORTED[1]) != []


def _server(objects: Objects) -> Object:
    return next(
        each for each in of(objects, "Deployment") if each["metadata"]["name"] == "shisanzhi"
    )


def _pod(objects: Objects) -> Object:
    return policies.pod(_server(objects))


def _first(kind: str) -> Callable[[Objects], Object]:
    return lambda objects: of(objects, kind)[0]


def _container(objects: Objects) -> Object:
    return policies.containers(_server(objects))[0]


def _gateway(objects: Objects) -> Object:
    return next(each for each in of(objects, "Deployment") if each["metadata"]["name"] == "gateway")


def _scaler(objects: Objects) -> Object:
    return of(objects, "HorizontalPodAutoscaler")[0]


def _drop(kind: str) -> Callable[[list[Object]], None]:
    def drop(objects: list[Object]) -> None:
        objects[:] = [each for each in objects if each["kind"] != kind]

    return drop


def _set(get: Callable[[Objects], Object], *path: Any) -> Callable[[list[Object]], None]:
    def change(objects: list[Object]) -> None:
        thing = get(objects)
        *way, last, value = path
        for step in way:
            thing = thing[step]
        thing[last] = value

    return change


BROKEN: dict[Callable[..., Any], list[Callable[[list[Object]], object]]] = {
    policies.probes_point_at_ports_that_exist: [
        _set(_container, "readinessProbe", "httpGet", "port", "http"),
        _set(_container, "ports", []),
    ],
    policies.servers_have_all_three_probes: [
        lambda objects: _container(objects).pop("livenessProbe"),
        lambda objects: policies.containers(_gateway(objects))[0].pop("startupProbe"),
    ],
    policies.selectors_match_a_workload: [
        _set(_first("Service"), "spec", "selector", "app", "other"),
        _set(_first("NetworkPolicy"), "spec", "podSelector", "matchLabels", "app", "other"),
        _set(_first("PodDisruptionBudget"), "spec", "selector", "matchLabels", "app", "other"),
    ],
    policies.deployments_select_their_own_pods: [
        _set(_server, "spec", "selector", "matchLabels", {"app": "other"}),
        _set(_server, "spec", "selector", "matchLabels", {"app.kubernetes.io/name": "shisanzhi"}),
    ],
    policies.services_lead_to_ports_that_exist: [
        lambda objects: _container(objects)["ports"].pop(0),
    ],
    policies.the_server_has_time_to_stop: [
        _set(lambda objects: policies.pod(_server(objects)), "terminationGracePeriodSeconds", 32),
        lambda objects: policies.pod(_server(objects)).pop("terminationGracePeriodSeconds"),
    ],
    policies.the_gateway_outlives_its_pause: [
        _set(lambda objects: policies.pod(_gateway(objects)), "terminationGracePeriodSeconds", 15),
    ],
    policies.autoscalers_have_their_targets: [
        _set(_scaler, "spec", "scaleTargetRef", "name", "other"),
        _set(_server, "spec", "replicas", 3),
        _set(_scaler, "spec", "minReplicas", 1000),
        lambda objects: [
            each["resources"]["requests"].pop("cpu")
            for _, each in policies.each_container(objects)
        ],
    ],
    policies.images_are_pinned: [
        _set(_container, "image", "registry.example:5000/shisanzhi"),
        _set(_container, "image", "shisanzhi:latest"),
    ],
    policies.containers_are_hardened: [
        _set(_container, "securityContext", {}),
        _set(_container, "securityContext", "readOnlyRootFilesystem", False),  # noqa: FBT003 - a value like others
        _set(_container, "securityContext", "capabilities", {"drop": ["NET_RAW"]}),
        _set(_pod, "securityContext", "runAsUser", 0),
        _set(_pod, "securityContext", "seccompProfile", {"type": "Unconfined"}),
    ],
    policies.pods_hold_no_token: [
        lambda objects: policies.pod(_gateway(objects)).pop("automountServiceAccountToken"),
    ],
    policies.containers_say_what_they_need: [
        lambda objects: _container(objects)["resources"]["limits"].pop("memory"),
    ],
    policies.volumes_have_a_source: [
        _drop("ConfigMap"),
        _drop("Certificate"),
        _set(lambda objects: policies.pod(_server(objects)), "volumes", []),
    ],
    policies.pods_spread_over_zones_and_nodes: [
        lambda objects: policies.pod(_server(objects))["topologySpreadConstraints"].pop(),
        _set(
            lambda objects: policies.pod(_server(objects))["topologySpreadConstraints"][0],
            "labelSelector", "matchLabels", {"app": "other"},
        ),
    ],
    policies.every_pod_is_behind_a_network_policy: [_drop("NetworkPolicy")],
    policies.disruption_budgets_let_a_node_go: [
        _drop("PodDisruptionBudget"),
        _set(_first("PodDisruptionBudget"), "spec", "maxUnavailable", 0),
    ],
    policies.certificates_outlive_their_alert: [
        _set(lambda objects: of(objects, "Certificate")[-1], "spec", "renewBefore", "24h"),
    ],
}  # fmt: skip


def test_every_policy_is_broken_once() -> None:
    assert set(BROKEN) == set(policies.POLICIES)


@pytest.mark.parametrize(
    ("policy", "spoil"),
    [
        pytest.param(policy, spoil, id=f"{policy.__name__}-{i}")
        for policy, spoils in BROKEN.items()
        for i, spoil in enumerate(spoils)
    ],
)
def test_a_policy_fails_on_a_broken_copy(
    policy: Callable[[Objects], Any], spoil: Callable[[list[Object]], None]
) -> None:
    objects = list(copy.deepcopy(overlay("production")))
    assert list(policy(objects)) == []
    spoil(objects)
    assert list(policy(objects)) != []
