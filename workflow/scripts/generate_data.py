"""Write the sequences of each split that the rule names."""

import xarray as xr

from job import logged
from learnability.store import write_dataset
from learnability.tasks import DelayedSum

with logged(snakemake):
    task = DelayedSum(**snakemake.params.task, study=snakemake.params.study, seed=int(snakemake.wildcards.seed))
    for split, count in snakemake.params.counts.items():
        inputs, targets = task.generate(split, count)
        sequences = {"inputs": (("sequence", "time", "input"), inputs), "targets": (("sequence", "time"), targets)}
        write_dataset(xr.Dataset(sequences), snakemake.output[split], snakemake.params.task)
