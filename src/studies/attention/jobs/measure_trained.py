"""Answers of one trained network, its attention, and gradients that arrive in it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import build_task
from studies.attention.trained import measure
from studies.files import Files


def make(
    files: Files, names: Mapping[str, str], run: Mapping[str, Any], root_seed: int, **arguments: Any
) -> dict[str, pd.DataFrame]:
    """Tables by kind; `arguments` are further ones of `studies.attention.trained.measure`."""
    task = build_task(run["task"], root_seed, run["seed"])
    network = Network.for_task(run["architecture_settings"], task, **run["network"])
    tables = measure(network, read_weights(files["weights"]), task, run, **arguments)
    return as_files(tables, **{name: run[name] for name in ("experiment", "architecture", "seed")})
