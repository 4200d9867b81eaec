"""Gradients on the paths of N = ∞ of all seeds."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.weights import read_snapshots
from learnability.transport import choose_engine
from learnability.windows.readings import Reading
from studies.files import Files, file_of
from studies.ground_truth.candidates import measure_candidates
from studies.ground_truth.trials import prepare_trials


def make(
    files: Files,
    names: Mapping[str, str],
    prepared: Mapping[str, Any],
    own_gradient: Mapping[str, Any],
    readings: Mapping[str, Mapping[str, Any]],
    window: Mapping[str, Any],
    seeds: Sequence[int],
    batch_size: int,
    engine: str,
    precision: str,
) -> dict[str, pd.DataFrame]:
    """The table of candidates."""
    tables = []
    for seed in seeds:
        path = read_snapshots(file_of(files["paths"], f"seed{seed}.path.safetensors"))
        frozen, task = prepare_trials(**prepared, seed=seed)
        candidates = measure_candidates(
            frozen=frozen,
            path=path,
            task=task,
            own_gradient=Reading.of(own_gradient, window),
            readings={name: Reading.of(parts, window) for name, parts in readings.items()},
            lags=prepared["task"]["lags"],
            batch_size=batch_size,
            root_seed=prepared["root_seed"],
            seed=seed,
            engine=choose_engine(engine, frozen.network.cell, precision),
        )
        tables.append(candidates.assign(seed=seed, parameters=frozen.network.count_parameters()))
    return as_files({"candidates": pd.concat(tables)}, grid=names["grid"], architecture=names["architecture"])
