"""Figures of a question, each with the architectures and the rows of tables that it shows."""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from learnability.core.store import read_table
from learnability.report.style import Style, write_figure
from studies.files import Files


def make(
    files: Files, study: str, question: str, shown: Mapping[str, Mapping[str, Any]], style: Mapping[str, Any]
) -> dict[str, Any]:
    """Figures by file."""
    tables = {Path(file).name.partition(".")[0]: read_table(file) for file in files["tables"]}
    draw = import_module(f"studies.{study}.{question}.figure").draw
    figures = {}
    for file, asked in shown.items():
        rows = tables
        for column, values in asked["rows"].items():
            rows = {
                name: table[table[column].isin(values)] if column in table else table for name, table in rows.items()
            }
        figure = draw(rows, Style(**style, architectures=asked["architectures"]))
        figures[file] = partial(write_figure, figure)
    return figures
