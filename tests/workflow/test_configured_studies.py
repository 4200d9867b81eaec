"""A study is configured by keys of its own, which only it checks."""

from typing import Any

import pytest
import yaml

from configuration import check, check_study
from learnability.core.errors import InputError
from learnability.reinforcement.settings import PPOSettings
from studies.attention.games.cart_pole import read_published
from studies.attention.games.paper import TESTED_ON
from studies.settings.runs import BY_RECIPE, all_agents, all_runs

from .conftest import ROOT, merged


def test_a_study_has_rules(full: dict[str, Any]) -> None:
    check_study(full, ROOT / "workflow" / "rules")
    with pytest.raises(
        InputError,
        match=r"'study' must be one of attention, comparison, gated, ground_truth, learnability_window\. Got 'window'",
    ):
        check_study(full | {"study": "window"}, ROOT / "workflow" / "rules")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"contest": ["thin"]}, r"'ground_truth.contest' must be one of dense, .* Got 'thin'"),
        ({"optimizer": "adam"}, r"'ground_truth.optimizer' must be one of adamw, .* Got 'adam'"),
        ({"grids": {"dense": {"sample_sizes": [2, 4]}}}, r"'ground_truth.grids.dense.sample_sizes' must be those of"),
        (
            {"grids": {"sparse": {"fewer_seeds": 2}}},
            r"'ground_truth.grids.sparse.fewer_seeds' must be left out .* Got 2",
        ),
        ({"grids": {"larger": {"parameters": 900}}}, r"'ground_truth.grids.larger' must be given hidden_size or param"),
        ({"grids": {"dense": {"lags": [4, 256]}}}, r"'ground_truth.grids.dense.lags' must be .* below the duration"),
        ({"grids": {"dense": {"coefficients": [1]}}}, r"'ground_truth.grids.dense.coefficients' must be 3 values"),
        ({"grids": {"six_lags": {"sample_sizes": [9, 4]}}}, r"'ground_truth.grids.six_lags.sample_sizes' must be incr"),
        (
            {"grids": {"larger": {"architectures": ["rnn"]}}},
            r"'ground_truth.grids.larger.architectures' must be one of",
        ),
    ],
    ids=str,
)
def test_grids_of_the_ground_truth_are_checked(full: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    of_study = merged(full, yaml.safe_load((ROOT / "config" / "ground_truth.yaml").read_text()))
    rules = ROOT / "workflow" / "rules"
    check_study(of_study, rules)
    changed = merged(of_study, {"ground_truth": changes})
    with pytest.raises(InputError, match=message):
        check(changed)
        check_study(changed, rules)


@pytest.fixture
def config(full: dict[str, Any]) -> dict[str, Any]:
    """The study of attention at its full size."""
    return merged(full, yaml.safe_load((ROOT / "config" / "attention" / "full.yaml").read_text()))


def windows(experiment: str, **changes: Any) -> dict[str, Any]:
    return {"experiments": {experiment: {"windows": changes}}}


def further(networks: list[str], delays: list[int], **other: Any) -> dict[str, Any]:
    return {"experiments": {"copy": {"further": [{"networks": networks, "delays": delays, **other}]}}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"architectures": ["rnn", "rel_rmn"]}, "'attention.architectures' must be one of .* Got 'rel_rmn'"),
        ({"costs": {"delays": [100, 400, 200]}}, r"'attention.costs.delays' must be increasing. Got \[100, 400, 200\]"),
        (
            {"experiments": {"pixels": {"task": {"source": "mnist.npz"}}}},
            "attention.experiments.pixels: 'task.sha256' must be the SHA-256 of 'mnist.npz', 64 hexadecimal digits",
        ),
        (
            {"experiments": {"pixels": {"networks": {"lstm": {"optimizer": "adam_0.0001_0.00001"}}}}},
            "'optimizers.adam_0.0001_0.00001.orthogonal_learning_rate' must be left out for lstm: of cells, exp_rnn and"
            " goru keep a matrix orthogonal. Got 1e-05",
        ),
        (windows("copy", delays=[200]), r"'.*copy.windows.delays' must be some of \[100\]. Got \[200\]"),
        (
            further(["goru"], [300]),
            r"'attention.experiments.copy.further.0.networks' must be one of orth_rnn, .* Got 'goru'",
        ),
        (
            further(["lstm"], [200, 100]),
            r"'.*copy.further.0.delays' must be none at which 'lstm' is trained already \(\[100\]\). Got \[200, 100\]",
        ),
        (
            further(["lstm"], [100], epochs=200),
            r"'attention.experiments.copy.further.0.epochs' must be more than training.epochs \(200\). Got 200",
        ),
        (
            further(["lstm"], [100], sizes=True),
            r"'.*copy.further.0.networks' must be of cells with screening, rel_rnn and rel_lstm. Got 'lstm'",
        ),
        (
            further(["rel_rnn"], [100], sizes=True, epochs=300),
            r"'.*copy.further.0' must be given epochs or sizes, not both. Got",
        ),
        (
            windows("delayed_sum", networks=["sab"]),
            r"'.*delayed_sum.windows.networks' must be some of .* Got \['sab'\]",
        ),
        (
            windows("delayed_sum", lags=[5, 128]),
            r"attention.experiments.delayed_sum: 'windows.lags' .* below .* \(128\)",
        ),
        (windows("delayed_sum", lags=[6, 7]), r"'windows.lags' must be such that one is of the task .* Got \[6, 7\]"),
        (
            {"experiments": {"denoise": {"learning_rates": [0.01]}}},
            r"'.*denoise.learning_rates' must be left out but for delayed sums .* Got \"denoise in 'attention'\"",
        ),
        (
            {"games": {"frames": 2047}},
            r"'attention.games.frames' must be at least the frames of a rollout, .*2048.* Got 2047",
        ),
        (
            {"games": {"cart_pole": {"frames": 2048}}},
            r"'attention.games.cart_pole.frames' must be at least the frames of a rollout, .*4096.* Got 2048",
        ),
        (
            {"games": {"cart_pole": {"networks": ["rnn"]}}},
            r"'attention.games.cart_pole.networks' must be one of lstm, .* Got 'rnn'",
        ),
        (
            {"games": {"cart_pole": {"optimizer": "adamw_0.003"}}},
            r"'attention.games.cart_pole.optimizer' must be one of .* Got 'adamw_0.003'. Did you mean 'adamw_0.0003'",
        ),
        (
            {"games": {"cart_pole": {"ppo": {"segments": 33}}}},
            r"attention.games.cart_pole.ppo: 'segments' must be at most the segments of a rollout \(32\). Got 33",
        ),
        ({"games": {"networks": {"rel_lsmt": {}}}}, r"'attention.games.networks' must be one of .* Got 'rel_lsmt'"),
        (
            {"games": {"networks": {"lstm": {"top_k": 2}}}},
            r"attention.games.networks.lstm: 'architectures.lstm' must be",
        ),
        (
            {"games": {"networks": {"lstm": {"environments": ["DoorKey-8x8"]}}}},
            r"'attention.games.networks.lstm.environments' must be one of RedBlueDoors-6x6, .* Got 'DoorKey-8x8'",
        ),
    ],
)
def test_what_attention_measures_is_checked(config: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    changed = merged(config, {"attention": changes})
    with pytest.raises(InputError, match=message):
        check(changed)
        check_study(changed, ROOT / "workflow" / "rules")


def test_attention_as_it_is_passes_and_is_needed(full: dict[str, Any], config: dict[str, Any]) -> None:
    rules = ROOT / "workflow" / "rules"
    check(config)
    check_study(config, rules)
    with pytest.raises(InputError, match="'attention' must be given for the study of that name"):
        check_study(full | {"study": "attention"}, rules)


def test_some_networks_are_trained_at_further_delays_and_of_fewer_seeds(config: dict[str, Any]) -> None:
    parts = [
        {"networks": ["lstm", "exp_rnn"], "delays": [200]},
        {"networks": ["exp_rnn"], "delays": [400, 500], "fewer_seeds": 1},
    ]
    networks = {name: {"delays": []} for name in config["attention"]["experiments"]["copy"]["networks"]}
    experiment = {"fewer_seeds": 2, "further": parts, "networks": networks | {"exp_rnn": {}, "sab": {"fewer_seeds": 1}}}
    variant = merged(config, {"attention": {"experiments": {"copy": experiment}}})
    runs = [run for run in by_the_printed_recipe(variant) if run["task"]["name"] == "copy"]
    assert [(run["architecture"], run["task"]["delay"], run["seed"]) for run in runs] == [
        *(("exp_rnn", delay, seed) for delay in (100, 200) for seed in (0, 1)),
        *(("exp_rnn", 400, 0), ("exp_rnn", 500, 0)),
        *(("lstm", 200, 0), ("lstm", 200, 1), ("sab", 100, 0)),
    ]
    assert {run["experiment"] for run in runs} == {f"copy_{delay}" for delay in (100, 200, 400, 500)}


def by_the_printed_recipe(config: dict[str, Any]) -> list[dict[str, Any]]:
    return [run for run in all_runs(config) if BY_RECIPE not in run["experiment"]]


def by_authors_code(full: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    for name in ("full", "authors_code"):
        full = merged(full, yaml.safe_load((ROOT / "config" / "attention" / f"{name}.yaml").read_text()))
    return merged(full, {"attention": {"recipes": {"authors_code": changes}}})


def test_networks_of_a_recipe_are_further_networks_and_change_no_others(
    full: dict[str, Any], config: dict[str, Any]
) -> None:
    variant = by_authors_code(full, {})
    check(variant)
    check_study(variant, ROOT / "workflow" / "rules")
    runs = by_the_printed_recipe(config)
    assert by_the_printed_recipe(variant) == all_runs(variant)[: len(runs)] == runs
    further = all_runs(variant)[len(runs) :]
    assert {run["experiment"] for run in further} == {
        f"{name}_by_authors_code"
        for name in ("copy_100", "copy_200", "copy_300", "copy_500", "denoise_100", "denoise_300")
    }
    (run,) = (
        run
        for run in further
        if (run["experiment"], run["architecture"], run["seed"]) == ("denoise_300_by_authors_code", "rel_lstm", 1)
    )
    assert run["optimizer_settings"] == {"method": "rmsprop", "learning_rate": 0.001}
    assert run["task"] == {
        **{"name": "denoise", "training_sequences": 1000, "validation_sequences": 100, "delay": 300, "unused": 1}
    }
    cell = {"cell": "rel_lstm", "gate_init": 0.5, "mix": "mean", "short_term": 15, "relevant": 15}
    start = run["architecture_settings"].pop("start")
    assert run["architecture_settings"] == cell
    assert start["gates"] == start["alignment_vector"] == start["readout"] == "xavier"
    training = {"epochs": 2000, "batch_size": 10, "gradient_clip": 1.0, "perfect_validations": 5}
    assert training.items() <= run["training"].items()


def test_a_network_of_a_recipe_is_trained_with_one_seed_at_some_delays(config: dict[str, Any]) -> None:
    changes = {"delays": [100], "single_seed_delays": [300, 500], "fewer_seeds": 2}
    recipe = {"attention": {"recipes": {"authors_code": {"denoise": {"networks": {"rel_lstm": changes}}}}}}
    runs = [run for run in all_runs(merged(config, recipe)) if run["experiment"].startswith("denoise_")]
    further = [run for run in runs if BY_RECIPE in run["experiment"] and run["architecture"] == "rel_lstm"]
    assert [(run["task"]["delay"], run["seed"]) for run in further] == [(100, 0), (100, 1), (300, 0), (500, 0)]
    assert not any("single_seed_delays" in run["architecture_settings"] for run in further)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"copied": {"delays": [], "networks": {}}}, "'attention.recipes.authors_code' must be one of copy, denoise"),
        (
            {"copy": {"networks": {"gru": {"optimizer": "adam_0.001"}}}},
            "'attention.recipes.authors_code.copy.networks' must be one of orth_rnn, .* Got 'gru'",
        ),
        (
            {"copy": {"networks": {"lstm": {"optimizer": "adamax"}}}},
            "'attention.recipes.authors_code.copy.networks.lstm.optimizer' must be one of .* Got 'adamax'",
        ),
        (
            {"pixels": {"delays": [100], "networks": {"lstm": {"optimizer": "adam_0.001"}}}},
            "'attention.recipes.authors_code' must be of experiments with delays. Got 'pixels'",
        ),
        (
            {"copy": {"networks": {"lstm": {"start": {"input": "xavier"}}}}},
            "attention.experiments.copy_100_by_authors_code: 'architectures.lstm.start' must be .* Got 'input'",
        ),
        (
            {"denoise": {"networks": {"rel_lstm": {"single_seed_delays": [300]}}}},
            r"networks.rel_lstm.single_seed_delays' must be other delays than those of several seeds .* Got \[300\]",
        ),
    ],
)
def test_recipes_are_checked(full: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_study(by_authors_code(full, changes), ROOT / "workflow" / "rules")


def test_networks_are_trained_once_more_for_longer_and_at_each_size(config: dict[str, Any]) -> None:
    parts = [
        {"networks": ["rel_rnn"], "delays": [100], "epochs": 300, "fewer_seeds": 1},
        {"networks": ["rel_rnn"], "delays": [100], "sizes": True, "fewer_seeds": 1},
    ]
    networks = {name: {"delays": []} for name in config["attention"]["experiments"]["copy"]["networks"]}
    experiment = {"fewer_seeds": 1, "further": parts, "networks": networks | {"rel_rnn": {}}}
    screening = {"sizes": [3, 8], "other": 5}
    variant = merged(config, {"attention": {"experiments": {"copy": experiment}, "screening": screening}})
    first, longer, *variations = [run for run in by_the_printed_recipe(variant) if run["task"]["name"] == "copy"]
    assert longer == first | {
        "experiment": "copy_100_epochs_300",
        "training": first["training"] | {"epochs": 300},
        "windows": None,
    }
    assert [(run["experiment"], run["architecture_settings"]) for run in variations] == [
        (f"copy_100_{setting}_{size}", first["architecture_settings"] | {"relevant": 5, "short_term": 5, setting: size})
        for setting in ("relevant", "short_term")
        for size in (3, 8)
    ]
    assert all(run["training"] == first["training"] and run["windows"] is None for run in variations)


def test_networks_are_trained_at_each_other_learning_rate_as_an_experiment_of_its_own(config: dict[str, Any]) -> None:
    networks = config["attention"]["experiments"]["delayed_sum"]["networks"]
    experiment = {"learning_rates": [0.001, 0.01, 0.03], "fewer_seeds": 3, "rate_seeds": 2}
    variant = merged(config, {"attention": {"experiments": {"delayed_sum": experiment}}})
    runs = [run for run in all_runs(variant) if run["experiment"].startswith("delayed_sum_rate_")]
    assert len(runs) == 2 * 2 * len(networks) and not any(run["windows"] for run in runs)
    assert {(run["experiment"], run["optimizer_settings"]["learning_rate"]) for run in runs} == {
        ("delayed_sum_rate_0.01", 0.01),
        ("delayed_sum_rate_0.03", 0.03),
    }
    first, *_ = [run for run in all_runs(variant) if run["experiment"] == "delayed_sum"]
    common = {key: runs[0][key] for key in first if key not in ("experiment", "optimizer_settings", "windows")}
    assert common.pop("training") == first["training"] | {"keep_diverged": True}
    assert common.items() <= first.items()


def test_agents_are_trained_where_the_paper_has_a_larger_grid(config: dict[str, Any]) -> None:
    assert config["attention"]["games"]["environments"] == list(TESTED_ON)
    check(merged(config, {"attention": {"games": {"environments": list(TESTED_ON)[1:]}}}))
    message = r"'attention.games.environments.0' must be one of RedBlueDoors-6x6, .* Got 'DoorKey-5'. Did you mean 'Doo"
    with pytest.raises(InputError, match=message):
        check(merged(config, {"attention": {"games": {"environments": ["DoorKey-5"]}}}))


def test_agents_of_the_pole_have_the_settings_of_games_but_for_their_own(config: dict[str, Any]) -> None:
    games = {"networks": {"lstm": {"environments": [], "h_detach": 0.5}}, "cart_pole": {"ppo": {"steps": 64}}}
    config = merged(config, {"seeds": [0, 1], "attention": {"games": games | {"units": 5, "fewer_seeds": 1}}})
    agents = [agent for agent in all_agents(config) if agent["architecture"] == "lstm"]
    assert [(agent["game"], agent["seed"]) for agent in agents] == [("CartPole", 0), ("CartPole", 1)]
    settings = agents[0]["settings"]
    assert (settings["units"], settings["architecture"]["h_detach"]) == (5, 0.5)
    cart_pole = config["attention"]["games"]["cart_pole"]
    assert settings["optimizer"] == config["optimizers"][cart_pole["optimizer"]]
    assert settings["head_units"] == cart_pole["head_units"]
    assert settings["frames"] == cart_pole["frames"] != config["attention"]["games"]["frames"]
    assert (
        settings["ppo"] == {**config["attention"]["games"]["ppo"], **cart_pole["ppo"]}
        and settings["ppo"]["steps"] == 64
    )


def test_agents_of_the_pole_have_the_published_settings(config: dict[str, Any]) -> None:
    """The source that `studies.attention.games.cart_pole` names has them in `configs.py` and `trainer.py`."""
    (*_, agent) = all_agents(config)
    settings = agent["settings"]
    assert (agent["game"], settings["units"], settings["head_units"]) == ("CartPole", 64, 128)
    assert settings["optimizer"] == {"method": "adamw", "learning_rate": 3e-4, "weight_decay": 0.01}
    assert settings["frames"] == read_published()["frames"].max()
    ppo = PPOSettings(**settings["ppo"])
    assert (ppo.environments, ppo.steps, ppo.truncation, ppo.epochs) == (16, 256, 8, 4)
    assert ppo.steps == 4 * ppo.truncation * ppo.segments  # 4 mini-batches
    assert (ppo.discount, ppo.trace, ppo.clip, ppo.gradient_clip) == (0.99, 0.95, 0.2, 0.5)
    assert (ppo.entropy, ppo.value, ppo.standardize, ppo.decay) == (0.001, 0.2, True, True)


def test_what_stands_nearer_to_a_network_takes_precedence(config: dict[str, Any]) -> None:
    """Settings of the network in an experiment over those of its architecture, and what a variant changes over both."""
    config["architectures"]["rel_lstm"] |= {"relevant": 7, "short_term": 8, "gate_init": 0.4}
    experiments = config["attention"]["experiments"]
    experiments["denoise"]["networks"]["rel_lstm"] |= {"relevant": 9}
    experiments["delayed_sum"]["training"]["keep_diverged"] = False
    runs = {(run["experiment"], run["architecture"]): run for run in all_runs(config)}

    def kept(experiment: str) -> list[Any]:
        settings = runs[experiment, "rel_lstm"]["architecture_settings"]
        return [settings[name] for name in ("relevant", "short_term", "gate_init", "mix")]

    assert kept("copy_100") == [7, 8, 0.4, "mean"]  # of the architecture, and the mix of the network
    assert kept("denoise_100") == [9, 8, 0.4, "mean"]  # of the network
    assert kept("denoise_100_relevant_3") == [3, 15, 0.4, "mean"]  # of the variant
    assert kept("denoise_100_short_term_25") == [15, 25, 0.4, "mean"]
    assert runs["copy_100_epochs_1000", "rel_lstm"]["training"]["epochs"] == 1000
    assert runs["copy_100", "rel_lstm"]["training"]["epochs"] == 200  # of the experiment
    faster = runs["delayed_sum_rate_0.03", "rnn"]
    assert faster["optimizer_settings"]["learning_rate"] == 0.03 and faster["training"]["keep_diverged"]
    assert runs["delayed_sum", "rnn"]["optimizer_settings"]["learning_rate"] != 0.03
    assert runs["delayed_sum", "rnn"]["network"] == {"hidden_size": 32, "readout_bias": False}
    assert runs["copy_100", "lstm"]["network"]["hidden_size"] == 128
