"""The comparison of cells at its smallest, run as a user runs it."""

import json
from collections.abc import Callable
from typing import Any

import yaml

from learnability.core.store import read_table
from paired_pages import unlike_their_tables

from .conftest import ROOT, Project

QUESTIONS = 12


def test_the_comparison_runs_to_its_end_and_takes_a_further_cell(
    new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]
) -> None:
    """No other test sees tables of races that no question takes, or a further cell that races all others again."""
    project = new_project(full)
    configuration = ["config/comparison.yaml", str(ROOT / "tests" / "comparison.yaml")]
    result = project.snakemake("--configfile", *configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/comparison/miniature"
    scores = read_table(results / "races/sum/min_gru/scores.csv")
    assert sorted(scores["updates"].unique()) == [0, 2, 4]
    assert sorted(scores["seed"].unique()) == [1, 2]
    performance = read_table(results / "tables/performance.csv")
    assert len(performance) == 2 * 2
    assert performance["parameters"].max() <= 120
    by_size = read_table(results / "tables/by_size.csv").groupby("size")["parameters"]
    assert (by_size.max() <= by_size.max().index).all() and by_size.max().index.tolist() == [60, 120]
    half_learned = read_table(results / "tables/half_learned.csv")
    assert half_learned.groupby("architecture")["lag"].apply(list).to_dict() == {"rnn": [2, 4], "min_gru": [2, 4]}
    assert read_table(results / "tables/divisor.csv").empty  # there is one delayed sum alone
    assert unlike_their_tables(results) == {}
    questions = json.loads((results / "findings.json").read_text())["questions"]
    index = (results / "index.html").read_text()
    assert len(questions) == index.count('<section class="question"') == QUESTIONS
    assert (results / "findings.md").read_text().count("## ") == QUESTIONS
    assert "Nothing to be done" in project.snakemake("--dry-run", "--configfile", *configuration).stdout
    file = project.folder / "further.yaml"
    further = {"comparison": {"families": {"recurrences": ["rnn", "irnn"]}}}
    file.write_text(yaml.safe_dump({"study": "comparison", "preset": "miniature", **further}))
    plan = project.snakemake("--dry-run", "--configfile", *configuration, str(file)).stdout
    races = [line for line in plan.splitlines() if "Race: " in line]
    assert {line.partition("Race: ")[2] for line in races} == {"irnn at sum", "irnn at recall", "irnn at recall_60"}
    assert [line.partition("Fewer sequences: ")[2] for line in plan.splitlines() if "Fewer sequences: " in line] == [
        "irnn"
    ]
