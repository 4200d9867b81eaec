"""Networks of a search, each trained once for all numbers that are read from it."""

from collections.abc import Mapping
from functools import lru_cache
from json import dumps, loads
from typing import Any, NamedTuple

import pandas as pd

from learnability.cells import Parameters
from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training import train_run

MOST_KEPT = 512
"""Networks that are remembered."""


class Model(NamedTuple):
    """A trained network.

    Args:
        parameters: float64.
        snapshots: by epoch.
        task: of its run.
    """

    network: Network
    parameters: Parameters
    curve: pd.DataFrame
    snapshots: dict[int, Parameters]
    task: Any


def train(run: Mapping[str, Any], root_seed: int, seed: int) -> Model:
    """The network of a run, as of `learnability.training.train_run`, but for its names.

    Raises:
        InputError: for settings that something refuses.
    """
    parts = ("architecture_settings", "optimizer_settings", "task", "network", "training")
    return _train(dumps({name: run[name] for name in parts}, sort_keys=True), root_seed, seed)


@lru_cache(MOST_KEPT)
def _train(text: str, root_seed: int, seed: int) -> Model:
    run = loads(text) | {"architecture": "network", "optimizer": "optimizer", "seed": seed}
    network, training = train_run(run, root_seed)
    snapshots = {epoch: _double(parameters) for epoch, parameters in training.snapshots.items()}
    task = build_task(run["task"], root_seed, seed)
    return Model(network, _double(training.parameters), training.curve, snapshots, task)


def _double(parameters: Parameters) -> Parameters:
    return {name: tensor.double() for name, tensor in parameters.items()}
