"""Fit the stable law of the matched statistic, find sample needs and windows, for each kind of transport."""

from job import logged, run_names
from learnability.detection import DetectionOptions, learnability_window, sample_need
from learnability.noise import NoiseOptions, fit_noise
from learnability.store import read_dataset, write_table

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    options = DetectionOptions(**params.detection, **params.window)
    for transport, path in snakemake.input.items():
        noise = fit_noise(read_dataset(path), NoiseOptions(**params.noise))
        need = sample_need(noise, options)
        tables = {"noise": noise, "need": need, "window": learnability_window(need, options)}
        for kind, table in tables.items():
            write_table(table, output[f"{kind}_{transport}"], **run, transport=transport)
