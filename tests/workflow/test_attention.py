"""The study of recurrence and attention, run as a user runs it."""

import json
from collections.abc import Callable
from typing import Any

import yaml

from .conftest import ROOT, Project, merged

SMALL = {
    "seeds": [0],
    "network": {"hidden_size": 8},
    "attention": {
        "architectures": ["rnn", "mem_rnn", "rel_lstm"],
        "norms": {"delay": 20, "sequences": 2},
        "costs": {"delays": [20, 40, 80], "batch_size": 2, "repeats": 1},
        "games": {
            "environments": ["RedBlueDoors-6x6"],
            "units": 4,
            "ppo": {"environments": 2, "steps": 8, "truncation": 4},
            "frames": 20,
            "episodes": 2,
        },
    },
}
TRAINED = {"copy": ["lstm", "mem_rnn"], "denoise": ["rel_lstm", "sab"]}


def experiments(config: dict[str, Any]) -> dict[str, Any]:
    """Those of a configuration at their smallest, of few networks."""
    return {
        name: {
            "task": {"training_sequences": 20, "validation_sequences": 5},
            "training": {"epochs": 2},
            "delays": [4],
            "transfer": [9] if name == "copy" else [],
            "test_sequences": 5,
            "networks": {model: {} if model in TRAINED[name] else {"delays": []} for model in experiment["networks"]},
        }
        for name, experiment in config["attention"]["experiments"].items()
    }


def test_attention_runs_to_its_end(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    attention = yaml.safe_load((ROOT / "config" / "attention" / "full.yaml").read_text())
    small = merged(SMALL, {"attention": {"experiments": experiments(attention)}})
    (project.folder / "small.yaml").write_text(yaml.safe_dump(small))
    configuration = ["--configfile", "config/attention/full.yaml", "small.yaml"]
    result = project.snakemake(*configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/attention/full"
    questions = json.loads((results / "findings.json").read_text())
    index = (results / "index.html").read_text()
    assert len(questions) == (results / "findings.md").read_text().count("## ") == 11
    assert index.count('<section class="question"') == 11
    assert index.count('class="zoom"') == len(list((results / "figures").glob("*.png"))) == 11
    by_kind = [{path.stem for path in (results / "tables").glob(f"*.{kind}")} for kind in ("csv", "md", "html")]
    assert by_kind[0] == by_kind[1] == by_kind[2] and len(by_kind[0]) == 22
    assert "Nothing to be done" in project.snakemake("--dry-run", *configuration).stdout
    planned = project.snakemake("--dry-run", "gradient_norms", "findings", "--force", *configuration)
    assert planned.returncode == 0, planned.stderr
