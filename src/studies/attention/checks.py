"""Checks of settings of the study with the rest of the configuration."""

from collections.abc import Mapping
from typing import Any

from learnability.core.errors import require
from learnability.reinforcement.settings import PPOSettings
from studies.settings.checks import check_experiments, check_run
from studies.settings.refusals import known, within
from studies.settings.runs import on_cart_pole


def check(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting that networks cannot be trained or measured with."""
    asked = config["attention"]
    for name in asked["architectures"]:
        known("attention.architectures", name, list(config["architectures"]))
    check_experiments(config)
    experiments, key = asked["experiments"], "attention.experiments"
    for name in ("copy", "denoise"):
        require(name in experiments, f"{key}.{name}", "given; without delays it is left out", None)
    for name, experiment in experiments.items():
        task, given = experiment["task"]["name"], experiment.get("test_sequences")
        answers, requirement = task != "delayed_sum", "given, for its networks answer after training"
        require(given is not None or not answers, f"{key}.{name}.test_sequences", requirement, given)
        fits = not answers or "learning_rates" not in experiment
        requirement = "left out but for delayed sums in the study 'attention'"
        require(fits, f"{key}.{name}.learning_rates", requirement, f"{task} in 'attention'")
    _check_games(config)


def _check_games(config: Mapping[str, Any]) -> None:
    games, key = config["attention"]["games"], "attention.games"
    for architecture, network in games["networks"].items():
        known(f"{key}.networks", architecture, list(config["architectures"]))
        for environment in network.get("environments", []):
            known(f"{key}.networks.{architecture}.environments", environment, games["environments"])
        own = {name: value for name, value in network.items() if name != "environments"}
        changed = {architecture: config["architectures"][architecture] | own}
        with within(f"{key}.networks.{architecture}"):
            check_run({**config, "architectures": changed})
    for architecture in games["cart_pole"]["networks"]:
        known(f"{key}.cart_pole.networks", architecture, list(games["networks"]))
    for of_games, own in ((key, games), (f"{key}.cart_pole", on_cart_pole(games))):
        known(f"{of_games}.optimizer", own["optimizer"], list(config["optimizers"]))
        with within(f"{of_games}.ppo"):
            rollout = PPOSettings(**own["ppo"]).frames
        requirement = f"at least those of a rollout, ppo.environments × ppo.steps ({rollout})"
        require(own["frames"] >= rollout, f"{of_games}.frames", requirement, own["frames"])
