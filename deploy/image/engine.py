"""What builds and runs images here: docker, podman or buildah, whichever works."""

import os
import shutil
import subprocess
from functools import cache
from typing import NamedTuple

# For a container without systemd, where the defaults do not work.
_PODMAN = [
    "podman",
    "--storage-driver",
    "overlay",
    "--cgroup-manager",
    "cgroupfs",
    "--runtime",
    "runc",
]
_PODMAN_RUN = ["--ulimit", "nofile=1024:4096", "--ulimit", "nproc=4096:4096", "--no-healthcheck"]
_BUILDAH = [
    "buildah",
    "--storage-driver",
    "overlay",
    "bud",
    "--isolation",
    "chroot",
    "--layers",
    "--pull-never",
]


LOCKED_IN = ("--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges")
"""Flags of a container that can do as little as the manifests let it."""


class Engine(NamedTuple):
    """How to run a container: the command, and flags of its `run`."""

    words: list[str]
    run_flags: list[str]


def _works(*words: str) -> bool:
    return (
        shutil.which(words[0]) is not None
        and subprocess.run(words, capture_output=True, check=False).returncode == 0
    )


@cache
def engine() -> Engine:
    """Give what runs containers here."""
    if _works("docker", "info"):
        return Engine(["docker"], [])
    if os.geteuid() == 0 and shutil.which("podman"):
        return Engine(_PODMAN, _PODMAN_RUN)
    if shutil.which("podman"):
        return Engine(["podman"], [])
    raise SystemExit("expected docker or podman, got neither")


def build(image: str, target: str, arguments: dict[str, str]) -> None:
    """Build one of the Dockerfile's targets."""
    flags = [
        word for name, value in arguments.items() for word in ("--build-arg", f"{name}={value}")
    ]
    words = [
        *_builder(),
        "--file",
        "deploy/image/Dockerfile",
        "--target",
        target,
        "--tag",
        image,
        *flags,
        ".",
    ]
    if code := subprocess.run(words, check=False).returncode:
        raise SystemExit(code)


def _builder() -> list[str]:
    if _works("docker", "info"):
        return ["docker", "build"]
    if os.geteuid() == 0 and shutil.which("buildah"):
        return [*_BUILDAH, *_from_here()]
    return ["podman", "build"]


def _from_here() -> list[str]:
    """Give the flags by which RUN reaches what this machine reaches."""
    mounts = [path for path in ("/etc/ssl/certs", "/etc/pip.conf") if os.path.exists(path)]  # noqa: PTH110
    variables = [
        name for name in os.environ if name.lower().endswith("_proxy") or name.startswith("PIP_")
    ]
    return [
        *(word for path in mounts for word in ("--volume", f"{path}:{path}:ro")),
        *(word for name in variables for word in ("--env", f"{name}={os.environ[name]}")),
    ]
