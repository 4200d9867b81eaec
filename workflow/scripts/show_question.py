"""Draw the figures of a question, each with the architectures and the rows of tables that it shows."""

from importlib import import_module
from pathlib import Path

from job import logged

from learnability.core.store import read_table
from learnability.report.style import Style, write_figure
from named import file_of

with logged(snakemake):
    params = snakemake.params
    tables = {Path(file).name.partition(".")[0]: read_table(file) for file in snakemake.input}
    draw = import_module(f"studies.{params.study}.{params.question}.figure").draw
    for file, shown in params.shown.items():
        own = tables
        for column, values in shown["rows"].items():
            own = {name: each[each[column].isin(values)] if column in each else each for name, each in own.items()}
        figure = draw(own, Style(**params.style, architectures=shown["architectures"]))
        write_figure(figure, file_of(snakemake.output, file))
