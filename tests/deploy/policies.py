"""What every rendering must keep. Each policy yields what breaks it, in words."""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Object = dict[str, Any]
Objects = Sequence[Object]
WORKLOADS = ("Deployment", "Job", "StatefulSet", "DaemonSet")
BUILT_IN = {"kube-root-ca.crt"}


def of(objects: Objects, *kinds: str) -> list[Object]:
    return [each for each in objects if each["kind"] in kinds]


def name(thing: Object) -> str:
    return f"{thing['kind']} {thing['metadata']['name']}"


def pod(workload: Object) -> Object:
    spec: Object = workload["spec"]["template"]["spec"]
    return spec


def containers(workload: Object) -> list[Object]:
    return [*pod(workload).get("initContainers", []), *pod(workload)["containers"]]


def each_container(objects: Objects) -> Iterator[tuple[str, Object]]:
    for workload in of(objects, *WORKLOADS):
        for container in containers(workload):
            yield f"{name(workload)}, container {container['name']}", container


def labels(workload: Object) -> Object:
    found: Object = workload["spec"]["template"]["metadata"]["labels"]
    return found


def selects(selector: Object, given: Object) -> bool:
    return set(selector.items()) <= set(given.items())


def probes_point_at_ports_that_exist(objects: Objects) -> Iterator[str]:
    for where, container in each_container(objects):
        ports = {port["name"] for port in container.get("ports", [])}
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            if probe not in container:
                continue
            action = next(
                container[probe][kind]
                for kind in ("httpGet", "tcpSocket", "grpc")
                if kind in container[probe]
            )
            if action["port"] not in ports:
                yield f"{where}: {probe} asks port {action['port']}, got {sorted(ports)}"


def servers_have_all_three_probes(objects: Objects) -> Iterator[str]:
    for deployment in of(objects, "Deployment"):
        if deployment["metadata"]["name"].startswith("loadtest"):
            continue  # it serves nobody
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            if probe not in containers(deployment)[0]:
                yield f"{name(deployment)}: expected a {probe}"


def selectors_match_a_workload(objects: Objects) -> Iterator[str]:
    pods = [labels(workload) for workload in of(objects, *WORKLOADS)]
    for thing in of(objects, "Service", "PodDisruptionBudget", "NetworkPolicy"):
        spec = thing["spec"]
        selector = spec["podSelector"] if thing["kind"] == "NetworkPolicy" else spec["selector"]
        wanted = selector.get("matchLabels", selector)
        if not any(selects(wanted, each) for each in pods):
            yield f"{name(thing)}: selects no pod by {wanted}"


def deployments_select_their_own_pods(objects: Objects) -> Iterator[str]:
    for deployment in of(objects, "Deployment"):
        if not selects(deployment["spec"]["selector"]["matchLabels"], labels(deployment)):
            yield f"{name(deployment)}: does not select its own pods"
        others = [each for each in of(objects, *WORKLOADS) if each is not deployment]
        for other in others:
            if selects(deployment["spec"]["selector"]["matchLabels"], labels(other)):
                yield f"{name(deployment)}: selects pods of {name(other)}"


def services_lead_to_ports_that_exist(objects: Objects) -> Iterator[str]:
    for service in of(objects, "Service"):
        for workload in of(objects, *WORKLOADS):
            if not selects(service["spec"]["selector"], labels(workload)):
                continue
            ports = {
                port["name"] for each in containers(workload) for port in each.get("ports", [])
            }
            for port in service["spec"]["ports"]:
                if port["targetPort"] not in ports:
                    yield f"{name(service)}: leads to {port['targetPort']}, got {sorted(ports)}"


def the_server_has_time_to_stop(objects: Objects) -> Iterator[str]:
    """Grace > delay + longest call, with the settings that the pod really has."""
    settings = server_settings(objects)
    for deployment in of(objects, "Deployment"):
        if deployment["metadata"]["name"] != "shisanzhi":
            continue
        needed = settings["drain_delay"] + settings["grace"] + 2
        given = pod(deployment).get("terminationGracePeriodSeconds", 30)
        if given <= needed:
            yield f"{name(deployment)}: expected more than {needed} seconds to stop, got {given}"


def server_settings(objects: Objects) -> Object:
    maps = of(objects, "ConfigMap")
    text = next(
        each["data"]["shisanzhi.toml"] for each in maps if "shisanzhi.toml" in each.get("data", {})
    )
    return tomllib.loads(text)


def the_gateway_outlives_its_pause(objects: Objects) -> Iterator[str]:
    for where, container in each_container(objects):
        pause = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        for workload in of(objects, "Deployment"):
            grace = pod(workload).get("terminationGracePeriodSeconds", 30)
            if container in containers(workload) and pause and grace <= pause + 5:
                yield f"{where}: pauses {pause} s of {grace}"


def autoscalers_have_their_targets(objects: Objects) -> Iterator[str]:
    deployments = {each["metadata"]["name"]: each for each in of(objects, "Deployment")}
    for scaler in of(objects, "HorizontalPodAutoscaler"):
        target = scaler["spec"]["scaleTargetRef"]["name"]
        if target not in deployments:
            yield f"{name(scaler)}: expected a Deployment {target}"
        elif "replicas" in deployments[target]["spec"]:
            yield f"{name(scaler)}: the Deployment says replicas too"
        elif "cpu" not in containers(deployments[target])[0]["resources"]["requests"]:
            yield f"{name(scaler)}: expected a CPU request to be a share of"
        if scaler["spec"]["minReplicas"] > scaler["spec"]["maxReplicas"]:
            yield f"{name(scaler)}: least above most"


def images_are_pinned(objects: Objects) -> Iterator[str]:
    for where, container in each_container(objects):
        image = container["image"]
        _, _, tag = image.rpartition("/")[2].partition(":")
        if "@sha256:" not in image and tag in {"", "latest"}:
            yield f"{where}: expected an image with a tag, got {image}"


def containers_are_hardened(objects: Objects) -> Iterator[str]:
    wanted = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True}
    for where, container in each_container(objects):
        context = container.get("securityContext", {})
        for key, value in wanted.items():
            if context.get(key) is not value:
                yield f"{where}: expected {key} {value}"
        if context.get("capabilities") != {"drop": ["ALL"]}:
            yield f"{where}: expected no capabilities"
    for workload in of(objects, *WORKLOADS):
        context = pod(workload).get("securityContext", {})
        if context.get("runAsNonRoot") is not True or not context.get("runAsUser"):
            yield f"{name(workload)}: expected another user than root"
        if context.get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield f"{name(workload)}: expected the runtime's seccomp profile"


def pods_hold_no_token(objects: Objects) -> Iterator[str]:
    for workload in of(objects, *WORKLOADS):
        if pod(workload).get("automountServiceAccountToken") is not False:
            yield f"{name(workload)}: expected no service account token"


def containers_say_what_they_need(objects: Objects) -> Iterator[str]:
    for where, container in each_container(objects):
        for kind in ("requests", "limits"):
            for what in ("cpu", "memory"):
                if what not in container.get("resources", {}).get(kind, {}):
                    yield f"{where}: expected {kind} of {what}"


def volumes_have_a_source(objects: Objects) -> Iterator[str]:
    maps = {each["metadata"]["name"] for each in of(objects, "ConfigMap")} | BUILT_IN
    secrets = {each["spec"]["secretName"] for each in of(objects, "Certificate")}
    for workload in of(objects, *WORKLOADS):
        mounted = {
            mount["name"] for each in containers(workload) for mount in each.get("volumeMounts", [])
        }
        volumes = {volume["name"]: volume for volume in pod(workload).get("volumes", [])}
        for missing in mounted - set(volumes):
            yield f"{name(workload)}: mounts {missing}, which is no volume"
        for volume in volumes.values():
            if "configMap" in volume and volume["configMap"]["name"] not in maps:
                yield f"{name(workload)}: expected a ConfigMap {volume['configMap']['name']}"
            if "secret" in volume and volume["secret"]["secretName"] not in secrets:
                secret = volume["secret"]["secretName"]
                yield f"{name(workload)}: expected a Certificate for {secret}"


def pods_spread_over_zones_and_nodes(objects: Objects) -> Iterator[str]:
    for deployment in of(objects, "Deployment"):
        if deployment["metadata"]["name"].startswith("loadtest"):
            continue
        spread = pod(deployment).get("topologySpreadConstraints", [])
        keys = {each["topologyKey"] for each in spread}
        if keys != {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}:
            yield f"{name(deployment)}: spreads over {sorted(keys)}"
        for each in spread:
            if not selects(each["labelSelector"]["matchLabels"], labels(deployment)):
                yield f"{name(deployment)}: spreads other pods"


def every_pod_is_behind_a_network_policy(objects: Objects) -> Iterator[str]:
    for workload in of(objects, *WORKLOADS):
        covering = [
            policy
            for policy in of(objects, "NetworkPolicy")
            if selects(policy["spec"]["podSelector"]["matchLabels"], labels(workload))
        ]
        kinds = {kind for policy in covering for kind in policy["spec"]["policyTypes"]}
        if kinds != {"Ingress", "Egress"}:
            yield f"{name(workload)}: expected policies for both ways, got {sorted(kinds)}"


def disruption_budgets_let_a_node_go(objects: Objects) -> Iterator[str]:
    least = {
        scaler["spec"]["scaleTargetRef"]["name"]: scaler["spec"]["minReplicas"]
        for scaler in of(objects, "HorizontalPodAutoscaler")
    }
    budgets = {each["metadata"]["name"]: each for each in of(objects, "PodDisruptionBudget")}
    for target in least:
        if target not in budgets:
            yield f"Deployment {target}: expected a disruption budget"
        elif not budgets[target]["spec"].get("maxUnavailable"):
            yield f"{name(budgets[target])}: lets no pod go"


def certificates_outlive_their_alert(objects: Objects) -> Iterator[str]:
    for certificate in of(objects, "Certificate"):
        spec = certificate["spec"]
        if spec.get("isCA"):
            continue
        before = int(spec["renewBefore"].removesuffix("h"))
        if not 14 * 24 < before < int(spec["duration"].removesuffix("h")):
            yield f"{name(certificate)}: is renewed {before} hours before its end"


POLICIES: tuple[Callable[[Objects], Iterator[str]], ...] = (
    probes_point_at_ports_that_exist,
    servers_have_all_three_probes,
    selectors_match_a_workload,
    deployments_select_their_own_pods,
    services_lead_to_ports_that_exist,
    the_server_has_time_to_stop,
    the_gateway_outlives_its_pause,
    autoscalers_have_their_targets,
    images_are_pinned,
    containers_are_hardened,
    pods_hold_no_token,
    containers_say_what_they_need,
    volumes_have_a_source,
    pods_spread_over_zones_and_nodes,
    every_pod_is_behind_a_network_policy,
    disruption_budgets_let_a_node_go,
    certificates_outlive_their_alert,
)
