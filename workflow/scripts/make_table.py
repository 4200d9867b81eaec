"""Write one table as CSV, Markdown and LaTeX."""

from job import logged
from learnability.core.store import read_tables, write_table, write_text
from learnability.report.typeset import as_latex, as_markdown
from studies.learnability_window.tables import NOTES, TABLES

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    parts = [read_tables(paths) for _, paths in snakemake.input.items()]
    table = TABLES[params.table](*parts, params.labels)
    write_table(table, output.csv)
    notes = NOTES[params.table](table) if params.table in NOTES else []
    write_text(as_markdown(table, notes), output.md)
    write_text(as_latex(table), output.tex)
