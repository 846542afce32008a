"""How many processors the process may keep busy, on machines and in containers of all kinds."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from shisanzhi.rpc.limits.processors import processors
from shisanzhi.rpc.limits.workers import Workers

MANY = 64
V1 = "cpu.cfs_quota_us", "cpu.cfs_period_us"


@pytest.fixture(autouse=True)
def large_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", {0: set(range(MANY))}.__getitem__)


def machine(root: Path, groups: str, files: Mapping[str, str]) -> Path:
    """Make up a file system: what the process says of its groups, and files below the mount."""
    below = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    for name, text in {"proc/self/cgroup": groups, **below}.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def v1(folder: str, quota: int, period: int = 100000) -> dict[str, str]:
    return {
        f"{folder}/{name}": f"{value}\n" for name, value in zip(V1, (quota, period), strict=True)
    }


@pytest.mark.parametrize(
    ("quota", "expected"),
    [
        ("100000 100000", 1),
        ("150000 100000", 2),
        ("250000 100000", 3),
        ("1000 100000", 1),
        ("1 100000", 1),
        ("20000 10000", 2),
        ("max 100000", MANY),
        ("9900000 100000", MANY),
        ("", MANY),
        ("nonsense", MANY),
        ("0 0", MANY),
    ],
)
def test_a_quota_counts(tmp_path: Path, quota: str, expected: int) -> None:
    root = machine(tmp_path, "0::/\n", {"cpu.max": f"{quota}\n"})
    assert processors(root) == expected


@pytest.mark.parametrize(
    ("quota", "period", "expected"),
    [(100000, 100000, 1), (150000, 100000, 2), (-1, 100000, MANY), (20000, 10000, 2), (0, 0, MANY)],
)
def test_a_quota_of_version_1_counts(
    tmp_path: Path, quota: int, period: int, expected: int
) -> None:
    groups = "4:memory:/a\n3:cpu,cpuacct:/a\n1:name=systemd:/a\n0::/a\n"
    assert processors(machine(tmp_path, groups, v1("cpu/a", quota, period))) == expected


def test_the_least_quota_of_all_groups_above_counts(tmp_path: Path) -> None:
    files = {
        "cpu.max": "500000 100000",
        "pods/cpu.max": "200000 100000",
        "pods/pod/cpu.max": "max 100000",
        "pods/pod/server/cpu.max": "300000 100000",
        "other/cpu.max": "100000 100000",
    }
    assert processors(machine(tmp_path, "0::/pods/pod/server\n", files)) == 2


def test_a_container_that_is_told_its_path_on_the_machine_finds_its_quota(tmp_path: Path) -> None:
    """As Docker has it under version 1: the mount is the container's, the path the machine's."""
    root = machine(tmp_path, "3:cpuacct,cpu:/docker/0123\n", v1("cpu", 50000))
    assert processors(root) == 1


@pytest.mark.parametrize("groups", ["", "nonsense\n", "0::/../..\n", "3:cpuset:/\n"])
def test_groups_that_cannot_be_read_limit_nothing(tmp_path: Path, groups: str) -> None:
    assert processors(machine(tmp_path, groups, {})) == MANY


def test_a_group_may_have_any_name(tmp_path: Path) -> None:
    groups, unified = "3:cpu:/?odd:name\n", "0::/?even:odder\n"
    files = v1("cpu/?odd:name", 300000) | {"?even:odder/cpu.max": "200000 100000"}
    assert processors(machine(tmp_path / "both", groups + unified, files)) == 2
    assert processors(machine(tmp_path / "v1", groups, files)) == 3


def test_what_counts_are_the_groups_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def read_nothing(path: Path, **_: str) -> str:
        read.append(path)
        return ""

    monkeypatch.setattr(Path, "read_text", read_nothing)
    assert processors() == MANY
    assert read == [Path("/proc/self/cgroup")]


def test_a_machine_without_groups_has_all_its_processors(tmp_path: Path) -> None:
    assert processors(tmp_path) == MANY


def test_a_quota_gives_no_processors_that_there_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3})
    assert processors(machine(tmp_path, "0::/\n", {"cpu.max": "400000 100000"})) == 1


def test_systems_that_know_no_affinity_have_all_their_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert processors(tmp_path) == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processors(tmp_path) == 1


def test_there_are_workers_on_systems_that_know_no_affinity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    Workers(0, 0).close()
