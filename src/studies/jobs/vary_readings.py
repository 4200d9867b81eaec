"""Windows of a frozen network as each reading has them, with each option changed alone, and with some crossed."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.frozen import load_frozen
from learnability.transport import choose_engine
from learnability.windows.sensitivity import Sensitivity
from studies.files import Files


def make(
    files: Files,
    names: Mapping[str, Any],
    architecture: Mapping[str, Any],
    network: Mapping[str, Any],
    lags: Sequence[int],
    further_lags: Sequence[int],
    engine: str,
    precision: str,
    learning_rate: float,
    readings: Mapping[str, Mapping[str, Any]],
    window: Mapping[str, Any],
    role: str,
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """Tables `changes` and `crossed`."""
    run = {**names, "seed": int(names["seed"])}
    frozen = load_frozen(files["weights"], files["diagnostic"], architecture, network)
    sensitivity = Sensitivity(
        frozen=frozen,
        lags=lags,
        further_lags=further_lags,
        window=window,
        base_rate=learning_rate,
        root_seed=root_seed,
        seed=run["seed"],
        engine=choose_engine(engine, frozen.network.cell, precision),
    )
    tables: dict[str, list[pd.DataFrame]] = {"changes": [], "crossed": []}
    for name, reading in readings.items():
        for kind, table in zip(tables, sensitivity.vary(reading), strict=True):
            tables[kind].append(table.assign(reading=name))
    results = {kind: pd.concat(parts, ignore_index=True) for kind, parts in tables.items()}
    return as_files(results, **run, role=role)
