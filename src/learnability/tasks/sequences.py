"""Inputs and targets of independent sequences, in memory and on disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from jaxtyping import Bool, Float32, Int64, Shaped

from learnability.core.errors import InputError, require
from learnability.core.store import read_dataset, write_dataset

MASKS = ("mask", "scored")
"""Variables of truth values, which need not be there."""
DIMENSIONS = {
    "inputs": ("sequence", "time", "input"),
    "targets": ("sequence", "time"),
    **dict.fromkeys(MASKS, ("sequence", "time")),
}
"""Dimensions of the variables in a file of sequences; targets that are vectors have a last one, `output`."""
ARRAYS = (
    "inputs (sequence, time, input) and targets (sequence, time) or (sequence, time, output); "
    "mask and scored (sequence, time) are optional"
)
"""`DIMENSIONS` in words."""


class Sequences(NamedTuple):
    """Inputs x and targets y of independent sequences.

    Args:
        targets: numbers, vectors (a last axis more), or classes from 0 on.
        mask: where a target counts; None: everywhere.
        scored: where accuracy is taken, of classes; None: wherever a target counts.
    """

    inputs: Float32[np.ndarray, "sequence time input"]
    targets: Shaped[np.ndarray, "sequence time ..."]
    mask: Bool[np.ndarray, "sequence time"] | None = None
    scored: Bool[np.ndarray, "sequence time"] | None = None


def one_hot(classes: Int64[np.ndarray, "sequence time"], size: int) -> Float32[np.ndarray, "sequence time input"]:
    """1 at the place of the class, 0 at the others."""
    return np.eye(size, dtype=np.float32)[classes]


def write_sequences(sequences: Sequences, path: str | Path, settings: Mapping[str, Any]) -> None:
    """Write NetCDF with the settings of the task that made them."""
    arrays = {name: values for name, values in sequences._asdict().items() if values is not None}
    variables = {name: (_dimensions(name, values.ndim), values) for name, values in arrays.items()}
    for name in arrays.keys() & MASKS:
        variables[name] = DIMENSIONS[name], arrays[name].astype(np.int8)  # NetCDF has no truth values
    write_dataset(xr.Dataset(variables), path, settings)


def read_sequences(path: str | Path) -> Sequences:
    """Read what `write_sequences` wrote, or any NetCDF file with these variables; their dimensions in any order.

    Targets that do not count may be anything; one that is no finite number, or a negative class, becomes 0.

    Raises:
        InputError: for an unreadable file, another set of dimensions, or values that are not finite numbers in float32.
    """
    dataset = read_dataset(path)
    dimensions = {str(name): variable.dims for name, variable in dataset.data_vars.items()}
    names = [name for name in DIMENSIONS if name in dimensions or name not in MASKS]
    has_all = all(
        set(dimensions.get(name, ())) == set(_dimensions(name, len(dimensions.get(name, ())))) for name in names
    )
    if not has_all:
        arrays = "; ".join(f"{name} ({', '.join(map(str, axes))})" for name, axes in dimensions.items()) or "none"
        raise InputError(f"'{path}' must be a file with arrays {ARRAYS}. Got {arrays}.")
    variables = {name: dataset[name].transpose(*_dimensions(name, dataset[name].ndim)) for name in names}
    if "mask" in variables and variables["targets"].dtype.kind in "fiu":
        targets, counts = (
            variables["targets"],
            xr.DataArray(_values(variables["mask"], path) != 0, dims=DIMENSIONS["mask"]),
        )
        is_value = targets >= 0 if targets.dtype.kind in "iu" else np.isfinite(targets)
        variables["targets"] = targets.where(counts | is_value, 0)
    values = {name: _values(variable, path) for name, variable in variables.items()}
    if variables["targets"].dtype.kind in "iu":
        values["targets"] = values["targets"].astype(np.int64)
    return Sequences(**values | {name: values[name].astype(bool) for name in values.keys() & MASKS})


def _dimensions(name: str, count: int) -> tuple[str, ...]:
    dimensions = DIMENSIONS[name]
    return (*dimensions, "output") if name == "targets" and count > len(dimensions) else dimensions


def _values(variable: xr.DataArray, path: str | Path) -> Float32[np.ndarray, "sequence time ..."]:
    key = f"{variable.name} of {path}"
    require(variable.dtype.kind in "fiub", key, "numbers", str(variable.dtype))
    require(variable.size > 0, key, "of at least one sequence, time and input", variable.shape)
    with np.errstate(over="ignore"):  # becomes infinite, and is named below
        values = np.ascontiguousarray(variable.to_numpy(), np.float32)
    require(bool(np.isfinite(values).all()), key, "finite in float32", "NaN, infinity or a larger number")
    return values
