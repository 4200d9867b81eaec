"""Inputs and targets of independent sequences, in memory and on disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from jaxtyping import Float32

from learnability.core.errors import require
from learnability.core.store import read_dataset, write_dataset

DIMENSIONS = {"inputs": ("sequence", "time", "input"), "targets": ("sequence", "time")}
"""Of each variable of a file of sequences."""


class Sequences(NamedTuple):
    """Inputs x and targets y of independent sequences."""

    inputs: Float32[np.ndarray, "sequence time input"]
    targets: Float32[np.ndarray, "sequence time"]


def write_sequences(sequences: Sequences, path: str | Path, settings: Mapping[str, Any]) -> None:
    """Write NetCDF with the settings of the task that made them."""
    named = zip(DIMENSIONS.items(), sequences, strict=True)
    variables = {name: (dimensions, values) for (name, dimensions), values in named}
    write_dataset(xr.Dataset(variables), path, settings)


def read_sequences(path: str | Path) -> Sequences:
    """Read what `write_sequences` wrote, or any NetCDF file with these variables; their dimensions in any order.

    Raises:
        InputError: for an unreadable file, another set of dimensions, or values that are not finite numbers in float32.
    """
    dataset = read_dataset(path)
    given = {str(name): variable.dims for name, variable in dataset.data_vars.items()}
    has_all = all(set(given.get(name, ())) == set(dimensions) for name, dimensions in DIMENSIONS.items())
    require(has_all, str(path), f"a file with dimensions {DIMENSIONS}", given)
    return Sequences(*(_values(dataset[name].transpose(*DIMENSIONS[name]), path) for name in DIMENSIONS))


def _values(variable: xr.DataArray, path: str | Path) -> Float32[np.ndarray, "sequence time ..."]:
    key = f"{variable.name} of {path}"
    require(variable.dtype.kind in "fiub", key, "numbers", str(variable.dtype))
    require(variable.size > 0, key, "of at least one sequence, time and input", variable.shape)
    with np.errstate(over="ignore"):  # becomes infinite, and is named below
        values = np.ascontiguousarray(variable.to_numpy(), np.float32)
    require(bool(np.isfinite(values).all()), key, "finite in float32", "NaN, infinity or a larger number")
    return values
