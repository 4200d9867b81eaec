"""The settings of a trial. A grid gives some of them; the configuration gives the others."""

from collections.abc import Mapping, Sequence
from typing import Any

Settings = Mapping[str, Any]
TOGETHER = "six_lags"
"""The grid whose lags are asked for together."""


def lags_of_settings(grid: Settings) -> list[list[int]]:
    """Lags of each setting of a grid: one, or all where they are asked of the same predictions."""
    return [list(grid["lags"])] if grid.get("together", False) else [[lag] for lag in grid["lags"]]


def task_of(task: Settings, grid: Settings, lags: Sequence[int], coefficient: float) -> dict[str, Any]:
    """The task of a setting.

    Args:
        task: settings of `learnability.tasks.build_task`.
        lags: of the setting.
        coefficient: of each lag, where the grid has none.
    """
    coefficients = dict(zip(grid["lags"], grid.get("coefficients", [coefficient] * len(grid["lags"])), strict=True))
    options = {key: grid[key] for key in ("duration", "input_density") if key in grid}
    return {**task, **options, "lags": list(lags), "coefficients": [coefficients[lag] for lag in lags]}


def size_of(grid: Settings, hidden_size: int) -> dict[str, int]:
    """Units of a network or, where networks are to be as large as each other, their parameters."""
    units = {"hidden_size": grid.get("hidden_size", hidden_size)}
    return {"parameters": grid["parameters"]} if "parameters" in grid else units
