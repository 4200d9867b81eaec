"""Tables of what is measured of networks and agents."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from learnability.core.store import read_tables
from learnability.report.typeset import with_pages
from studies.attention.trained_tables import of_maps
from studies.files import Files


def make(files: Files, tabulated: Sequence[str], settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Tables of the modules `tabulated`, with pages.

    A further table, `attention`, has the rows that maps show. All rows are too many to be stored.
    """
    measurements = {kind: read_tables([paths] if isinstance(paths, str) else paths) for kind, paths in files.items()}
    parts = [import_module(module).tabulate(measurements, settings) for module in tabulated]
    yield from with_pages({name: table for part in parts for name, table in part.items()}).items()
    if "attention" in measurements:
        yield "attention.csv.gz", of_maps(measurements["attention"])
