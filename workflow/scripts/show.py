"""Draw the figures and make the tables that the rule names, all from the same measurements."""

from importlib import import_module

from job import logged
from learnability.core.store import read_tables, write_table, write_text
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_latex, as_markdown

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    study = f"studies.{params.study}"
    views, made = import_module(f"{study}.views"), import_module(f"{study}.tables")
    measured = {kind: read_tables(paths) for kind, paths in snakemake.input.items()}

    def tables(asked):
        """What a figure or a table is made of."""
        views_of = {name: views.view(kind, measured, params.readings) for name, kind in asked["of"].items()}
        kept = {"optimizer": [asked["optimizer"]], "architecture": asked["members"]}
        for column, values in kept.items():
            if values and any(values):
                views_of = {name: t[t[column].isin(values)] if column in t else t for name, t in views_of.items()}
        return views_of

    for figure, pdf, png in zip(params.figures, output.get("pdf", []), output.get("png", []), strict=True):
        style = Style(**params.style, architectures=figure["architectures"])
        draw = import_module(f"{study}.figures.{figure['module']}").draw
        write_figure(draw(style.chosen(tables(figure)), style), pdf, png)
    for table, csv, md, tex in zip(params.tables, *(output.get(kind, []) for kind in ("csv", "md", "tex")), strict=True):
        found = made.TABLES[table["name"]](*tables(table).values(), params.style["labels"])
        write_table(found, csv)
        write_text(as_markdown(found, made.notes(table["name"], found)), md)
        write_text(as_latex(found), tex)
