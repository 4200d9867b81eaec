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
    section = config["attention"]
    for name in section["architectures"]:
        known("attention.architectures", name, list(config["architectures"]))
    check_experiments(config)
    experiments, key = section["experiments"], "attention.experiments"
    for name in ("copy", "denoise"):
        require(name in experiments, f"{key}.{name}", "given; without delays it is left out", None)
    for name, experiment in experiments.items():
        task, test_sequences = experiment["task"]["name"], experiment.get("test_sequences")
        answers, requirement = task != "delayed_sum", "given, for its networks answer after training"
        require(test_sequences is not None or not answers, f"{key}.{name}.test_sequences", requirement, test_sequences)
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
        settings = {name: value for name, value in network.items() if name != "environments"}
        architectures = {architecture: config["architectures"][architecture] | settings}
        with within(f"{key}.networks.{architecture}"):
            check_run({**config, "architectures": architectures})
    for architecture in games["cart_pole"]["networks"]:
        known(f"{key}.cart_pole.networks", architecture, list(games["networks"]))
    for games_key, settings in ((key, games), (f"{key}.cart_pole", on_cart_pole(games))):
        known(f"{games_key}.optimizer", settings["optimizer"], list(config["optimizers"]))
        with within(f"{games_key}.ppo"):
            rollout = PPOSettings(**settings["ppo"]).frames
        requirement = f"at least the frames of a rollout, ppo.environments × ppo.steps ({rollout})"
        require(settings["frames"] >= rollout, f"{games_key}.frames", requirement, settings["frames"])
