"""Files in a run's folder that no job of it makes or reads any more."""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

from learnability.core.errors import InputError
from learnability.core.store import is_temporary, read_json


def find_leftovers(
    folder: Path, logs: Path, is_output: Callable[[str], bool], checkpoints: Collection[str]
) -> Iterator[str]:
    """Files below `folder` of jobs that this configuration and this code no longer have, in order.

    A file that no job has made is no leftover: it is someone's, and only `verify` names it.

    Args:
        logs: of the run, where each job has said which files it made.
        is_output: whether a job of this configuration makes a file.
        checkpoints: those from which a training of this configuration and code may still go on.
    """
    outputs = set(_recorded_outputs(logs))
    checkpoint_files = {*checkpoints, *(re.sub(r"\.pt$", ".previous.pt", path) for path in checkpoints)}
    for path in sorted(folder.rglob("*")):
        file = path.as_posix()
        if not path.is_file() or path.is_symlink():
            continue
        is_checkpoint = path.is_relative_to(folder / "checkpoints") and path.suffix == ".pt"
        if (
            is_temporary(path)
            or (is_checkpoint and file not in checkpoint_files)
            or (file in outputs and not is_output(file))
        ):
            yield file


def _recorded_outputs(logs: Path) -> Iterator[str]:
    for provenance in logs.rglob("*.provenance.json"):
        with suppress(InputError):  # of a job that says nothing, files are no leftovers
            yield from map(str, read_json(provenance, "files")["files"])
