"""Tabulate what is measured of networks and agents, and draw the figures of all questions."""

from importlib import import_module

from job import logged

from learnability.core.store import read_tables, write_table, write_text
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_markdown
from named import file_of

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    measured = {
        kind: read_tables([files] if isinstance(files, str) else files) for kind, files in snakemake.input.items()
    }
    made = [import_module(module).tabulate(measured, params.settings) for module in params.tabulated]
    tables = {name: table for each in made for name, table in each.items()}
    for name, table in tables.items():
        write_table(table, output[name])
        write_text(as_markdown(table), file_of(output.pages, f"{name}.md"))
    style = Style(**params.style, architectures=params.architectures)
    for name, module in params.figures.items():
        figure = import_module(module).draw(measured | tables, style)
        write_figure(figure, file_of(output.figures, f"{name}.png"))
