"""An exhibit of the lecture: its tables, and the numbers by which its statements are judged."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from learnability.core.store import as_files, read_tables
from learnability.report.typeset import with_pages
from studies.files import Files, file_of_run
from studies.gated.exhibit import ExhibitRequest, Trained


def make(
    files: Files,
    exhibit: str,
    settings: Mapping[str, Any],
    runs: Sequence[Mapping[str, Any]],
    seeds: Sequence[int],
    root_seed: int,
) -> dict[str, Any]:
    """Tables and their pages, and statements."""
    paths_of_kind = dict(files)
    weights, curves = (paths_of_kind.pop(kind, []) for kind in ("weights", "curves"))
    models = [Trained.load(run, file_of_run(weights, run), file_of_run(curves, run), root_seed) for run in runs]
    tables = {kind: read_tables(paths) for kind, paths in paths_of_kind.items()}
    measure = import_module(f"studies.gated.{exhibit}.measure")
    result = measure.make(ExhibitRequest(settings, seeds, root_seed, models, tables))
    return with_pages(result.tables) | as_files({f"statements/{exhibit}": result.statements})
