"""N₅₀ of all settings, the contest of candidates, and tables of both."""

from collections.abc import Mapping, Sequence
from typing import Any

from learnability.core.store import read_tables
from learnability.report.typeset import with_pages
from studies.files import Files
from studies.ground_truth.tables import tabulate


def make(files: Files, contest: Sequence[str], durations: Mapping[str, int], root_seed: int) -> dict[str, Any]:
    """All trials and candidates, compressed; tables of `tabulate` and their pages."""
    trials, candidates = read_tables(files["trials"]), read_tables(files["candidates"])
    tables = tabulate(trials, candidates, contest, durations, root_seed)
    return {"trials.csv.gz": trials, "candidates.csv.gz": candidates} | with_pages(tables)
