"""Figures of a question, each with the architectures and the rows of tables that it shows."""

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from learnability.core.manifest import digest
from learnability.core.store import read_table
from learnability.report.style import Style, write_figure
from studies.files import Files


def make(
    files: Files, study: str, question: str, shown: Mapping[str, Mapping[str, Any]], style: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Figures by file, each drawn when the one before is written."""
    names = {file: Path(file).name.partition(".")[0] for file in files["tables"]}
    tables = {name: read_table(file) for file, name in names.items()}
    sources = {name: digest(Path(file)) for file, name in names.items()}
    draw = import_module(f"studies.{study}.{question}.figure").draw
    for file, settings in shown.items():
        rows = tables
        for column, values in settings["rows"].items():
            rows = {
                name: table[table[column].isin(values)] if column in table else table for name, table in rows.items()
            }
        figure = draw(rows, Style(**style, architectures=settings["architectures"]))
        yield file, partial(write_figure, figure, sources=sources)
