"""Compute what the paper's appendix states, as CSV and as pages."""

from job import logged

from learnability.core.store import write_table, write_text
from learnability.report.typeset import as_markdown
from named import file_of
from studies.attention.theory_tables import tabulate

with logged(snakemake):
    output = snakemake.output
    tables = tabulate(snakemake.params.root_seed)
    for name, table in tables.items():
        write_table(table, output[name])
        write_text(as_markdown(table), file_of(output.pages, f"theory_{name}.md"))
