"""Find which setting changes each headline of a study most: halve and double every one, train and measure again."""

from importlib import import_module

from job import logged

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table, write_text
from learnability.core.variation import ROOT_SEED, other_seeds, vary_headlines
from learnability.report.typeset import as_markdown

with logged(snakemake):
    keep_freed_memory()
    params, output = snakemake.params, snakemake.output
    headlines = import_module(f"studies.{params.study}.headlines")
    table = vary_headlines(
        {**params.settings, ROOT_SEED: params.root_seed},
        lambda settings: headlines.headline_numbers(settings, settings[ROOT_SEED], params.seed),
        headlines.HEADLINES,
        headlines.FACTORS,
        headlines.NOT_VARIED,
        others=other_seeds(params.root_seed),
    )
    write_table(table, output.csv)
    write_text(as_markdown(table), output.md)
