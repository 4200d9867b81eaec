"""Tune a cell at a task, train it afresh at its best rate, and look at it."""

from job import logged

import pandas as pd

from learnability.core.store import write_table
from learnability.windows.readings import Reading
from studies.comparison.races import Runner, compete, size_up, tune
from studies.comparison.settings import Race

with logged(snakemake):
    params, output, names = snakemake.params, snakemake.output, dict(snakemake.wildcards)
    runner = Runner(params.architecture, params.task, Race(**params.race), params.root_seed)
    tried, rate = tune(runner)
    write_table(tried.assign(chosen=tried["rate"] == rate), output.tried, **names)
    for name, table in compete(runner, rate, Reading.of(params.reading, params.window)).items():
        write_table(table, output[name], **names)
    write_table(pd.DataFrame([size_up(runner)]), output.sizes, **names)
