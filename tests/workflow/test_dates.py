"""Inputs that are dated in the future, before which no output can be."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dates import AHEAD, dated_ahead, refusal

from .conftest import Project

DATA = Path("results/learnability_window/miniature/data/seed0/diagnostic.nc")
RATES = "results/learnability_window/miniature/measured/diag_gate/adamw/seed0/rates.nc"


def test_files_dated_ahead_are_named_with_their_number(tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in "abc"]
    for place, file in enumerate(files):
        Path(file).touch()
        ahead = time.time() + (AHEAD + 100 if place else 0)
        os.utime(file, (ahead, ahead))
    assert list(dated_ahead([*files, "none"])) == files[1:]
    message = refusal(files)
    assert message is not None and f"Got '{files[1]}' of 20" in message and "and 1 more; `touch` dates" in message
    assert refusal(files[:1]) is None


def test_a_run_is_refused_before_its_jobs(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    project = new_project(miniature)
    weights = project.folder / RATES.replace("measured", "models").replace("rates.nc", "weights.safetensors")
    for file in (project.folder / DATA, weights):  # as made by another computer
        file.parent.mkdir(parents=True)
        file.write_bytes(b"")
        os.utime(file, (2**31, 2**31))
    result = project.snakemake(RATES)
    assert result.returncode != 0 and "Traceback" not in result.stderr
    assert f"Inputs must not be dated in the future. Got '{DATA}' of 2038" in result.stdout + result.stderr
    assert not list(project.folder.glob("logs/**/measure_network"))
