"""Section 13: how long a reservoir remembers where it started, over its spectral radius and what drives it."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float64
from numpy import ndarray
from scipy.sparse import csr_array

from learnability.core.streams import numpy_generator
from learnability.reservoirs import (
    Reservoir,
    distances,
    draw_reservoir,
    largest_stretch,
    lyapunov_exponents,
    spectral_radius_of,
)
from studies.gated.echo_states.question import QUESTION
from studies.gated.exhibit import Asked, Exhibit, statements

TABLES = QUESTION.tables
NONE, WEAK, STRONG = "none", "weak", "strong"
"""Inputs, by their standard deviation."""
BELOW, AT, ABOVE = "below 1, no input", "1, no input", "above 1, strong input"
"""Counterexamples, by spectral radius."""
FORGOTTEN = 0.1
"""Of a change of the state, what is left of it when it counts as forgotten."""
LINEAR_LAG = 10
"""Steps over which a product of Jacobians is held against a power of the weights."""


def make(asked: Asked) -> Exhibit:
    """Jacobian products, exponents, and distances of states that started apart."""
    cells = [cell for seed in asked.seeds for cell in _cells(asked, seed)]
    products = [_stretch(asked.settings, *cell) for cell in cells]
    exponents = [
        _exponents(asked, *cell) | {"forgotten_after": forgotten_after(product)}
        for cell, product in zip(cells, products, strict=True)
    ]
    counterexamples = pd.concat([_counterexamples(asked, seed) for seed in asked.seeds], ignore_index=True)
    shown = (pd.concat(products, ignore_index=True), pd.DataFrame(exponents), counterexamples)
    tables = dict(zip(TABLES, shown, strict=True))
    found = [each for seed in asked.seeds for each in _stated(tables, seed)]
    return Exhibit(tables, statements(found))


def forgotten_after(stretch: pd.DataFrame) -> float:
    """The first lag from which on ‖∂h_t/∂h_{t-k}‖ is below a tenth; ∞ where it is not at the longest one."""
    kept = stretch.loc[stretch["stretch"] >= FORGOTTEN, "lag"].max()
    return float(np.inf if kept == stretch["lag"].max() else kept + 1)


def _cells(asked: Asked, seed: int) -> Iterator[tuple[int, float, str, Reservoir, ndarray]]:
    """Each reservoir with each input, the same weights and the same noise but for their scales."""
    settings = asked.settings
    shape = (settings["sequences"], settings["steps"], 1)
    noise = numpy_generator(asked.root_seed, seed, "echo states", "inputs").normal(size=shape)
    for radius in settings["radii"]:
        reservoir = _drawn(asked, seed, radius)
        for name, strength in settings["inputs"].items():
            yield seed, radius, name, reservoir, strength * noise


def _drawn(asked: Asked, seed: int, radius: float) -> Reservoir:
    settings = asked.settings["reservoir"]
    return draw_reservoir(input_size=1, root_seed=asked.root_seed, seed=seed, spectral_radius=radius, **settings)


def _stretch(
    settings: Mapping[str, Any], seed: int, radius: float, name: str, reservoir: Reservoir, inputs: ndarray
) -> pd.DataFrame:
    """The geometric mean over sequences, and beside it ‖Wᵏ‖. The two are equal where states stay near 0."""
    lags = settings["lags"]
    products = largest_stretch(reservoir, inputs[:, : settings["washout"] + lags], lags)
    with np.errstate(divide="ignore"):
        stretch = np.exp(np.log(products).mean(0))
    names = {"seed": seed, "radius": radius, "input": name}
    return pd.DataFrame(names | {"lag": range(lags + 1), "stretch": stretch, "linear": _powers(reservoir, lags)})


def _powers(reservoir: Reservoir, lags: int) -> Float64[ndarray, "lag"]:
    """‖Wᵏ‖."""
    weights, power, found = _dense(reservoir), np.eye(reservoir.units), []
    for _ in range(lags + 1):
        found.append(np.linalg.norm(power, 2))
        power = weights @ power
    return np.array(found)


def _dense(reservoir: Reservoir) -> Float64[ndarray, "unit unit"]:
    return reservoir.recurrent.toarray() if isinstance(reservoir.recurrent, csr_array) else reservoir.recurrent


def _starts(asked: Asked, seed: int, units: int) -> Float64[ndarray, "start unit"]:
    """0, and others anywhere."""
    drawn = numpy_generator(asked.root_seed, seed, "echo states", "starts")
    return np.concatenate([np.zeros((1, units)), drawn.uniform(-1, 1, (asked.settings["starts"], units))])


def _exponents(
    asked: Asked, seed: int, radius: float, name: str, reservoir: Reservoir, inputs: ndarray
) -> dict[str, Any]:
    """Whether the steps do for the question: at this exponent distances pass the tolerance, or would grow from it."""
    settings, series = asked.settings, inputs[0]
    tolerance, steps = settings["tolerance"], settings["steps"]
    exponent = lyapunov_exponents(reservoir, series, 1, settings["washout"], asked.root_seed, seed)[0]
    distance = distances(reservoir, series, _starts(asked, seed, reservoir.units))[-1]
    return {
        "seed": seed,
        "radius": radius,
        "input": name,
        "exponent": exponent,
        "linear_exponent": np.log(radius) if radius else -np.inf,
        "distance": distance,
        "echo_states": bool(distance <= tolerance),
        "decided": bool(abs(exponent) * steps >= 2 * -np.log(tolerance)),
    }


def _counterexamples(asked: Asked, seed: int) -> pd.DataFrame:
    """Largest distance from the start at 0, and the largest ‖∂h_t/∂h_{t-k}‖ of any start, each by steps."""
    settings = asked.settings
    steps = settings["counterexamples"]["steps"]
    noise = numpy_generator(asked.root_seed, seed, "echo states", "counterexamples").normal(size=(steps, 1))
    weights = np.array(settings["counterexamples"]["weights"], float)
    units = len(weights)
    cases = {
        BELOW: (Reservoir(weights, np.zeros((units, 1)), np.zeros(units)), 0.0),
        AT: (Reservoir(np.eye(1), np.zeros((1, 1)), np.zeros(1)), 0.0),
        ABOVE: (_drawn(asked, seed, max(settings["radii"])), settings["inputs"][STRONG]),
    }
    found = []
    for case, (reservoir, strength) in cases.items():
        starts, series = _starts(asked, seed, reservoir.units), strength * noise
        products = largest_stretch(reservoir, np.broadcast_to(series, (len(starts), steps, 1)), steps, starts)
        values = {
            "seed": seed,
            "case": case,
            "spectral_radius": spectral_radius_of(reservoir.recurrent),
            "largest_singular_value": np.linalg.norm(_dense(reservoir), 2),
            "step": range(1, steps + 1),
            "distance": distances(reservoir, series, starts),
            "stretch": products.max(0)[1:],
        }
        found.append(pd.DataFrame(values))
    return pd.concat(found, ignore_index=True)


def _stated(tables: Mapping[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    stretch, exponents, counterexamples = (tables[name][tables[name]["seed"] == seed] for name in TABLES)
    decided = exponents[exponents["decided"]]
    contracting = decided["exponent"] < 0
    echo = decided["echo_states"]
    yield "expanding_among_echo_states", seed, float((~contracting[echo]).mean())
    yield "echo_states_among_contracting", seed, float(echo[contracting].mean())
    last = counterexamples[counterexamples["step"] == counterexamples["step"].max()].set_index("case")
    yield "distance_though_products_vanish", seed, last.loc[BELOW, "distance"]
    yield "product_left_though_states_meet", seed, last.loc[AT, "stretch"]
    radii = exponents["radius"]
    small, near = radii.min(), radii[radii <= 1].max()
    lasting = exponents.set_index(["input", "radius"])["forgotten_after"]
    yield "forgotten_after_at_small_radius", seed, lasting[WEAK, small]
    for name in (WEAK, STRONG):
        yield f"lasts_longer_near_1_{name}", seed, lasting[name, near] / lasting[name, small]
    up_to_1 = exponents[(radii <= 1) & (exponents["input"] == WEAK)]
    yield "radius_orders_memory", seed, up_to_1["radius"].corr(up_to_1["forgotten_after"], method="spearman")
    above = exponents[radii > 1]
    for name in (NONE, WEAK, STRONG):
        yield f"echo_states_above_1_{name}", seed, float(above.loc[above["input"] == name, "echo_states"].mean())
    for name in (WEAK, STRONG):
        row = stretch[(stretch["input"] == name) & (stretch["radius"] == near)].set_index("lag").loc[LINEAR_LAG]
        yield f"linear_{name}", seed, row["stretch"] / row["linear"]
