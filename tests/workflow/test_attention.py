"""The study of recurrence and attention, run as a user runs it."""

import json
from collections.abc import Callable
from typing import Any

from .conftest import Project


def test_attention_runs_to_its_end(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    configuration = ["--configfile", "config/attention.yaml"]
    result = project.snakemake(*configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/attention/full"
    questions = json.loads((results / "findings.json").read_text())
    index = (results / "index.html").read_text()
    assert len(questions) == (results / "findings.md").read_text().count("## ") == 5
    assert index.count('<section class="question"') == 5
    assert index.count('class="zoom"') == len(list((results / "figures").glob("theory_*.png"))) == 4
    by_kind = [{path.stem for path in (results / "tables").glob(f"*.{kind}")} for kind in ("csv", "md", "html")]
    assert by_kind[0] == by_kind[1] == by_kind[2] and len(by_kind[0]) == 13
    assert "Nothing to be done" in project.snakemake("--dry-run", *configuration).stdout
    planned = project.snakemake("--dry-run", "theory_sums", "findings", "--force", *configuration)
    assert planned.returncode == 0, planned.stderr
