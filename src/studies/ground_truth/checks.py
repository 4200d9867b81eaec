"""Checks of settings of the study with the rest of the configuration."""

from collections.abc import Mapping
from typing import Any

from learnability.core.errors import require
from studies.settings.refusals import known


def check(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting that trials cannot be made or compared with."""
    section = config["ground_truth"]
    known("ground_truth.optimizer", section["optimizer"], list(config["optimizers"]))
    for name in section["contest"]:
        known("ground_truth.contest", name, list(section["grids"]))
        sample_sizes = section["grids"][name].get("sample_sizes", section["sample_sizes"])
        requirement = "those of ground_truth.sample_sizes in a grid of the contest"
        require(
            sample_sizes == section["sample_sizes"],
            f"ground_truth.grids.{name}.sample_sizes",
            requirement,
            sample_sizes,
        )
        fewer = section["grids"][name].get("fewer_seeds")
        require(fewer is None, f"ground_truth.grids.{name}.fewer_seeds", "left out in a grid of the contest", fewer)
    device, requirement = config["training"]["device"], "cpu in the study ground_truth, whose trials are many and short"
    require(device == "cpu", "training.device", requirement, device)
    for key, settings in {"": section, **{f".grids.{name}": grid for name, grid in section["grids"].items()}}.items():
        for architecture in settings.get("architectures", []):
            known(f"ground_truth{key}.architectures", architecture, list(config["architectures"]))
    for name, grid in section["grids"].items():
        lags, duration = grid["lags"], grid.get("duration", config["task"]["duration"])
        inside = lags == sorted(lags) and lags[-1] < duration
        require(inside, f"ground_truth.grids.{name}.lags", f"increasing and below the duration ({duration})", lags)
        both = {"hidden_size", "parameters"} <= set(grid)
        require(not both, f"ground_truth.grids.{name}", "given hidden_size or parameters, not both", sorted(grid))
        coefficients = grid.get("coefficients", [section["coefficient"]] * len(lags))
        require(0 not in coefficients, f"ground_truth.grids.{name}.coefficients", "other than 0", coefficients)
        require(
            len(coefficients) == len(lags),
            f"ground_truth.grids.{name}.coefficients",
            f"{len(lags)} values",
            coefficients,
        )
