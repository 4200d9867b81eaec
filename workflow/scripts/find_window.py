"""Fit the stable law of the matched statistic, find sample needs and windows, for each kind of transport."""

from job import logged, run_names
from learnability.bootstrap import family_wise_bound
from learnability.detection import learnability_window, sample_need
from learnability.noise import fit_noise
from learnability.readings import DetectionOptions, NoiseOptions
from learnability.store import read_dataset, write_table
from learnability.streams import numpy_generator

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    options = DetectionOptions(**params.detection, **params.window)
    for transport, path in snakemake.input.items():
        statistic = read_dataset(path)
        noise = fit_noise(statistic, NoiseOptions(**params.noise))
        if options.family_wise:
            generator = numpy_generator(params.study, int(run["seed"]), "bootstrap")
            noise["lower"] = family_wise_bound(statistic, options.family_wise, options.bootstrap_draws, generator)
        need = sample_need(noise, options)
        tables = {"noise": noise, "need": need, "window": learnability_window(need, options)}
        for kind, table in tables.items():
            write_table(table, output[f"{kind}_{transport}"], **run, transport=transport)
