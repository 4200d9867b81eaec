"""Shares of rates that rise with the lag, in networks as they were trained and as they started."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.core.streams import numpy_generator
from learnability.networks.network import Network
from learnability.networks.weights import read_snapshots, read_weights
from studies.files import Files, file_of_run
from studies.learnability_window.theory.lemmas import network_monotonicity


def make(
    files: Files, runs: Sequence[Mapping[str, Any]], network: Mapping[str, Any], input_size: int, root_seed: int
) -> dict[str, pd.DataFrame]:
    """Table `monotonicity`."""
    tables = []
    for run in runs:
        cell = Network.build(run["architecture_settings"], input_size, **network).cell
        names = {"architecture": run["architecture"], "seed": run["seed"]}
        weights, snapshots = (file_of_run(files[kind], run) for kind in ("weights", "snapshots"))
        for kind, parameters in {"initial": read_snapshots(snapshots)[0], "trained": read_weights(weights)}.items():
            generator = numpy_generator(root_seed, run["seed"], "monotonicity")
            tables.append(network_monotonicity(cell, parameters, generator).assign(**names, weights=kind))
    return as_files({"monotonicity": pd.concat(tables, ignore_index=True)})
