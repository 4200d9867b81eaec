"""The study of recurrence and attention, run as a user runs it."""

import json
from collections.abc import Callable
from typing import Any

import yaml

from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from paired_pages import unlike_their_tables

from .conftest import ROOT, Project, merged

SMALL = {
    "seeds": [0],
    "network": {"hidden_size": 8},
    "window": {"draws": 100},
    "attention": {
        "architectures": ["rnn", "mem_rnn", "rel_lstm"],
        "norms": {"delay": 20, "sequences": 2},
        "costs": {"delays": [20, 40, 80], "batch_size": 2, "repeats": 1},
        "screening": {"sizes": [1, 3], "other": 2},
        "recipes": {
            "authors_code": {
                name: {
                    "training": {"epochs": 3, "perfect_validations": 2},
                    "networks": {model: {"delays": [4] if model == first else []} for model in ("lstm", *others)},
                }
                for name, first, others in (
                    ("copy", "lstm", ["sab", "rel_lstm", "rel_rnn"]),
                    ("denoise", "rel_lstm", ["rel_lstm", "rel_rnn", "orth_rnn"]),
                )
            }
        },
        "games": {
            "environments": ["RedBlueDoors-6x6"],
            "units": 4,
            "ppo": {"environments": 2, "steps": 8, "truncation": 4},
            "frames": 20,
            "episodes": 2,
            "cart_pole": {"frames": 20, "ppo": {"steps": 8, "truncation": 4, "segments": 2}},
        },
    },
}
NETWORKS = {
    "copy": ["lstm", "mem_rnn"],
    "denoise": ["rel_lstm", "sab"],
    "pixels": ["rel_rnn"],
    "characters": ["exp_rnn"],
    "delayed_sum": ["rnn", "rel_rnn"],
}
SUM = {"duration": 20, "lags": [2, 5], "coefficients": [0.5, 0.5]}
CHANGES = {
    "copy": {
        "further": [
            {"networks": ["lstm"], "delays": [6]},
            {"networks": ["lstm"], "delays": [4], "epochs": 3, "fewer_seeds": 1},
        ],
        "transfer": [9],
        "networks": {"mem_rnn": {"transfer": [9]}},
        "windows": {"delays": [4], "lags": [5, 14], "sequences": 20},
    },
    "denoise": {"further": [{"networks": ["rel_lstm"], "delays": [4], "sizes": True, "fewer_seeds": 1}]},
    "pixels": {"test_sequences": 5, "training": {"batch_size": 10}},
    "characters": {
        "test_sequences": 5,
        "task": {"duration": 30},
        "training": {"batch_size": 10, "truncation": 10},
    },
    "delayed_sum": {
        "task": SUM,
        "network": {"hidden_size": 4},
        "learning_rates": [0.01],
        "windows": {"lags": [2, 3, 5], "sequences": 20},
    },
}


def experiments(config: dict[str, Any]) -> dict[str, Any]:
    """Experiments of a configuration at their smallest, with few networks."""
    small = {
        name: {
            "task": {"training_sequences": 20, "validation_sequences": 5},
            "training": {"epochs": 2},
            "networks": {
                model: {} if model in NETWORKS.get(name, []) else {"delays": []} for model in experiment["networks"]
            },
        }
        | ({"delays": [4], "further": [], "test_sequences": 5} if "delays" in experiment else {})
        for name, experiment in config["attention"]["experiments"].items()
    }
    return merged(small, CHANGES)


def test_attention_runs_to_its_end(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    attention = load_yaml((ROOT / "config" / "attention" / "full.yaml").read_text())
    small = merged(SMALL, {"attention": {"experiments": experiments(attention)}})
    (project.folder / "small.yaml").write_text(yaml.safe_dump(small))
    configuration = ["--configfile", "config/attention/full.yaml", "small.yaml"]
    result = project.snakemake(*configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/attention/full"
    questions = json.loads((results / "findings.json").read_text())["questions"]
    index = (results / "index.html").read_text()
    assert len(questions) == (results / "findings.md").read_text().count("## ") == 23
    assert index.count('<section class="question"') == 23
    assert index.count('class="zoom"') == len(list((results / "figures").glob("*.png"))) == 27
    assert unlike_their_tables(results) == {}
    by_kind = [{path.stem for path in (results / "tables").glob(f"*.{kind}")} for kind in ("csv", "md", "html")]
    assert by_kind[0] == by_kind[1] == by_kind[2] and len(by_kind[0]) == 37
    scores = read_table(results / "scorecard.csv").fillna("")
    conditions = read_table(results / "scorecard.conditions.csv")
    assert set(conditions.loc[conditions["role"] == "theory", "status"]) <= {"met", "near", "missed"}
    updates = "updates of copy 4 to 6 (paper: not printed, 200000 in the authors' code)"
    assert updates in (results / "scorecard.md").read_text()
    assert index.count('<table class="sortable scorecard">') == 1 and index.count('id="verdicts"') == 1
    assert "Reading <code></code>" not in index
    for link in set(scores["link"]) - {""}:
        for name in (link, link.replace(".md", ".html")):
            assert (results / name).is_file(), name
    assert "Nothing to be done" in project.snakemake("--dry-run", *configuration).stdout
    with project.nothing_stored("attention"):
        verification = project.snakemake("verify", *configuration)
    assert verification.returncode == 0, (project.folder / "logs/attention/full/verify.log").read_text()
    names = ["gradient_norms", "attention_windows", "findings", "scorecard"]
    plan = project.snakemake("--dry-run", *names, "--force", *configuration)
    assert plan.returncode == 0, plan.stderr
