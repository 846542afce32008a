"""What the gateway knows of the contract is fresh, and what it says of it is true."""

import json
from pathlib import Path

import pytest

from deploy.gateway import describe
from deploy.gateway.gateway import DESCRIPTOR, HERE, OPENAPI, Gateway, for_cluster, tls_in
from tests import questions
from tests.deploy.rendering import KUBERNETES

DESCRIPTION = json.loads(OPENAPI.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [DESCRIPTOR.name, OPENAPI.name])
def test_it_is_what_gateway_config_writes(name: str, tmp_path: Path) -> None:
    describe.main(tmp_path)
    assert (HERE / name).read_bytes() == (tmp_path / name).read_bytes(), "run `make gateway-config`"


def test_the_gateway_for_mtls_is_what_gateway_config_writes() -> None:
    written = for_cluster(Gateway(tls=tls_in("/etc/shisanzhi-tls", "shisanzhi-pods")))
    file = KUBERNETES / "components" / "gateway-mtls" / "envoy.yaml"
    assert file.read_text(encoding="utf-8") == written, "run `make gateway-config`"


def test_every_method_is_described() -> None:
    described = {
        path.rpartition("/")[2]: item["post"] for path, item in DESCRIPTION["paths"].items()
    }
    assert set(described) == set(questions.METHODS)
    tagged = {name for name, post in described.items() if post["tags"] == ["public"]}
    assert tagged == describe.PUBLIC


def test_every_message_and_field_has_a_description() -> None:
    for name, schema in DESCRIPTION["components"]["schemas"].items():
        if name in describe.DETAILS:
            continue
        assert schema["description"], name
        for field, says in schema["properties"].items() if "properties" in schema else ():
            assert says["description"], f"{name}.{field}"


def test_every_reference_leads_somewhere() -> None:
    text = OPENAPI.read_text(encoding="utf-8")
    schemas = DESCRIPTION["components"]["schemas"]
    for part in text.split('"#/components/schemas/')[1:]:
        assert part.partition('"')[0] in schemas
