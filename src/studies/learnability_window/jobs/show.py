"""Figures and tables of one group, all from the same measurements."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from learnability.core.manifest import digest_table
from learnability.core.store import read_tables
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_latex, as_markdown
from studies.files import Files
from studies.learnability_window.tables import TABLES, notes
from studies.learnability_window.views import tables_of

Specs = Sequence[Mapping[str, Any]]


def make(
    files: Files,
    figures: Specs,
    tables: Specs,
    readings: Mapping[str, Mapping[str, Any]],
    style: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, Any]]:
    """Figures as PNG and PDF, each drawn when the one before is written; tables as CSV, Markdown and LaTeX.

    Args:
        names: the `reading` where there is one, which `readings` has alone.
    """
    by_kind = {kind: read_tables(paths) for kind, paths in files.items()}
    select_tables = partial(tables_of, tables=by_kind, readings=readings)
    # a module is imported before any figure is drawn: lines of its legend take defaults that a figure changes
    modules = [f"studies.learnability_window.{figure['question']}.figures.{figure['module']}" for figure in figures]
    drawers = [import_module(module).draw for module in modules]
    for figure, draw in zip(figures, drawers, strict=True):
        of_figure = {"architectures": figure["architectures"], "roles": figure["roles"], "question": figure["title"]}
        figure_style = Style(**style, **of_figure)
        rows = figure_style.chosen(select_tables(figure))
        picture, sources = draw(rows, figure_style), {name: digest_table(table) for name, table in rows.items()}
        write = partial(write_figure, picture, sources=sources)
        yield from ((f"{figure['name']}.{kind}", write) for kind in ("png", "pdf"))
    for request in tables:
        name = request["name"]
        table = TABLES[name](*select_tables(request).values(), style["labels"], **request["settings"])
        page = as_markdown(table, notes(name, table))
        yield from {f"{name}.csv": table, f"{name}.md": page, f"{name}.tex": as_latex(table)}.items()
