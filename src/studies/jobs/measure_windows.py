"""Laws, sample complexities, windows and false windows of a frozen network, by each reading and transport."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.frozen import load_frozen
from learnability.tasks import build_task
from learnability.transport import choose_engine
from learnability.windows.echoes import granted_targets
from learnability.windows.readings import Reading
from learnability.windows.windowing import measure_windows
from studies.files import Files


def make(
    files: Files,
    names: Mapping[str, Any],
    architecture: Mapping[str, Any],
    network: Mapping[str, Any],
    task: Mapping[str, Any],
    lags: Sequence[int],
    further_lags: Sequence[int],
    engine: str,
    precision: str,
    learning_rate: float,
    readings: Mapping[str, Mapping[str, Any]],
    window: Mapping[str, Any],
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """Tables by kind."""
    run = {**names, "seed": int(names["seed"])}
    frozen = load_frozen(files["weights"], files["diagnostic"], architecture, network)
    backend = choose_engine(engine, frozen.network.cell, precision)
    run_task = build_task(task, root_seed, run["seed"])
    tables = measure_windows(
        frozen=frozen,
        granted=granted_targets(frozen, run_task, backend),
        readings={name: Reading.of(parts, window) for name, parts in readings.items()},
        lags=lags,
        further_lags=further_lags,
        base_rate=learning_rate,
        root_seed=root_seed,
        seed=run["seed"],
        engine=backend,
    )
    tables["sample_complexity"]["task_lag"] = tables["sample_complexity"]["lag"].isin(list(run_task.dependencies))
    return as_files(tables, **run)
