"""The study of ground truth at its smallest, run as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from learnability.core.store import read_table
from paired_pages import unlike_their_tables

from .conftest import ROOT, Project


def test_ground_truth_runs_to_its_end(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    project.take_run("ground_truth/miniature")
    configuration = ["config/ground_truth.yaml", str(ROOT / "tests" / "ground_truth.yaml")]
    result = project.snakemake("--configfile", *configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/ground_truth/miniature"
    trials = read_table(results / "trials/dense/gru/lag2/seed0.csv")
    assert sorted(trials["sample_size"].unique()) == [2, 4, 8, np.inf]
    assert sorted(trials["updates"].unique()) == [100, 200]
    candidates = read_table(results / "trials/dense/gru/lag2/candidates.csv")
    assert {"paper", "gradient_step", "noise_scale"} <= set(candidates["candidate"])
    half_learned = read_table(results / "tables/half_learned.csv")
    assert len(half_learned[half_learned["grid"] == "six_lags"]["lag"].unique()) == 6
    assert unlike_their_tables(results) == {}
    page = (results / "findings.md").read_text()
    assert page.count("## ") == 6
    of_each = 4 * 4 + 4 + 4 + 3 + 3 * 6  # N and lags of each grid
    assert len(read_table(results / "trials.csv.gz")) == 2 * of_each
    assert {"lag", "parameters"} < set(read_table(results / "tables/contest.csv")["candidate"])
    for name in ("contest", "phases_dense", "phases_six_lags"):
        assert (results / f"figures/{name}.png").stat().st_size > 1000
    index = (results / "index.html").read_text()
    questions = json.loads((results / "findings.json").read_text())["questions"]
    assert len(questions) == index.count('<section class="question"') == 6
    assert index.count('class="zoom"') == len(list((results / "figures").glob("*.png")))
    assert names(results / "tables", "html") == names(results / "tables", "csv")
    assert "Nothing to be done" in project.snakemake("--dry-run", "--configfile", *configuration).stdout
    with project.nothing_stored("ground_truth"):
        whole = project.snakemake("verify", "--configfile", *configuration)
        growth = results / "tables/growth.csv"
        growth.write_bytes(growth.read_bytes() + b"\n")
        verification = project.snakemake("verify", "--configfile", *configuration)
    log = (project.folder / "logs/ground_truth/miniature/verify.log").read_text().splitlines()
    assert whole.returncode == 0, whole.stderr + log[0]
    folder = "results/ground_truth/miniature"
    assert f"Verified: every file below {folder} is as its manifest says." in whole.stderr
    assert verification.returncode != 0
    assert log == [
        f"'{folder}/tables/growth.csv' is not what the manifest says: changed or damaged since.",
        f"InputError: 1 files below '{folder}' must be as {folder}/manifest.csv says.",
    ]


def names(folder: Path, kind: str) -> set[str]:
    return {path.stem for path in folder.glob(f"*.{kind}")}
