"""Settings of exhibits that could not be made are refused before anything is trained."""

from typing import Any

import pytest

from configuration import check, check_study
from learnability.core.errors import InputError
from learnability.core.yaml_files import load_yaml
from learnability.networks.network import Network
from studies.gated.checks import check_exhibits
from studies.gated.counting.measure import Counting
from studies.questions import find_questions
from studies.settings.refusals import check_settings
from studies.settings.whole import part_of

from .conftest import ROOT, merged

EXPERIMENTS = {
    name: required for question in find_questions("gated").values() for name, required in question.experiments.items()
}
RESERVOIR = {"spectral_radius": 0.9}
ODD: dict[str, list[dict[str, Any]]] = {
    "identity": [{"steps": [4, 2]}, {"steps": [1, 3]}, {"lags": [4, 2]}, {"scales": [1e9]}, {"hidden_size": 10**12}],
    "gates": [{"inputs": [0, 3, -3]}, {"probe": {"sequences": 3}}, {"inputs": [0, 1e39, 2e39]}],
    "refinements": [{"accuracy": 1.5}, {"sequences": 0}],
    "carousel": [{"biases": [3, 1]}, {"lags": [1, 500]}, {"biases": [1000]}, {"input_bias": 1e10}],
    "depth": [{"lags": [1, 2, 48]}, {"lags": [3, 2, 1]}],
    "dropout": [{"draws": 1}],
    "activity": [{"lags": [1, 32]}, {"saturated": 1}],
    "mini_batches": [
        *({"batch_sizes": [1, 2, 3]}, {"updates": 3}, {"task": {"lags": [3, 70]}}, {"task": {"coefficients": [1]}}),
        {"batch_sizes": [16, 4, 256]},
    ],
    "counting": [
        {"batch_size": 1000},
        {"longest_tested": 30},
        {"hidden_sizes": {"rnn": 3}},
        {"learning_rates": [0.1, 0.1, 0.2]},
    ],
    "echo_states": [
        *({"radii": [0.5, 0.9]}, {"washout": 10**6}, {"reservoir": RESERVOIR}, {"reservoir": {"leek": 1}}),
        *({"counterexamples": {"weights": [[1, 2]]}}, {"tolerance": 2}, {"reservoir": {"density": 1e-9}}),
        {"reservoir": {"distribution": "cauchy"}},
    ],
    "richness": [{"radii": [1.5, 2]}, {"input_scales": [1, 0.1]}, {"reservoir": {"input_scale": 1}}, {"lags": 10**6}],
    "memory": [
        *({"capacity": {"lags": 10**6}}, {"narma": {"washout": 10**6}}, {"products": {"washout": 10**6}}),
        *({"washouts": {"steps": [10, 5]}}, {"washouts": {"steps": [0, 10**6]}}, {"suffixes": {"longest": 60}}),
        *({"reservoir": RESERVOIR}, {"suffixes": {"radii": [1, 0.5]}}),
    ],
    "training_cost": [{"units": [50, 25]}, {"batch_size": 1000}, {"reservoir": {"units": 3}}],
    "separability": [{"units": [8, 4]}, {"reservoir": {"density": 0.5}}, {"coarse": 1e-12}],
    "deep_reservoirs": [
        *({"varied": {"steps": [100]}}, {"varied": {"units": [2.5]}}, {"varied": {"density": [2]}}, {"lags": 10**6}),
        *({"reservoir": {"leak": 0.5}}, {"reservoir": {"units": 3}}, {"input_scale": 1000}, {"layer_scale": 1e-300}),
    ],
    "generation": [{"reservoir": {"washout": 10**6}}, {"reservoir": {"drawn": {"density": 0}}}],
    "summary": [
        *({"longest_lag": 1000}, {"families": {"gates": ["lstm"]}}, {"families": {"more": ["nobody"]}}),
        {"families": {"again": ["lstm"]}},
    ],
}


@pytest.fixture(scope="module")
def gated(full: dict[str, Any]) -> dict[str, Any]:
    return merged(full, load_yaml((ROOT / "config" / "gated" / "full.yaml").read_text()))


def refused(config: dict[str, Any]) -> str:
    with pytest.raises(InputError) as caught:
        check_settings({"gated": config["gated"]}, part_of("gated"))
        check_exhibits(config)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("exhibit", ODD)
def test_an_odd_setting_is_refused_in_one_sentence_that_names_it(gated: dict[str, Any], exhibit: str) -> None:
    for change in ODD[exhibit]:
        config = merged(gated, {"gated": {"exhibits": {exhibit: change}}})
        assert f"gated.exhibits.{exhibit}" in refused(config), change


@pytest.mark.parametrize("preset", ["full", "quick"])
def test_shipped_settings_are_not(gated: dict[str, Any], preset: str) -> None:
    config = merged(gated, load_yaml((ROOT / "config" / "gated" / f"{preset}.yaml").read_text()))
    check(config)
    check_study(config, ROOT / "workflow" / "rules")


@pytest.mark.parametrize("experiment", sorted(EXPERIMENTS))
def test_networks_that_an_exhibit_shows_are_there_and_on_its_task(gated: dict[str, Any], experiment: str) -> None:
    experiments = {**gated["gated"]["experiments"]}
    exhibited = experiments.pop(experiment)
    without = {**gated["gated"], "experiments": experiments}
    assert f"gated.experiments.{experiment}" in refused({**gated, "gated": without})
    for network in EXPERIMENTS[experiment].compared:
        networks = {name: settings for name, settings in exhibited["networks"].items() if name != network}
        variant = {**gated["gated"]["experiments"], experiment: {**exhibited, "networks": networks}}
        message = refused({**gated, "gated": {**gated["gated"], "experiments": variant}})
        assert f"gated.experiments.{experiment}.networks" in message


def test_sizes_that_count_are_compared_as_networks_count_them(gated: dict[str, Any]) -> None:
    """The sentence has the sizes by formula; here they are those of networks."""
    units = {"rnn": 5, "gru": 3, "lstm": 2}
    message = refused(merged(gated, {"gated": {"exhibits": {"counting": {"hidden_sizes": units}}}}))
    task = Counting()
    for cell, number in units.items():
        settings = {"cell": cell} if cell == "rnn" else {"cell": cell, "gate_init": 0.5}
        network = Network.build(settings, task.input_size, number, True, task.outputs, task.loss)
        assert f"'{cell}': {network.count_parameters()}" in message


def test_windows_of_truncated_gradients_are_another_each(gated: dict[str, Any]) -> None:
    changes = {"gated": {"experiments": {"truncation_8": {"training": {"truncation": 4}}}}}
    assert "windows of which one is the whole sequence" in refused(merged(gated, changes))
