"""Files of a job, found by their names: the lists of a rule and of a study may be in different orders."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Files = Mapping[str, Any]
"""Path of a file, or paths of several, by kind."""


def file_of(files: Iterable[str], name: str | Path) -> str:
    """The only one of the files whose path ends with `name`, a name with or without folders.

    Raises:
        LookupError: if no file is of that name, or more than one.

    Example:
        >>> file_of(["runs/a/table.csv", "runs/b/table.csv"], "b/table.csv")
        'runs/b/table.csv'
    """
    parts = Path(name).parts
    matches = [file for file in files if Path(file).parts[-len(parts) :] == parts]
    if len(matches) != 1:
        raise LookupError(f"'{name}' must be the name of one file of the job; it is that of {len(matches)}.")
    return matches[0]


def file_of_run(files: Iterable[str], run: Mapping[str, Any]) -> str:
    """The only one of the files that lies in the folder of a run, as `run_folder` in `settings/runs.py` names it."""
    names = ("experiment", "architecture") if "experiment" in run else ("architecture", "optimizer")
    folder = Path(*(run[name] for name in names), f"seed{run['seed']}")
    by_folder = {Path(file).parent: file for file in files}
    return by_folder[Path(file_of(map(str, by_folder), folder))]
