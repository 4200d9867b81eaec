"""List how networks are trained, beside what the paper prints."""

from job import logged

from learnability.core.store import write_table, write_text
from learnability.report.typeset import as_markdown
from studies.attention.hyperparameters import tabulate

with logged(snakemake):
    table = tabulate(snakemake.params.runs)
    write_table(table, snakemake.output.csv)
    write_text(as_markdown(table), snakemake.output.md)
