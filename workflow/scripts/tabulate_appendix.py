"""Make the table of an appendix from tables of runs, as CSV and Markdown."""

from importlib import import_module

from job import logged
from learnability.core.store import read_tables, write_table, write_text
from learnability.report.typeset import as_markdown

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    module = import_module(f"studies.learnability_window.theory.{params.module}")
    table = module.tabulate({name: read_tables(paths) for name, paths in snakemake.input.items()})
    write_table(table, output.csv)
    write_text(as_markdown(table), output.md)
