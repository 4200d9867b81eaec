"""The study of gated models, run as a user runs it: an exhibit with networks and reservoirs, and one without."""

import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from configuration import check, check_study, typed
from learnability.core.errors import InputError
from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from learnability.networks.weights import read_weights
from paired_pages import unlike_their_tables
from studies.questions import find_questions
from studies.settings.refusals import leaves

from .conftest import ROOT, Project, merged

QUESTIONS = find_questions("gated")
NETWORKS = ["rnn", "lstm", "rel_rnn"]
SMALL = {
    "window": {"draws": 100},
    "gated": {
        "experiments": {
            "summary": {
                "task": {"duration": 20, "lags": [2, 5], "coefficients": [0.5, 0.5], "training_sequences": 20},
                "network": {"parameters": 60},
                "training": {"epochs": 2},
                "windows": {"lags": [2, 3, 5]},
            }
        },
        "reservoirs": {"washout": 6, "networks": {"reservoir": {"units": 6}, "sparse_reservoir": {"units": 20}}},
        "exhibits": {
            "summary": {"longest_lag": 6, "sequences": 10},
            "identity": {"steps": [1, 2, 4], "sequences": 20, "lags": [1, 2, 4], "gradient_sequences": 2},
        },
    },
}


def preset(full: dict[str, Any]) -> dict[str, Any]:
    """The study's quick preset."""
    for name in ("full", "quick"):
        full = merged(full, load_yaml((ROOT / "config" / "gated" / f"{name}.yaml").read_text()))
    return full


def small(full: dict[str, Any]) -> dict[str, Any]:
    """The study at its smallest, with few of the networks that its last exhibit compares."""
    config = merged(preset(full), SMALL)
    summary = config["gated"]["experiments"]["summary"]
    summary["networks"] = {name: summary["networks"][name] for name in NETWORKS}
    del config["gated"]["reservoirs"]["networks"]["leaky_reservoir"]
    return config


def write(project: Project, config: dict[str, Any]) -> list[str]:
    (project.folder / "config" / "gated" / "full.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    return ["--config", "study=gated"]


def test_exhibits_run_to_their_end(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> None:
    project, config = new_project(full), small(full)
    configuration = write(project, config)
    result = project.snakemake("summary", "identity", *configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    results = project.folder / "results/gated/quick"
    assert {path.stem for path in (results / "figures").glob("*.png")} == {"summary", "identity"}
    assert unlike_their_tables(results) == {}
    cells = read_table(results / "tables/cells.csv").set_index("architecture")
    assert list(cells.index) == [*NETWORKS, "reservoir", "sparse_reservoir"]
    assert (cells.loc[NETWORKS, "trained"] == cells.loc[NETWORKS, "numbers"]).all()
    assert cells.loc["sparse_reservoir", "trained"] == 21
    rates = read_table(results / "tables/cells_rates.csv")
    rates_by_network = rates.groupby("architecture")["rate"].agg(sorted).to_dict()
    assert rates_by_network == {"rnn": [0.001, 0.01], "lstm": [0.01, 0.03], "rel_rnn": [0.01]}
    assert rates[rates["shown"]].set_index("architecture")["rate"].to_dict() == cells.loc[NETWORKS, "rate"].to_dict()
    of_reservoir = results / "models/summary/reservoir/seed0"
    assert {path.name for path in of_reservoir.iterdir()} == {
        *("weights.safetensors", "snapshots.safetensors", "learning_curve.csv", "provenance.json")
    }
    assert read_weights(of_reservoir / "weights.safetensors")["U_h"].shape == (6, 6)
    dry_run = project.snakemake("--dry-run", *configuration)
    assert dry_run.returncode == 0, dry_run.stderr
    for name in ("explain_questions", "score_claims", "make_index", *(f"make_{name}" for name in QUESTIONS)):
        is_planned = re.search(rf"^{name} +1$", dry_run.stdout, re.MULTILINE)
        assert bool(is_planned) == (name not in ("make_summary", "make_identity")), name


def test_reservoirs_have_names_of_their_own(full: dict[str, Any]) -> None:
    config = small(full)
    config["gated"]["reservoirs"]["networks"]["rnn"] = config["gated"]["reservoirs"]["networks"]["reservoir"]
    with pytest.raises(InputError, match=r"'gated.reservoirs.networks' must be other names than of arch.* Got 'rnn'"):
        check_study(config, ROOT / "workflow" / "rules")


def commands() -> list[str]:
    return re.findall(r"^    (snakemake .+)$", (ROOT / "docs" / "lecture.md").read_text(), re.MULTILINE)


def changed(command: str) -> dict[str, Any]:
    """Settings that a command gives beside the preset."""
    words = shlex.split(command)
    return dict(word.split("=", 1) for word in words[words.index("--config") + 1 : words.index("--cores")])


def test_the_lecture_has_a_setting_for_each_exhibit() -> None:
    assert {command.split()[-1] for command in commands() if "--config " in command} == set(QUESTIONS)


@pytest.mark.parametrize("command", [command for command in commands() if "--config " in command])
def test_commands_of_the_lecture_change_a_setting_that_there_is(full: dict[str, Any], command: str) -> None:
    assert command.startswith("snakemake --configfile config/gated/quick.yaml --config ")
    config = preset(full)
    # as Snakemake reads it: what is nested is text
    change = typed({key: yaml.load(value, yaml.BaseLoader) for key, value in changed(command).items()})
    before = dict(leaves(config))
    for key, value in leaves(change):
        assert before[key] != value, key
    check(merged(config, change))
    check_study(merged(config, change), ROOT / "workflow" / "rules")
