"""Draw a figure from the tables that the rule names, for each list of architectures."""

from importlib import import_module

from job import logged
from learnability.core.store import read_tables
from learnability.report.style import Style, write_figure

with logged(snakemake):
    draw = import_module(f"studies.learnability_window.figures.{snakemake.params.module}").draw
    tables = {name: read_tables(paths) for name, paths in snakemake.input.items()}
    output = snakemake.output
    for architectures, pdf, png in zip(snakemake.params.architectures, output.pdf, output.png, strict=True):
        style = Style(**snakemake.params.style, architectures=architectures)
        write_figure(draw(style.chosen(tables), style), pdf, png)
