"""Write Table 1 as CSV, Markdown and LaTeX."""

from job import logged
from learnability.store import read_tables, write_table, write_text
from learnability.tables import as_latex, as_markdown, decay_fits

with logged(snakemake):
    table = decay_fits(read_tables(snakemake.input.fits), snakemake.params.labels)
    write_table(table, snakemake.output.csv)
    write_text(as_markdown(table), snakemake.output.md)
    write_text(as_latex(table), snakemake.output.tex)
