"""Measure gradients on the paths of N = ∞ of all seeds."""

from job import logged

import pandas as pd

from learnability.core.store import write_table
from learnability.networks.weights import read_snapshots
from learnability.transport import choose_engine
from learnability.windows.readings import Reading
from named import file_of
from studies.ground_truth.candidates import measure_candidates
from studies.ground_truth.trials import prepare_trials

with logged(snakemake):
    params, names = snakemake.params, snakemake.wildcards
    found = []
    for seed in params.seeds:
        path = read_snapshots(file_of(snakemake.input.paths, f"seed{seed}.path.safetensors"))
        frozen, task = prepare_trials(**params.prepared, seed=seed)
        candidates = measure_candidates(
            frozen=frozen,
            path=path,
            task=task,
            own_gradient=Reading.of(params.own_gradient, params.window),
            readings={name: Reading.of(parts, params.window) for name, parts in params.readings.items()},
            lags=params.prepared["task"]["lags"],
            batch_size=params.batch_size,
            root_seed=params.prepared["root_seed"],
            seed=seed,
            engine=choose_engine(params.engine, frozen.network.cell, params.precision),
        )
        found.append(candidates.assign(seed=seed, parameters=frozen.network.count_parameters()))
    of_setting = {"grid": names.grid, "architecture": names.architecture}
    write_table(pd.concat(found), snakemake.output.candidates, **of_setting)
