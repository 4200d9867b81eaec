"""Draw one figure from the tables that the rule names."""

from importlib import import_module

from job import logged
from learnability.figures.style import Style, write_figure
from learnability.store import read_tables

with logged(snakemake):
    draw = import_module(f"learnability.figures.{snakemake.params.module}").draw
    tables = {name: read_tables(paths) for name, paths in snakemake.input.items()}
    figure = draw(tables, Style(**snakemake.params.style))
    write_figure(figure, *snakemake.output)
