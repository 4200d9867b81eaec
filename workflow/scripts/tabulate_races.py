"""Put the tables of all races together, and answer from them."""

from pathlib import Path

from job import logged

from learnability.core.store import read_tables, write_table, write_text
from learnability.report.typeset import as_markdown
from named import file_of
from studies.comparison.tables import tabulate

with logged(snakemake):
    params, given, output = snakemake.params, snakemake.input, snakemake.output
    runs = {Path(file).name.partition(".")[0]: file for file in output.runs}
    races = {kind: read_tables(given[kind]) for kind in runs}
    for kind, file in runs.items():
        write_table(races[kind], file)
    for name, table in tabulate(races, params.families, params.trained_on, params.root_seed).items():
        write_table(table, output[name])
        write_text(as_markdown(table), file_of(output.pages, f"{name}.md"))
