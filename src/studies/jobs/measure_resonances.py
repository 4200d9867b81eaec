"""Resonances of a network at every stored epoch of a training, and which are harmonics of the task's lags."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.frozen import load_frozen
from learnability.networks.weights import read_snapshots
from learnability.tasks import build_task
from learnability.windows.resonances import measure_resonances
from studies.files import Files


def make(
    files: Files,
    names: Mapping[str, Any],
    architecture: Mapping[str, Any],
    network: Mapping[str, Any],
    task: Mapping[str, Any],
    sequences: int,
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """Tables by kind."""
    run = {**names, "seed": int(names["seed"])}
    frozen = load_frozen(files["weights"], files["diagnostic"], architecture, network)
    run_task = build_task(task, root_seed, run["seed"])
    tables = measure_resonances(frozen.first(sequences), read_snapshots(files["snapshots"]), run_task)
    return as_files(tables, **run)
