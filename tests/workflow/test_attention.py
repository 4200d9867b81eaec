"""The study of recurrence and attention, run as a user runs it."""

import json
from collections.abc import Callable
from typing import Any

import yaml

from .conftest import Project

SMALL = {
    "seeds": [0, 1],
    "network": {"hidden_size": 8},
    "attention": {
        "architectures": ["rnn", "mem_rnn", "rel_lstm"],
        "norms": {"delay": 20, "sequences": 2},
        "costs": {"delays": [20, 40, 80], "batch_size": 2, "repeats": 1},
    },
}


def test_attention_runs_to_its_end(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    (project.folder / "small.yaml").write_text(yaml.safe_dump(SMALL))
    configuration = ["--configfile", "config/attention.yaml", "small.yaml"]
    result = project.snakemake(*configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/attention/full"
    questions = json.loads((results / "findings.json").read_text())
    index = (results / "index.html").read_text()
    assert len(questions) == (results / "findings.md").read_text().count("## ") == 7
    assert index.count('<section class="question"') == 7
    assert index.count('class="zoom"') == len(list((results / "figures").glob("*.png"))) == 6
    by_kind = [{path.stem for path in (results / "tables").glob(f"*.{kind}")} for kind in ("csv", "md", "html")]
    assert by_kind[0] == by_kind[1] == by_kind[2] and len(by_kind[0]) == 16
    assert "Nothing to be done" in project.snakemake("--dry-run", *configuration).stdout
    planned = project.snakemake("--dry-run", "gradient_norms", "findings", "--force", *configuration)
    assert planned.returncode == 0, planned.stderr
