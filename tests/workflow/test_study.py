"""A study of one's own, in tests/workflow/toy, is nothing but new files; and a finished one can be moved."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnability.core.store import read_table

from .conftest import Project
from .started import run_snakemake

TOY = Path(__file__).parent / "toy"
SETTINGS = ("--configfile", "config/recall.yaml")


@pytest.fixture(scope="module")
def toy(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> Project:
    """A project with that study, run to its end."""
    project = new_project(full)
    files = [
        path.relative_to(TOY) for path in sorted(TOY.rglob("*")) if path.is_file() and "__pycache__" not in path.parts
    ]
    for path in files:
        assert not (project.folder / path).exists()
        (project.folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOY / path, project.folder / path)
    result = project.snakemake(*SETTINGS)
    assert result.returncode == 0, result.stdout + result.stderr
    return project


def test_a_study_is_nothing_but_new_files(toy: Project) -> None:
    results = toy.folder / "results/recall/small"
    scorecard = read_table(results / "scorecard.csv")
    assert scorecard["verdict"].tolist() == ["reproduced"], scorecard["measured"].tolist()
    assert (results / "figures/accuracy.png").stat().st_size > 1000
    log = (toy.folder / "logs/recall/small/train_network/plain/adamw/seed0.log").read_text()
    assert "Engine: autograd (auto: the native engine lacks the cell Vanilla)." in log
    curve = read_table(results / "models/plain/adamw/seed0/learning_curve.csv")
    assert curve["validation_loss"].iloc[-1] < 0.1 * curve["validation_loss"].iloc[0]
    assert curve["r_squared"].iloc[-1] > 0.9


def test_its_settings_are_checked(toy: Project) -> None:
    result = toy.snakemake("--dry-run", *SETTINGS, "--config", "task={delay: 4}")
    line = "Configuration: 'measurement.lags' must be given with task.delay (4) in it. Got [1, 2, 3]."
    assert result.returncode == 1 and line in result.stderr


def test_a_finished_run_that_is_copied_and_touched_makes_nothing_again(toy: Project, tmp_path: Path) -> None:
    """Dates are those of a copy in the worst order: results first, then what they were made from, code and settings."""
    folder = tmp_path / "moved"
    shutil.copytree(toy.folder, folder)
    now = time.time()
    for file in folder.rglob("*"):
        results = file.relative_to(folder).parts[0] == "results"
        age = 3600 if results and file.suffix == ".png" else 1800 if results else 0
        os.utime(file, (now - age, now - age))

    def planned() -> str:
        return run_snakemake(["--cores", "2", "--dry-run", *SETTINGS], folder).stdout

    assert "Nothing to be done" in planned()
    with (folder / "workflow" / "scripts" / "show_recall.py").open("a") as script:
        script.write("\nEDITED = True\n")
    output = planned()
    assert "show_recall" in output and "measure_recall" not in output
