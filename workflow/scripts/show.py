"""Draw the figures and make the tables that the rule names, all from the same measurements."""

from functools import partial
from importlib import import_module

from job import logged

from learnability.core.store import read_tables, write_table, write_text
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_latex, as_markdown
from named import file_of

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    study = f"studies.{params.study}"
    made, views = import_module(f"{study}.tables"), import_module(f"{study}.views")
    measured = {kind: read_tables(paths) for kind, paths in snakemake.input.items()}
    tables_of = partial(views.tables_of, tables=measured, readings=params.readings)
    for figure in params.figures:
        files = [file_of(output[kind], f"{figure['name']}.{kind}") for kind in ("pdf", "png")]
        style = Style(**params.style, architectures=figure["architectures"], roles=figure["roles"])
        draw = import_module(f"{study}.{figure['question']}.figures.{figure['module']}").draw
        write_figure(draw(style.chosen(tables_of(figure)), style), *files)
    for asked in params.tables:
        csv, md, tex = (file_of(output[kind], f"{asked['name']}.{kind}") for kind in ("csv", "md", "tex"))
        given = tables_of(asked).values()
        table = made.TABLES[asked["name"]](*given, params.style["labels"], **asked["settings"])
        write_table(table, csv)
        write_text(as_markdown(table, made.notes(asked["name"], table)), md)
        write_text(as_latex(table), tex)
