"""Weights that are stored are measured under the settings that they were trained with."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnability.core.errors import InputError
from learnability.core.yaml_files import load_yaml
from studies.settings.runs import AGENT, all_agents, all_reservoirs, all_runs, check_reference, run_folder

from .conftest import ROOT, merged


def test_reference_weights_are_asked_for_by_run(full: dict[str, Any], tmp_path: Path) -> None:
    config = full | {"weights": "reference", "seeds": [0], "runs": {"adamw": ["diag_gate", "gru"]}}
    weights = tmp_path / "models" / "diag_gate" / "adamw" / "seed0" / "weights.safetensors"
    weights.parent.mkdir(parents=True)
    weights.write_bytes(b"")
    with pytest.raises(
        InputError, match=r"'weights' must be 'trained' while '.*models' lacks 1 of 2 networks: \['gru/adamw/seed0'\]"
    ):
        check_reference(config, tmp_path)
    for text in (None, "{", "{}"):
        if text:
            weights.with_name("provenance.json").write_text(text)
        with pytest.raises(InputError, match=r"'weights' must be with '.*seed0/provenance.json' as training writes it"):
            check_reference(config | {"runs": {"adamw": ["diag_gate"]}}, tmp_path)
    check_reference(full, tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"root_seed": 1}, r"'root_seed' must be 20260101, as when '.*seed0' was trained"),
        (
            {"task": {"lags": [10, 20], "coefficients": [1, 1]}},
            r"'task.coefficients' must be \[0.6, 0.5, 0.4, 0.32, 0.26, 0.2\], as",
        ),
        ({"training": {"epochs": 40}}, r"'training.epochs' must be 500, as when"),
        (
            {"architectures": {"const_gate": {"gate_value": 0.3}}},
            r"'architectures.const_gate' must be .*0.7.*, as when",
        ),
        ({"optimizers": {"adamw": {"learning_rate": 0.5}}}, r"'optimizers.adamw' must be .*0.001.*, as when"),
    ],
)
def test_reference_weights_are_not_measured_under_settings_they_were_not_trained_with(
    full: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    reference = merged(full, load_yaml((ROOT / "config" / "reference.yaml").read_text()))
    measured_elsewhere = {"task": {"diagnostic_sequences": 100}, "training": {"device": "auto"}}
    check_reference(merged(reference, measured_elsewhere), ROOT / "results" / "reference" / "learnability_window")
    with pytest.raises(InputError, match=message):
        check_reference(merged(reference, change), ROOT / "results" / "reference" / "learnability_window")


def test_every_stored_network_is_one_that_a_preset_measures(full: dict[str, Any]) -> None:
    presets = [load_yaml((ROOT / "config" / f"{name}.yaml").read_text()) for name in ("reference", "learning_rates")]
    runs = [run for preset in presets for run in all_runs(merged(full, preset))]
    models = ROOT / "results" / "reference" / "learnability_window" / "models"
    networks = {path.parent.relative_to(models).as_posix() for path in models.rglob("weights.safetensors")}
    assert networks == {f"{run['architecture']}/{run['optimizer']}/seed{run['seed']}" for run in runs}


def reference_of(study: str, full: dict[str, Any]) -> tuple[dict[str, Any], Path, set[str]]:
    """The configuration that starts from what is stored, whose networks have been checked; its folder and networks."""
    config, folder = full, ROOT / "results" / "reference" / study
    for name in ("full", "reference"):
        config = merged(config, load_yaml((ROOT / "config" / study / f"{name}.yaml").read_text()))
    check_reference(config, folder)
    networks = {path.parent.relative_to(folder / "models").as_posix() for path in folder.rglob("weights.safetensors")}
    return config, folder, networks


def test_stored_networks_of_attention_are_those_of_its_preset(full: dict[str, Any]) -> None:
    config, folder, networks = reference_of("attention", full)
    assert networks == {run_folder(config).format(**run) for run in all_runs(config)}
    with_epochs = {path.parent.relative_to(folder / "models").as_posix() for path in folder.rglob("snapshots.*")}
    assert with_epochs == {run_folder(config).format(**run) for run in all_runs(config) if run["windows"]}
    agents = {path.parent.relative_to(folder).as_posix() for path in folder.rglob("episodes.csv")}
    assert agents == {AGENT.format(**agent) for agent in all_agents(config)}
    longer = merged(config, {"attention": {"experiments": {"copy": {"training": {"epochs": 41}}}}})
    with pytest.raises(InputError, match=r"'training.epochs' must be 200, as when '.*copy_100/.*' was trained"):
        check_reference(longer, folder)


def test_stored_networks_and_reservoirs_of_the_lecture_are_those_of_its_preset(full: dict[str, Any]) -> None:
    config, folder, networks = reference_of("gated", full)
    assert networks == {run_folder(config).format(**run) for run in [*all_runs(config), *all_reservoirs(config)]}
    tighter = merged(config, {"gated": {"reservoirs": {"networks": {"reservoir": {"spectral_radius": 0.5}}}}})
    with pytest.raises(InputError, match=r"'reservoir.spectral_radius' must be 0.95, as when '.*seed0' was trained"):
        check_reference(tighter, folder)


def test_stored_agents_are_not_shown_under_settings_they_did_not_learn_with(
    full: dict[str, Any], tmp_path: Path
) -> None:
    config = merged(full, load_yaml((ROOT / "config" / "attention" / "full.yaml").read_text()))
    config |= {"weights": "reference", "attention": config["attention"] | {"experiments": {}, "recipes": {}}}
    for agent in all_agents(config):
        folder = tmp_path / AGENT.format(**agent)
        folder.mkdir(parents=True)
        (folder / "provenance.json").write_text(json.dumps(agent))
    check_reference(config, tmp_path)
    for change, message in (
        ({"frames": 4096}, r"'attention.games.frames' must be 100000, as when '.*/lstm/seed0' was trained. Got 4096"),
        ({"networks": {"lstm": {"h_detach": 0.5}}}, r"'attention.games.networks.lstm' must be .*, as when"),
        ({"cart_pole": {"ppo": {"steps": 128}}}, r"'attention.games.cart_pole.ppo' must be .*, as when '.*CartPole"),
    ):
        with pytest.raises(InputError, match=message):
            check_reference(merged(config, {"attention": {"games": change}}), tmp_path)
    del agent["settings"]["head_units"]
    (folder / "provenance.json").write_text(json.dumps(agent))
    with pytest.raises(InputError, match=r"head_units' must be 0, as when '.*seed4' was trained. Got 128"):
        check_reference(config, tmp_path)
