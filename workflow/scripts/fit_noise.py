"""Fit the stable law of the matched statistic at each lag."""

from job import logged, run_names
from learnability.noise import NoiseOptions, fit_noise
from learnability.store import read_dataset, write_table

with logged(snakemake):
    table = fit_noise(read_dataset(snakemake.input.statistic), NoiseOptions(**snakemake.params.noise))
    write_table(table, snakemake.output.noise, **run_names(snakemake))
