"""Count where rates rise with the lag, in networks as they were trained and as they started."""

from job import logged

import pandas as pd

from learnability.core.store import write_table
from learnability.core.streams import numpy_generator
from learnability.networks.network import Network
from learnability.networks.weights import read_snapshots, read_weights
from named import file_of_run
from studies.learnability_window.theory.lemmas import network_monotonicity

with logged(snakemake):
    params, paths = snakemake.params, snakemake.input
    tables = []
    for run in params.runs:
        cell = Network.build(run["architecture_settings"], params.input_size, **params.network).cell
        names = {"architecture": run["architecture"], "seed": run["seed"]}
        weights, snapshots = (file_of_run(files, run) for files in (paths.weights, paths.snapshots))
        for kind, parameters in {"initial": read_snapshots(snapshots)[0], "trained": read_weights(weights)}.items():
            generator = numpy_generator(params.root_seed, run["seed"], "monotonicity")
            table = network_monotonicity(cell, parameters, generator)
            tables.append(table.assign(**names, weights=kind))
    write_table(pd.concat(tables, ignore_index=True), snakemake.output.table)
