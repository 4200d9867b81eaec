"""Fit the stable law of the matched statistic, find sample needs, windows and false windows, for each transport."""

from job import logged, run_names
from learnability.detection import learnability_window, sample_need
from learnability.noise import fit_noise
from learnability.readings import DetectionOptions, NoiseOptions, StatisticOptions
from learnability.sign_flips import family_wise_bound, null_control
from learnability.store import read_dataset, write_table
from learnability.streams import numpy_generator

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    law, detection = NoiseOptions(**params.noise), DetectionOptions(**params.detection, **params.window)
    for transport, path in snakemake.input.items():
        options = StatisticOptions(**{**params.statistic, "transport": transport})
        statistic = read_dataset(path)
        generator = numpy_generator(params.study, int(run["seed"]), "sign flips")
        noise = fit_noise(statistic, law)
        if detection.family_wise:
            noise["lower"] = family_wise_bound(statistic, options, detection.family_wise, detection.flips, generator)
        need = sample_need(noise, detection)
        tables = {
            "noise": noise,
            "need": need,
            "window": learnability_window(need, detection),
            "null": null_control(statistic, options, law, detection, generator),
        }
        for kind, table in tables.items():
            write_table(table, output[f"{kind}_{transport}"], **run, transport=transport)
