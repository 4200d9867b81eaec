"""An exhibit of the lecture: its tables, and the numbers by which its statements are judged."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from learnability.core.store import as_files, read_tables
from learnability.report.typeset import with_pages
from studies.files import Files, file_of_run
from studies.gated.exhibit import Asked, Trained


def make(
    files: Files,
    exhibit: str,
    settings: Mapping[str, Any],
    runs: Sequence[Mapping[str, Any]],
    seeds: Sequence[int],
    root_seed: int,
) -> dict[str, Any]:
    """Tables and their pages, and statements."""
    measured = dict(files)
    weights, curves = (measured.pop(kind, []) for kind in ("weights", "curves"))
    trained = [Trained.load(run, file_of_run(weights, run), file_of_run(curves, run), root_seed) for run in runs]
    tables = {kind: read_tables(paths) for kind, paths in measured.items()}
    measure = import_module(f"studies.gated.{exhibit}.measure")
    made = measure.make(Asked(settings, seeds, root_seed, trained, tables))
    return with_pages(made.tables) | as_files({f"statements/{exhibit}": made.statements})
