"""Accuracy of a network that is to name the symbol."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import build_task
from studies.files import Files
from studies.recall.measures import accuracy_table


def make(
    files: Files,
    names: Mapping[str, Any],
    architecture: Mapping[str, Any],
    network: Mapping[str, Any],
    task: Mapping[str, Any],
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """Table `accuracy`."""
    seed = int(names["seed"])
    instance = build_task(task, root_seed, seed)
    model = Network.for_task(architecture, instance, **network)
    parameters = read_weights(files["weights"])
    model.check(parameters)
    table = accuracy_table(model, parameters, instance, task["diagnostic_sequences"])
    return as_files({"accuracy": table}, **{**names, "seed": seed})
