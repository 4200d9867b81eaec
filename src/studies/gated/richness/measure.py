"""Sections 11 and 12: how many dimensions the states of a random reservoir have, and how much of them is nonlinear."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float64
from numpy import ndarray

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.reservoirs import draw_reservoir, fit_readout
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
from studies.gated.linear import linear_states
from studies.gated.richness.question import QUESTION

TABLES = QUESTION.tables
RESERVOIR, LINEAR = "reservoir", "linear filter"
"""h_t = tanh(W h_{t-1} + W_in x_t), and the same without tanh."""


def make(request: ExhibitRequest) -> Exhibit:
    """Effective dimensions of states and what is nonlinear in them, over spectral radius and scale of inputs."""
    radii, scales = request.settings["radii"], request.settings["input_scales"]
    require(min(radii) < 1, "richness.radii", "at least one below 1, where a linear filter is stable", radii)
    require(len(scales) >= 2, "richness.input_scales", "at least two, the weak one first", scales)
    cells = [(seed, scale, radius) for seed in request.seeds for scale in scales for radius in radii]
    table = pd.DataFrame([row for cell in cells for row in _measure(request, *cell)])
    values = (statement for seed in request.seeds for statement in _statements(table, request.settings, seed))
    return Exhibit({TABLES[0]: table}, statements(values))


def variances_of(states: Float64[ndarray, "time unit"]) -> Float64[ndarray, "component"]:
    """Eigenvalues of the covariance of states, the largest first, as shares of their sum."""
    deviations = states - states.mean(0)
    sizes = np.linalg.svd(deviations, compute_uv=False) ** 2
    return np.asarray(sizes / sizes.sum())


def participation_ratio(variances: Float64[ndarray, "component"]) -> float:
    """(Σλ)²/Σλ²: n of n equal variances, 1 of a single one."""
    return float(variances.sum() ** 2 / (variances**2).sum())


def components_for(variances: Float64[ndarray, "component"], share: float) -> int:
    """Number of the largest variances that make up a share of the sum."""
    return int(np.searchsorted(np.cumsum(variances) / variances.sum(), share * (1 - 1e-12))) + 1


def unexplained(
    states: Float64[ndarray, "time unit"], inputs: Float64[ndarray, "time"], lags: int, washout: int
) -> float:
    """Share of the variance of states that no linear function of the last inputs explains.

    It is fitted to the first half of the steps behind the washout, and judged by the second half.

    Args:
        lags: how many inputs, the present one among them.
    """
    past = np.stack([np.roll(inputs, lag) for lag in range(lags)], 1)
    steps = slice(max(washout, lags), None)
    past, targets = past[steps], states[steps]
    half = len(past) // 2
    weights, offset = fit_readout(past[None, :half], targets[None, :half], 0.0, 0)
    residuals = past[half:] @ weights + offset - targets[half:]
    return float((residuals**2).sum() / ((targets[half:] - targets[half:].mean(0)) ** 2).sum())


def _measure(request: ExhibitRequest, seed: int, scale: float, radius: float) -> Iterator[dict[str, Any]]:
    """Rows of a reservoir and of its linear filter."""
    settings = request.settings
    washout = settings["washout"]
    options = {**settings["reservoir"], "spectral_radius": radius, "input_scale": scale}
    reservoir = draw_reservoir(input_size=1, root_seed=request.root_seed, seed=seed, **options)
    generator = numpy_generator(request.root_seed, seed, "richness", "inputs")
    inputs = generator.uniform(-1, 1, (washout + settings["steps"], 1))
    states = {RESERVOIR: reservoir.states(inputs[None])[0]}
    if radius < 1:
        states[LINEAR] = linear_states(reservoir, inputs[None])[0]
    for kind, series in states.items():
        variances = variances_of(series[washout:])
        yield {
            "seed": seed,
            "input_scale": scale,
            "radius": radius,
            "kind": kind,
            "units": reservoir.units,
            "dimension": participation_ratio(variances),
            "components": components_for(variances, settings["share"]),
            "unexplained": unexplained(series, inputs[:, 0], settings["lags"], washout),
        }


def _statements(table: pd.DataFrame, settings: Mapping[str, Any], seed: int) -> Iterator[tuple[str, int, float]]:
    """Statements on spectral radii below 1, where a reservoir has no chaos of its own."""
    stable = table[(table["seed"] == seed) & (table["radius"] < 1)]
    for name, scale in (("weak", settings["input_scales"][0]), ("strong", settings["input_scales"][-1])):
        rows = stable[stable["input_scale"] == scale].set_index(["kind", "radius"])
        reservoir, linear = rows.loc[RESERVOIR], rows.loc[LINEAR]
        yield f"nonlinear_share_{name}", seed, reservoir["unexplained"].max()
        yield f"dimension_over_units_{name}", seed, (reservoir["dimension"] / reservoir["units"]).max()
        yield f"dimension_over_linear_{name}", seed, (reservoir["dimension"] / linear["dimension"]).median()
        yield f"components_over_linear_{name}", seed, (reservoir["components"] / linear["components"]).median()
        if len(reservoir) > 1:
            yield f"radius_raises_dimension_{name}", seed, _rank(reservoir["dimension"])


def _rank(values: "pd.Series[float]") -> float:
    """Rank correlation of values with the radius."""
    by_radius = values.sort_index().reset_index(drop=True)
    return float(by_radius.corr(pd.Series(np.arange(len(by_radius), dtype=float)), method="spearman"))
