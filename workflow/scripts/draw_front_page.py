"""Draw the picture of the front page from stored tables."""

from job import logged

from learnability.core.store import read_table
from learnability.report.style import write_figure
from studies.front_page.picture import draw

with logged(snakemake):
    tables = {name: read_table(path) for name, path in snakemake.input.items()}
    write_figure(draw(**tables), snakemake.output.picture)
