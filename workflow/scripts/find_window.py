"""Fit the stable law of the matched statistic, find sample needs, windows and false windows, for each transport."""

from job import logged, run_names
from learnability.readings import Reading
from learnability.store import read_dataset, write_table
from learnability.windowing import find_window

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    for transport, path in snakemake.input.items():
        reading = Reading.of(params.reading, params.window, transport=transport)
        found = find_window(read_dataset(path), reading, params.study, int(run["seed"]))
        found["need"]["task_lag"] = found["need"]["lag"].isin(params.task_lags)
        for kind, table in found.items():
            write_table(table, output[f"{kind}_{transport}"], **run, transport=transport)
