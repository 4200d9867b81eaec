"""Windows of a frozen network as each reading has them, with each option changed alone, and with some crossed."""

from job import logged

import pandas as pd

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.frozen import load_frozen
from learnability.transport import choose_engine
from learnability.windows.sensitivity import Sensitivity
from named import run_names

with logged(snakemake):
    keep_freed_memory()
    params, run = snakemake.params, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    sensitivity = Sensitivity(
        frozen=frozen,
        lags=params.lags,
        further_lags=params.further_lags,
        window=params.window,
        base_rate=params.learning_rate,
        root_seed=params.root_seed,
        seed=int(run["seed"]),
        engine=choose_engine(params.engine, frozen.network.cell, params.precision),
    )
    tables: dict[str, list[pd.DataFrame]] = {"changes": [], "crossed": []}
    for name, reading in params.readings.items():
        for kind, table in zip(tables, sensitivity.vary(reading), strict=True):
            tables[kind].append(table.assign(reading=name))
    for kind, parts in tables.items():
        write_table(pd.concat(parts, ignore_index=True), snakemake.output[kind], **run, role=params.role)
