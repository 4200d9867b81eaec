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
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements

TABLES = QUESTION.tables
NONE, WEAK, STRONG = "none", "weak", "strong"
"""Inputs, by their standard deviation."""
BELOW, AT, ABOVE = "below 1, no input", "1, no input", "above 1, strong input"
"""Counterexamples, by spectral radius."""
FORGOTTEN = 0.1
"""Share of a change of the state below which it counts as forgotten."""
LINEAR_LAG = 10
"""Steps over which a product of Jacobians is compared with a power of the weights."""


def make(request: ExhibitRequest) -> Exhibit:
    """Jacobian products, exponents, and distances of states that started apart."""
    cells = [cell for seed in request.seeds for cell in _cells(request, seed)]
    products = [_stretch(request.settings, *cell) for cell in cells]
    exponents = [
        _exponents(request, *cell) | {"forgotten_after": forgotten_after(product)}
        for cell, product in zip(cells, products, strict=True)
    ]
    counterexamples = pd.concat([_counterexamples(request, seed) for seed in request.seeds], ignore_index=True)
    frames = (pd.concat(products, ignore_index=True), pd.DataFrame(exponents), counterexamples)
    tables = dict(zip(TABLES, frames, strict=True))
    values = [statement for seed in request.seeds for statement in _statements(tables, seed)]
    return Exhibit(tables, statements(values))


def forgotten_after(stretch: pd.DataFrame) -> float:
    """The first lag from which on ‖∂h_t/∂h_{t-k}‖ is below a tenth; ∞ where it is not at the longest one."""
    last = stretch.loc[stretch["stretch"] >= FORGOTTEN, "lag"].max()
    return float(np.inf if last == stretch["lag"].max() else last + 1)


def _cells(request: ExhibitRequest, seed: int) -> Iterator[tuple[int, float, str, Reservoir, ndarray]]:
    """All pairs of a reservoir and an input: the same weights and the same noise but for their scales."""
    settings = request.settings
    shape = (settings["sequences"], settings["steps"], 1)
    noise = numpy_generator(request.root_seed, seed, "echo states", "inputs").normal(size=shape)
    for radius in settings["radii"]:
        reservoir = _draw(request, seed, radius)
        for name, strength in settings["inputs"].items():
            yield seed, radius, name, reservoir, strength * noise


def _draw(request: ExhibitRequest, seed: int, radius: float) -> Reservoir:
    settings = request.settings["reservoir"]
    return draw_reservoir(input_size=1, root_seed=request.root_seed, seed=seed, spectral_radius=radius, **settings)


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
    weights, power, norms = _dense(reservoir), np.eye(reservoir.units), []
    for _ in range(lags + 1):
        norms.append(np.linalg.norm(power, 2))
        power = weights @ power
    return np.array(norms)


def _dense(reservoir: Reservoir) -> Float64[ndarray, "unit unit"]:
    return reservoir.recurrent.toarray() if isinstance(reservoir.recurrent, csr_array) else reservoir.recurrent


def _starts(request: ExhibitRequest, seed: int, units: int) -> Float64[ndarray, "start unit"]:
    """0, and others anywhere."""
    generator = numpy_generator(request.root_seed, seed, "echo states", "starts")
    return np.concatenate([np.zeros((1, units)), generator.uniform(-1, 1, (request.settings["starts"], units))])


def _exponents(
    request: ExhibitRequest, seed: int, radius: float, name: str, reservoir: Reservoir, inputs: ndarray
) -> dict[str, Any]:
    """Exponent of a reservoir; `decided` if distances pass the tolerance in these steps, or would grow from it."""
    settings, series = request.settings, inputs[0]
    tolerance, steps = settings["tolerance"], settings["steps"]
    exponent = lyapunov_exponents(reservoir, series, 1, settings["washout"], request.root_seed, seed)[0]
    distance = distances(reservoir, series, _starts(request, seed, reservoir.units))[-1]
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


def _counterexamples(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    """Largest distance from the start at 0, and the largest ‖∂h_t/∂h_{t-k}‖ of any start, each by steps."""
    settings = request.settings
    steps = settings["counterexamples"]["steps"]
    noise = numpy_generator(request.root_seed, seed, "echo states", "counterexamples").normal(size=(steps, 1))
    weights = np.array(settings["counterexamples"]["weights"], float)
    units = len(weights)
    cases = {
        BELOW: (Reservoir(weights, np.zeros((units, 1)), np.zeros(units)), 0.0),
        AT: (Reservoir(np.eye(1), np.zeros((1, 1)), np.zeros(1)), 0.0),
        ABOVE: (_draw(request, seed, max(settings["radii"])), settings["inputs"][STRONG]),
    }
    frames = []
    for case, (reservoir, strength) in cases.items():
        starts, series = _starts(request, seed, reservoir.units), strength * noise
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
        frames.append(pd.DataFrame(values))
    return pd.concat(frames, ignore_index=True)


def _statements(tables: Mapping[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    stretch, exponents, counterexamples = (tables[name][tables[name]["seed"] == seed] for name in TABLES)
    clear = exponents[exponents["decided"]]
    contracts = clear["exponent"] < 0
    echo = clear["echo_states"]
    yield "expanding_among_echo_states", seed, float((~contracts[echo]).mean())
    yield "echo_states_among_contracting", seed, float(echo[contracts].mean())
    last = counterexamples[counterexamples["step"] == counterexamples["step"].max()].set_index("case")
    yield "distance_though_products_vanish", seed, last.loc[BELOW, "distance"]
    yield "product_left_though_states_meet", seed, last.loc[AT, "stretch"]
    radii = exponents["radius"]
    small, near = radii.min(), radii[radii <= 1].max()
    durations = exponents.set_index(["input", "radius"])["forgotten_after"]
    yield "forgotten_after_at_small_radius", seed, durations[WEAK, small]
    for name in (WEAK, STRONG):
        yield f"lasts_longer_near_1_{name}", seed, durations[name, near] / durations[name, small]
    up_to_1 = exponents[(radii <= 1) & (exponents["input"] == WEAK)]
    yield "radius_orders_memory", seed, up_to_1["radius"].corr(up_to_1["forgotten_after"], method="spearman")
    above = exponents[radii > 1]
    for name in (NONE, WEAK, STRONG):
        yield f"echo_states_above_1_{name}", seed, float(above.loc[above["input"] == name, "echo_states"].mean())
    for name in (WEAK, STRONG):
        row = stretch[(stretch["input"] == name) & (stretch["radius"] == near)].set_index("lag").loc[LINEAR_LAG]
        yield f"linear_{name}", seed, row["stretch"] / row["linear"]
