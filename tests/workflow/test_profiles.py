"""The profiles, and the measurements behind what they ask for."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from jobs import read_jobs, summarise
from learnability.core.yaml_files import load_yaml

from .conftest import ROOT, Project

LOCAL = {"cores", "resources", "__use_yte__", "__definitions__"}  # what a profile has for its own place only


def profile(name: str) -> dict[str, Any]:
    return load_yaml((ROOT / "profiles" / name / "config.yaml").read_text())


def rules_of(project: Project) -> set[str]:
    """Rules with jobs. They are named by a verb, targets are not."""
    result = project.snakemake("--list-rules")
    assert result.returncode == 0, result.stderr
    code = [*(ROOT / "workflow" / "scripts").glob("*_*.py"), *(ROOT / "src" / "studies").rglob("jobs/*_*.py")]
    verbs = {path.stem.split("_")[0] for path in code} | {"train", "show"}
    return {name for name in result.stdout.split() if "_" in name and name.split("_")[0] in verbs}


def test_profiles_agree_on_all_but_the_place() -> None:
    local, slurm = profile("default"), profile("slurm")
    common = {key: value for key, value in local.items() if key not in LOCAL}
    assert common == {key: slurm[key] for key in common}


@pytest.mark.parametrize(
    ("groups", "files", "limits"),
    [
        ("0::/", {"memory.max": "1000"}, [1000]),  # in a container with a tree of its own
        ("0::/a/b", {"a/b/memory.max": "max", "a/memory.max": "700", "memory.max": "900"}, [700, 900]),
        ("0::/of/the/host", {"memory.max": "900"}, [900]),  # in a container that does not see its place
        ("0::/", {}, []),
        ("3:cpu:/a\n2:memory,hugetlb:/a/b\n0::/", {"memory/a/memory.limit_in_bytes": "500"}, [500]),
        ("2:memory:/a:b", {"memory/a:b/memory.limit_in_bytes": "5", "memory/memory.limit_in_bytes": "9"}, [5, 9]),
        (None, {"memory.max": "1000"}, []),  # no Linux
    ],
)
def test_the_limit_of_memory_is_that_of_all_groups_above(
    groups: str | None, files: dict[str, str], limits: list[int], tmp_path: Path
) -> None:
    for name, text in {f"sys/fs/cgroup/{name}": text for name, text in files.items()}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{text}\n")
    if groups is not None:
        (tmp_path / "proc" / "self").mkdir(parents=True)
        (tmp_path / "proc" / "self" / "cgroup").write_text(f"{groups}\n")
    variables: dict[str, Any] = {}
    for definition in profile("default")["__definitions__"]:
        exec(definition, variables)
    assert list(variables["limits"](tmp_path)) == limits
    assert 0 < variables["memory"] <= psutil.virtual_memory().total


def test_the_slurm_profile_knows_each_rule(
    new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]
) -> None:
    slurm = profile("slurm")
    on_gpu = full | {"training": full["training"] | {"device": "cuda"}}
    rules = rules_of(new_project(full)) | rules_of(new_project(on_gpu))
    names = {*slurm["set-resources"], *slurm["groups"]}
    assert names == {name for name in rules if not name.startswith("train_")}
    assert set(slurm["groups"].values()) == {*slurm["group-components"]}
    # pages are what the default is for, and training says itself what it needs
    rules_with_size = {name for name in rules if slurm["groups"].get(name) != "pages" and not name.startswith("train_")}
    assert rules_with_size == set(slurm["set-resources"])


def test_what_is_asked_for_grows_with_each_attempt() -> None:
    slurm = profile("slurm")
    assert slurm["retries"] >= 1
    for requests in (slurm["default-resources"], *slurm["set-resources"].values()):
        for request in requests.values():
            amount, times, attempt = request.split()
            assert (int(amount) > 0, times, attempt) == (True, "*", "attempt")


def test_benchmarks_are_summed_up_by_rule(tmp_path: Path) -> None:
    for name, seconds, memory in (("train_network/a/seed0", 3, 10), ("train_network/b/seed0", 5, 30), ("check", 1, 2)):
        file = tmp_path / f"{name}.benchmark.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"s\th:m:s\tmax_rss\tcpu_time\n{seconds}\t0:00:0{seconds}\t{memory}\t2\n")
    check, train = summarise(read_jobs(tmp_path)).to_dict("records")
    assert check == {
        "rule": "check",
        "jobs": 1,
        "median_seconds": 1,
        "longest_seconds": 1,
        "processor_seconds": 2,
        "largest_MB": 2,
    }
    assert list(train.values()) == ["train_network", 2, 4, 5, 4, 30]


def test_logs_without_benchmarks_are_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="must be a folder with benchmarks"):
        read_jobs(tmp_path)
