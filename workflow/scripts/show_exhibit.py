"""Draw the figure of an exhibit of the lecture."""

from importlib import import_module
from pathlib import Path

from job import logged

from learnability.core.store import read_table
from learnability.report.style import Style, write_figure

with logged(snakemake):
    params = snakemake.params
    tables = {Path(file).stem: read_table(file) for file in snakemake.input.tables}
    style = Style(**params.style, architectures=params.architectures)
    figure = import_module(f"studies.gated.{params.exhibit}.figure").draw(tables, style)
    write_figure(figure, snakemake.output.figure)
