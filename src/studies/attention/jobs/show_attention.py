"""Tables of what is measured of networks and agents, and figures of all questions."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from learnability.core.store import read_tables
from learnability.report.style import Style, write_figure
from learnability.report.typeset import with_pages
from studies.files import Files


def make(
    files: Files,
    tabulated: Sequence[str],
    settings: Mapping[str, Any],
    figures: Mapping[str, str],
    architectures: Sequence[str],
    style: Mapping[str, Any],
) -> Iterator[tuple[str, Any]]:
    """Tables of the modules `tabulated` with pages; figures by module, each drawn when the one before is written."""
    measurements = {kind: read_tables([paths] if isinstance(paths, str) else paths) for kind, paths in files.items()}
    parts = [import_module(module).tabulate(measurements, settings) for module in tabulated]
    tables = {name: table for part in parts for name, table in part.items()}
    yield from with_pages(tables).items()
    # a module is imported before any figure is drawn: lines of its legend take defaults that a figure changes
    drawers = {name: import_module(module).draw for name, module in figures.items()}
    for name, draw in drawers.items():
        figure = draw(measurements | tables, Style(**style, architectures=architectures))
        yield f"{name}.png", partial(write_figure, figure)
