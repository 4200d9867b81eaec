"""Find which setting changes each headline of a study most: halve and double every one, train and measure again."""

from functools import partial
from importlib import import_module

from job import logged
from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table, write_text
from learnability.core.variation import vary_headlines
from learnability.report.typeset import as_markdown

with logged(snakemake):
    keep_freed_memory()
    params, output = snakemake.params, snakemake.output
    headlines = import_module(f"studies.{params.study}.headlines")
    numbers = partial(headlines.headline_numbers, root_seed=params.root_seed, seed=params.seed)
    table = vary_headlines(params.settings, numbers, headlines.HEADLINES, headlines.FACTORS, headlines.NOT_VARIED)
    write_table(table, output.csv)
    write_text(as_markdown(table), output.md)
