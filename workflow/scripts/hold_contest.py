"""Find N₅₀ of all settings, hold the contest, and tabulate both."""

from job import logged

from learnability.core.store import read_tables, write_table, write_text
from learnability.report.typeset import as_markdown
from named import file_of
from studies.ground_truth.tables import tabulate

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    trials, candidates = read_tables(snakemake.input.trials), read_tables(snakemake.input.candidates)
    write_table(trials, output.trials)
    write_table(candidates, output.candidates)
    for name, table in tabulate(trials, candidates, params.contest, params.durations, params.root_seed).items():
        write_table(table, output[name])
        write_text(as_markdown(table), file_of(output.pages, f"{name}.md"))
