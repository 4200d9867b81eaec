"""Draw a reservoir and fit its readout: the files that training leaves of a network."""

from job import logged

from learnability.core.provenance import provenance
from learnability.core.store import write_json, write_table
from learnability.networks.weights import write_snapshots, write_weights
from learnability.reservoirs import fit_run

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, dict(snakemake.params.run)
    fitted = fit_run(run, params.root_seed)
    names = {name: run[name] for name in ("experiment", "architecture", "seed")}
    write_weights(fitted.parameters, output.weights, run)
    write_snapshots({0: fitted.start, 1: fitted.parameters}, output.snapshots, run)
    write_table(fitted.curve, output.curve, **names)
    write_json(
        provenance() | run | {"root_seed": params.root_seed, "penalty": fitted.penalty, "engine": "reservoir"},
        output.provenance,
    )
