"""Figures of a question, each with the architectures and the rows of tables that it shows."""

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from learnability.core.manifest import digest_table
from learnability.core.store import read_by_name, read_tables
from learnability.report.style import Style, write_figure
from studies.files import Files


def make(files: Files, shown: Mapping[str, Mapping[str, Any]], style: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Figures by file, each drawn when the one before is written.

    Args:
        files: `tables`, each known by the name of its file, and measurements, known by their kind.
        shown: of each figure the `module` that draws it, its `architectures`, the `rows` that it has of a table by a
            column, and the names `of` tables where it has not all.
    """
    tables = {kind: read_tables(paths) for kind, paths in files.items() if kind != "tables"}
    tables |= read_by_name(files["tables"])
    # a module is imported before any figure is drawn: lines of its legend take defaults that a figure changes
    modules = {file: import_module(figure["module"]) for file, figure in shown.items()}
    for file, figure in shown.items():
        rows = {name: tables[name] for name in figure.get("of", tables) if name in tables}
        sources = {name: digest_table(table) for name, table in rows.items()}
        for column, values in figure["rows"].items():
            rows = {
                name: table[table[column].isin(values)] if column in table else table for name, table in rows.items()
            }
        picture = modules[file].draw(rows, Style(**style, architectures=figure["architectures"]))
        yield file, partial(write_figure, picture, sources=sources)
