"""Builds one of the images, runtime, loadtest or page: python -m deploy.image.build TARGET."""

import subprocess
import sys

import shisanzhi
from deploy.image.engine import build

NAMES = {"runtime": "shisanzhi", "loadtest": "shisanzhi-loadtest", "page": "shisanzhi-page"}


def main(target: str, *arguments: str) -> None:
    """Build it, with the version and the commit in its labels."""
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"],  # noqa: S607 - as installed
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    labels = {"VERSION": shisanzhi.__version__, "REVISION": revision or "unknown"}
    named = dict(each.split("=", 1) for each in arguments)
    build(f"{NAMES[target]}:{shisanzhi.__version__}", target, {**labels, **named})


if __name__ == "__main__":
    main(*sys.argv[1:])
