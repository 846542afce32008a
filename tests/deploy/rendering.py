"""The manifests as kustomize renders them."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

KUBERNETES = Path(__file__).parents[2] / "deploy" / "kubernetes"
OVERLAYS = ("local", "production")
NEEDS = {
    "gateway": (),
    "gateway-mtls": ("gateway", "mtls"),
    "loadtest": ("gateway",),
    "monitoring": (),
    "mtls": (),
    "page": ("gateway",),
}
"""The components, each with those that it needs."""

Object = dict[str, Any]


def combined() -> Iterator[tuple[str, ...]]:
    """Give every set of components that go together, those first that others need."""
    ordered = sorted(NEEDS, key=lambda name: (len(NEEDS[name]), name))
    for count in range(len(ordered) + 1):
        for chosen in combinations(ordered, count):
            if all(needed in chosen for name in chosen for needed in NEEDS[name]):
                # A gateway before servers with TLS has to speak it.
                if {"gateway", "mtls"} <= set(chosen) and "gateway-mtls" not in chosen:
                    continue
                yield chosen


@cache
def overlay(name: str) -> tuple[Object, ...]:
    """Render one of the overlays; do not change it."""
    return render(KUBERNETES / "overlays" / name)


def with_components(folder: Path, names: Sequence[str]) -> tuple[Object, ...]:
    """Render the base with some components; from a copy, since kustomize wants relative paths."""
    copied = folder / "deploy"
    if not copied.exists():
        shutil.copytree(KUBERNETES.parent, copied, ignore=shutil.ignore_patterns("node_modules"))
    here = copied / "kubernetes" / "tried"
    here.mkdir(exist_ok=True)
    kustomization = {
        "resources": ["../base"],
        "components": [f"../components/{name}" for name in names],
    }
    (here / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    return render(here)


def render(folder: Path) -> tuple[Object, ...]:
    rendered = subprocess.run(
        [Path(sys.executable).with_name("kubectl"), "kustomize", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rendered.returncode == 0, rendered.stderr
    return tuple(yaml.load_all(rendered.stdout, yaml.CSafeLoader))
