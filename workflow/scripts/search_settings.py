"""Find which setting changes each headline most: halve and double every one, train and measure again."""

from job import logged
from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table, write_text
from learnability.report.typeset import as_markdown
from studies.learnability_window.headlines import search

with logged(snakemake):
    keep_freed_memory()
    params, output = snakemake.params, snakemake.output
    table = search(params.settings, params.root_seed, params.seed)
    write_table(table, output.csv)
    write_text(as_markdown(table), output.md)
