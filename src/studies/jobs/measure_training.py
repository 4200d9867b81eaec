"""Measurements of gradients and of what is learned, at every stored epoch of a training."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.frozen import load_frozen
from learnability.networks.weights import read_snapshots
from learnability.tasks import build_task
from learnability.transport import choose_engine
from learnability.windows.readings import Reading
from learnability.windows.through_training import measure_training
from studies.files import Files


def make(
    files: Files,
    names: Mapping[str, Any],
    architecture: Mapping[str, Any],
    network: Mapping[str, Any],
    task: Mapping[str, Any],
    lags: Sequence[int],
    engine: str,
    precision: str,
    reading: Mapping[str, Any],
    sequences: int,
    window: Mapping[str, Any],
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """Tables by kind."""
    run = {**names, "seed": int(names["seed"])}
    frozen = load_frozen(files["weights"], files["diagnostic"], architecture, network)
    tables = measure_training(
        frozen=frozen.first(sequences),
        snapshots=read_snapshots(files["snapshots"]),
        task=build_task(task, root_seed, run["seed"]),
        reading=Reading.of(reading, window),
        lags=lags,
        root_seed=root_seed,
        seed=run["seed"],
        engine=choose_engine(engine, frozen.network.cell, precision),
    )
    return as_files(tables, **run)
