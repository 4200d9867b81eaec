"""Tables of all races in one, and the tables that questions are answered from."""

from collections.abc import Mapping
from typing import Any

from learnability.core.store import read_tables
from learnability.report.typeset import with_pages
from studies.comparison.tables import tabulate
from studies.files import Files


def make(
    files: Files,
    families: Mapping[str, str],
    trained_on: Mapping[str, int],
    sizes: Mapping[str, Mapping[int, str]],
    sums: Mapping[str, str],
    root_seed: int,
) -> dict[str, Any]:
    """Tables of the races by kind, compressed; tables of `tabulate` and their pages."""
    races = {kind: read_tables(paths) for kind, paths in files.items()}
    tables = tabulate(races, families, trained_on, sizes, sums, root_seed)
    return {f"{kind}.csv.gz": table for kind, table in races.items()} | with_pages(tables)
