"""Measurements of gradients and of what is learned, at every stored epoch of a network of an experiment."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.networks.weights import read_snapshots
from learnability.windows.readings import Reading
from learnability.windows.through_training import measure_run
from studies.files import Files


def make(
    files: Files,
    names: Mapping[str, Any],
    run: Mapping[str, Any],
    windows: Mapping[str, Any],
    reading: Mapping[str, Any],
    window: Mapping[str, Any],
    root_seed: int,
    engine: str,
    precision: str,
) -> dict[str, pd.DataFrame]:
    """Tables by kind."""
    snapshots, read = read_snapshots(files["snapshots"]), Reading.of(reading, window)
    return as_files(measure_run(run, windows, snapshots, read, root_seed, engine, precision))
