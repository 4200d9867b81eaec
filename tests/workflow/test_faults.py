"""Runs that are killed, doubled, out of disk or given damaged files: docs/reliability.md, line by line."""

import os
import subprocess
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd
import pytest

from learnability.core.manifest import files_below, keep, write_manifests
from learnability.core.store import read_table, write_table

from .conftest import LOGS, RESULTS, Project
from .kills import digests, finished_jobs, is_locked, kill_and_resume

RUN = "diag_gate/adamw/seed0"
TARGETS = [
    str(RESULTS / name)
    for name in (
        "gradient_step/figures/appendix_i.pdf",
        f"measured/{RUN}/window.csv",
        f"measured/{RUN}/training_windows.csv",
    )
]
NewProject = Callable[[dict[str, Any]], Project]


class Undisturbed(NamedTuple):
    project: Project
    second: subprocess.CompletedProcess[str]  # a second run, started while the first was on its way


@pytest.fixture(scope="module")
def small(miniature: dict[str, Any]) -> dict[str, Any]:
    """Configuration of one network, from data to windows and a figure."""
    return miniature | {"runs": {"adamw": ["diag_gate"]}, "training": miniature["training"] | {"epochs": 50}}


@pytest.fixture(scope="module")
def prepared(new_project: NewProject, small: dict[str, Any]) -> Callable[[], Project]:
    def prepared() -> Project:
        """A project that keeps a checkpoint after each epoch."""
        project = new_project(small)
        loop = project.folder / "src/learnability/training/loop.py"
        loop.write_text(f"{loop.read_text()}\nCHECKPOINT_SECONDS, CHECKPOINT_SHARE = -1, float('inf')\n")
        return project

    return prepared


@pytest.fixture(scope="module")
def undisturbed(prepared: Callable[[], Project]) -> Undisturbed:
    project = prepared()
    with open(project.folder / "first.log", "w") as log:
        first = subprocess.Popen(
            project.command(*TARGETS, "--cores", "1"), cwd=project.folder, stdout=log, stderr=subprocess.STDOUT
        )
        while first.poll() is None and not is_locked(project):
            time.sleep(0.01)
        second = project.snakemake(*TARGETS)
        assert first.wait() == 0, (project.folder / "first.log").read_text()
    return Undisturbed(project, second)


def test_a_second_run_in_the_same_folder_is_refused_and_the_first_ends(undisturbed: Undisturbed) -> None:
    assert undisturbed.second.returncode != 0
    assert "Directory cannot be locked" in undisturbed.second.stderr + undisturbed.second.stdout
    assert "Traceback" not in undisturbed.second.stderr
    assert all((undisturbed.project.folder / target).is_file() for target in TARGETS)
    assert not is_locked(undisturbed.project)


def test_a_run_killed_at_random_moments_ends_with_the_same_bytes(
    undisturbed: Undisturbed, prepared: Callable[[], Project]
) -> None:
    # on two cores, where the undisturbed run had one: neither may change a byte
    project, kills = prepared(), 6
    hits = list(kill_and_resume(project, TARGETS, kills, seed=1, jobs=finished_jobs(undisturbed.project)))
    assert len(hits) > kills / 2, hits
    unlocking = project.snakemake("--unlock")
    assert unlocking.returncode == 0, unlocking.stderr
    result = project.snakemake(*TARGETS)
    assert result.returncode == 0, result.stdout + result.stderr
    pd.testing.assert_frame_equal(digests(project.folder), digests(undisturbed.project.folder))
    assert not list((project.folder / "results").rglob(".*"))
    assert not list((project.folder / "results").rglob("*.pt"))


def test_a_full_disk_ends_the_job_in_one_line_and_loses_nothing(prepared: Callable[[], Project]) -> None:
    # a limit on the size of files: what the job writes is too large, what Snakemake writes is not; nor is what Python
    # compiles, of which version 3.11 would leave the part that it could write
    project, target = prepared(), RESULTS / "data/seed0/diagnostic.nc"
    before = sorted(path for path in project.folder.rglob("*") if ".snakemake" not in path.parts)
    command = ["bash", "-c", 'ulimit -f 18 && exec "$@"', "bash", *project.command(str(target))]
    env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(command, cwd=project.folder, env=env, capture_output=True, text=True, check=False)
    log = (project.folder / LOGS / "generate_data/seed0.log").read_text()
    assert result.returncode != 0
    assert log == f"WritingFailed: '{target}' could not be written: File too large.\n", result.stdout + result.stderr
    assert not [path for path in (project.folder / "results").rglob("*") if path.is_file()]
    assert set(before) <= set(project.folder.rglob("*"))
    assert project.snakemake(str(target)).returncode == 0
    assert (project.folder / target).is_file()


def test_reference_weights_reproduce_what_is_stored_beside_them_and_name_what_differs(
    undisturbed: Undisturbed, small: dict[str, Any], new_project: NewProject
) -> None:
    project = new_project(small | {"preset": "again", "weights": "reference"})
    reference = project.folder / "results" / "reference" / RESULTS.parent.name
    results = undisturbed.project.folder / RESULTS
    write_manifests(results, files_below(results))
    keep(results, reference)
    path = reference / "measured" / "window.csv.gz"
    table = read_table(path)
    write_table(table.assign(sample_size=table["sample_size"].replace(25, 26)), path)
    write_manifests(reference, files_below(reference))
    result = project.snakemake("reproduce")
    log = (project.folder / LOGS.with_name("again") / "reproduce.log").read_text().splitlines()
    assert result.returncode != 0
    assert len(log) == 2, log
    assert log[0].startswith("'window.csv' of 1 networks is not 'results/reference/learnability_window/measured/window")
    assert ": sample_size: " in log[0] and ", first 25 where 26 is stored." in log[0]
    assert not (project.folder / RESULTS.with_name("again") / "models").exists()
