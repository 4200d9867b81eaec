"""Section 15: whether points become linearly separable in the states of a reservoir, as Cover's theorem has it."""

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float64
from numpy import ndarray
from scipy.linalg import svd
from scipy.optimize import nnls

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.reservoirs import draw_reservoir
from learnability.stats.proportions import proportion_interval
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
from studies.gated.linear import linear_states
from studies.gated.separability.question import QUESTION

TABLES = QUESTION.tables
RESERVOIR, COARSE, LINEAR, INPUTS = "reservoir", "reservoir, coarse", "linear reservoir", "last input"
"""Features that a readout reads: states, their larger directions alone, states of the same weights without tanh, and
the last input."""
ROUNDING = 1e-9
"""Largest margin that counts as none."""


def make(request: ExhibitRequest) -> Exhibit:
    """Shares of dichotomies that are separable, over units, beside Cover's formula."""
    rows = [row for seed in request.seeds for row in _rows(request, seed)]
    table = pd.DataFrame(rows)
    return Exhibit(
        {TABLES[0]: table}, statements(statement for seed in request.seeds for statement in _statements(table, seed))
    )


def cover(points: int, dimensions: int) -> float:
    """Share of the dichotomies of D points in general position in N dimensions that a plane through 0 separates.

    C(D, N)/2ᴰ = 2¹⁻ᴰ Σ_{k<N} (D - 1 choose k) (Cover 1965), 1 for D ≤ N.
    """
    return sum(comb(points - 1, k) for k in range(min(dimensions, points))) / 2 ** (points - 1)


def margin_of(points: Float64[ndarray, "point axis"], positive: Bool[ndarray, "point"]) -> float:
    """The largest margin of a plane through 0 that separates positive points from the others; 0 where none does.

    It is the distance δ from 0 to the convex hull of the points ±x, - of those that are not positive (Gordan's
    theorem). With weights a ≥ 0, ‖Σ a (±x)‖² + (Σ a - 1)² has δ²/(1 + δ²) as its least value, by least squares that
    are not negative.
    """
    signed_points = np.where(positive, 1.0, -1.0)[:, None] * points
    target = np.append(np.zeros(points.shape[1]), 1.0)
    _, residual = nnls(np.vstack([signed_points.T, np.ones(len(points))]), target, maxiter=100 * len(points))
    return float(residual / np.sqrt(max(1 - residual**2, ROUNDING)))


def is_separable(points: Float64[ndarray, "point axis"], positive: Bool[ndarray, "point"]) -> bool:
    """True if a w has w·x > 0 for positive points and w·x < 0 for the others, points of size about 1."""
    return margin_of(points, positive) > ROUNDING


def spanned(points: Float64[ndarray, "point axis"], tolerance: float) -> Float64[ndarray, "point dimension"]:
    """The same points in coordinates of the space that they span, scaled alike in all directions.

    A dichotomy is separable in them if it is in the points, for a plane through 0 stays one under any linear map.

    Args:
        tolerance: singular values below this share of the largest count as 0.
    """
    basis, sizes, _ = svd(points, full_matrices=False)
    dimensions = int((sizes > tolerance * sizes.max()).sum())
    return basis[:, :dimensions] * np.sqrt(len(points))


def _rows(request: ExhibitRequest, seed: int) -> Iterator[dict[str, Any]]:
    settings = request.settings
    points, steps, size = (settings[name] for name in ("points", "steps", "input_size"))
    require(points >= 2, "separability.points", "at least 2", points)
    draw = numpy_generator(request.root_seed, seed, "separability", "inputs")
    inputs = draw.uniform(-1, 1, (points, steps, size))
    halves = numpy_generator(request.root_seed, seed, "separability", "dichotomies").random(
        (settings["dichotomies"], points)
    )
    yield _row(seed, INPUTS, 0, inputs[:, -1], halves < 0.5, settings["tolerance"])
    for units in settings["units"]:
        reservoir = draw_reservoir(units, size, request.root_seed, seed, **settings["reservoir"])
        linear = linear_states(reservoir, inputs)[:, -1]
        states = reservoir.states(inputs)[:, -1]
        yield _row(seed, RESERVOIR, units, states, halves < 0.5, settings["tolerance"])
        yield _row(seed, COARSE, units, states, halves < 0.5, settings["coarse"])
        yield _row(seed, LINEAR, units, linear, halves < 0.5, settings["tolerance"])


def _row(seed: int, reads: str, units: int, points: ndarray, dichotomies: ndarray, tolerance: float) -> dict[str, Any]:
    within = spanned(points, tolerance)
    count, dimensions = len(points), within.shape[1]
    separable = sum(is_separable(within, positive) for positive in dichotomies)
    low, high = (float(end) for end in proportion_interval(separable, len(dichotomies)))
    expected = cover(count, units if reads == RESERVOIR else dimensions)
    return {
        "seed": seed,
        "reads": reads,
        "units": units,
        "dimensions": dimensions,
        "points": count,
        "dichotomies": len(dichotomies),
        "separable": separable / len(dichotomies),
        "separable_low": low,
        "separable_high": high,
        "cover": expected,
        "deviation": deviation(separable, len(dichotomies), expected),
    }


def deviation(successes: int, count: int, expected: float) -> float:
    """|successes/count - p| over √(p (1 - p)/count), the standard deviation of a share where p is expected.

    A variance below that of one case counts as that of one, for where p is nearly 0 or 1 a share has no normal law.
    """
    variance = max(expected * (1 - expected), 1 / count) / count
    return float(abs(successes / count - expected) / np.sqrt(variance))


def _statements(table: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    rows = table[table["seed"] == seed]
    states, linear, inputs = (
        rows[rows["reads"] == reads].sort_values("units") for reads in (RESERVOIR, LINEAR, INPUTS)
    )
    most, unbent = states.iloc[-1], linear["separable"].iloc[-1]
    yield "separable_beyond_inputs", seed, most["separable"] - inputs["separable"].iloc[0]
    yield "separable_beyond_linear", seed, most["separable"] - unbent
    yield "deviation_from_cover", seed, states["deviation"].max()
    yield "dimensions_over_units", seed, most["dimensions"] / min(most["units"], most["points"])
