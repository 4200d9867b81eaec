"""Inputs and targets of independent sequences, in memory and on disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from jaxtyping import Float32

from learnability.store import read_dataset, write_dataset


class Sequences(NamedTuple):
    """Inputs x and targets y of independent sequences."""

    inputs: Float32[np.ndarray, "sequence time input"]
    targets: Float32[np.ndarray, "sequence time"]


def write_sequences(sequences: Sequences, path: str | Path, settings: Mapping[str, Any]) -> None:
    """Write NetCDF with the settings of the task that made them."""
    variables = {
        "inputs": (("sequence", "time", "input"), sequences.inputs),
        "targets": (("sequence", "time"), sequences.targets),
    }
    write_dataset(xr.Dataset(variables), path, settings)


def read_sequences(path: str | Path) -> Sequences:
    """Read what `write_sequences` wrote; raises `InputError` naming an unreadable file."""
    dataset = read_dataset(path)
    return Sequences(dataset["inputs"].to_numpy(), dataset["targets"].to_numpy())
