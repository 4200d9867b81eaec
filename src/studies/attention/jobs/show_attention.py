"""Tables of what is measured of networks and agents, and figures of all questions."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any

from learnability.core.manifest import digest_table
from learnability.core.store import as_read, read_tables
from learnability.report.style import Style, write_figure
from learnability.report.typeset import with_pages
from studies.attention.trained_tables import of_maps
from studies.files import Files


def make(
    files: Files,
    tabulated: Sequence[str],
    settings: Mapping[str, Any],
    figures: Mapping[str, Mapping[str, Any]],
    architectures: Sequence[str],
    style: Mapping[str, Any],
) -> Iterator[tuple[str, Any]]:
    """Tables of the modules `tabulated` with pages; figures, each drawn when the one before is written.

    A further table, `attention`, has the rows that maps show. All rows are too many to be stored.

    Args:
        figures: by name, the `module`, the names `of` tables and measurements, and the `title` where pages tell no
            results.
    """
    measurements = {kind: read_tables([paths] if isinstance(paths, str) else paths) for kind, paths in files.items()}
    parts = [import_module(module).tabulate(measurements, settings) for module in tabulated]
    tables = {name: table for part in parts for name, table in part.items()}
    yield from with_pages(tables).items()
    if "attention" in measurements:
        measurements["attention"] = of_maps(measurements["attention"])
        yield "attention.csv.gz", measurements["attention"]
    tables = measurements | tables

    @cache
    def digest_of(name: str) -> str:
        return digest_table(as_read(tables[name]))

    # a module is imported before any figure is drawn: lines of its legend take defaults that a figure changes
    drawers = {name: import_module(figure["module"]).draw for name, figure in figures.items()}
    for name, draw in drawers.items():
        rows = {source: tables[source] for source in figures[name]["of"] if source in tables}
        picture = draw(rows, Style(**style, architectures=architectures, question=figures[name]["title"]))
        sources = {source: digest_of(source) for source in rows}
        yield f"{name}.png", partial(write_figure, picture, sources=sources)
