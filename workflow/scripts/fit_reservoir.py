"""Draw a reservoir and fit its readout: the files that training leaves of a network."""

import pandas as pd

from job import logged
from learnability.core.provenance import provenance
from learnability.core.store import write_json, write_table
from learnability.networks.weights import write_snapshots, write_weights
from learnability.reservoirs import draw_reservoir, fit_network
from learnability.tasks import build_task

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, dict(snakemake.params.run)
    settings, streams = dict(run["reservoir"]), (params.root_seed, run["seed"])
    penalties, washout = settings.pop("penalties"), settings.pop("washout")
    task = build_task(run["task"], *streams)
    reservoir = draw_reservoir(settings.pop("units"), task.input_size, *streams, **settings)
    training, validation = (
        task.generate(split, run["task"][f"{split}_sequences"]) for split in ("training", "validation")
    )
    fitted = fit_network(reservoir, training, validation, penalties, washout, *streams)
    names = {name: run[name] for name in ("experiment", "architecture", "seed")}
    losses = {"training_loss": [fitted.training_loss], "validation_loss": [fitted.validation_loss]}
    write_weights(fitted.parameters, output.weights, run)
    write_snapshots({0: fitted.start, 1: fitted.parameters}, output.snapshots, run)
    write_table(pd.DataFrame({"epoch": [1], **losses}), output.curve, **names)
    write_json(
        provenance() | run | {"root_seed": params.root_seed, "penalty": fitted.penalty, "engine": "reservoir"},
        output.provenance,
    )
