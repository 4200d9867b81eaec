"""Sections 14 and 15: what a reservoir remembers, and whether it helps to project inputs at random."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float64
from numpy import ndarray
from scipy.spatial.distance import cdist

from learnability.core.streams import numpy_generator
from learnability.reservoirs import Reservoir, choose_readout, draw_reservoir, fit_readout, memory_capacity
from learnability.tasks.series import Narma
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
from studies.gated.memory.question import QUESTION

TABLES = QUESTION.tables
RESERVOIR, INPUTS = "reservoir", "last inputs"
"""Features that a readout reads; as many inputs as a reservoir has units."""
ZERO, ANYWHERE = "0", "anywhere"
"""Starts of states."""
HALF = 0.5
"""Share r² of an input that counts as remembered."""


def make(request: ExhibitRequest) -> Exhibit:
    """Memory curves, NARMA-10, products of inputs, readouts, washout and suffixes."""
    parts = (_curves, _narma, _products, _readouts, _washout, _suffixes, _neighbours)
    curves, *rest = (pd.concat([part(request, seed) for seed in request.seeds], ignore_index=True) for part in parts)
    tables = dict(zip(TABLES, (curves, totals(curves), *rest), strict=True))
    return Exhibit(tables, statements(statement for seed in request.seeds for statement in _statements(tables, seed)))


def totals(curves: pd.DataFrame) -> pd.DataFrame:
    """The sum of r²(ℓ), which is at most the units, and the longest lag of which half is recalled."""
    names = ["seed", "input_scale", "radius", "units"]
    capacity = curves.groupby(names, sort=False)["recalled"].sum().rename("capacity")
    reach = curves[curves["recalled"] >= HALF].groupby(names)["lag"].max().rename("reach")
    return pd.concat([capacity, reach], axis=1).fillna({"reach": 0}).reset_index()


def _draw(request: ExhibitRequest, seed: int, radius: float, **settings: Any) -> Reservoir:
    settings = {**request.settings["reservoir"], "spectral_radius": radius, **settings}
    return draw_reservoir(input_size=1, root_seed=request.root_seed, seed=seed, **settings)


def _noise(request: ExhibitRequest, seed: int, name: str, steps: int) -> Float64[ndarray, "1 time 1"]:
    return numpy_generator(request.root_seed, seed, "memory", name).uniform(-1, 1, (1, steps, 1))


def _curves(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    settings, frames = request.settings["capacity"], []
    lags = range(settings["lags"] + 1)
    inputs = _noise(request, seed, "capacity", settings["steps"])
    for scale in settings["input_scales"]:
        for radius in request.settings["radii"]:
            reservoir = _draw(request, seed, radius, input_scale=scale)
            recall = memory_capacity(reservoir.states(inputs), inputs[..., 0], lags, max(lags), held_out="steps")
            names = {"seed": seed, "input_scale": scale, "radius": radius, "units": reservoir.units}
            frames.append(pd.DataFrame(names | {"lag": lags, "recalled": recall}))
    return pd.concat(frames)


def last_inputs(inputs: Float64[ndarray, "sequence time 1"], count: int) -> Float64[ndarray, "sequence time lag"]:
    """x_t, x_{t-1}, …; 0 before the first step."""
    history = np.concatenate([np.zeros((len(inputs), count - 1)), inputs[..., 0]], 1)
    return np.stack([history[:, count - 1 - lag : history.shape[1] - lag] for lag in range(count)], -1)


def _series(request: ExhibitRequest, seed: int, split: str) -> tuple[ndarray, ndarray]:
    """Inputs and targets of a series of NARMA-10, in double precision."""
    data = Narma(request.settings["narma"]["steps"], request.root_seed, seed).generate(split, 1)
    return data.inputs.astype(float), data.targets.astype(float)


def _narma(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    """Squared error over the variance, on a test series; λ is the best on a series of its own."""
    settings, rows = request.settings["narma"], []
    series = {split: _series(request, seed, split) for split in ("training", "validation", "test")}
    for radius in [None, *request.settings["radii"]]:
        if radius is None:
            features = {
                split: last_inputs(x, request.settings["reservoir"]["units"]) for split, (x, _) in series.items()
            }
        else:
            reservoir = _draw(request, seed, radius, input_scale=settings["input_scale"])
            features = {split: reservoir.states(x) for split, (x, _) in series.items()}
        training, validation = ((features[split], series[split][1]) for split in ("training", "validation"))
        best, _, weights, offset = choose_readout(training, validation, settings["penalties"], settings["washout"])
        error = _error(features["test"], series["test"][1], weights, offset, settings["washout"])
        names = {"seed": seed, "reads": INPUTS if radius is None else RESERVOIR, "radius": radius}
        rows.append(names | {"penalty": settings["penalties"][best], "error": error})
    return pd.DataFrame(rows).astype({"radius": float})


def _error(features: ndarray, targets: ndarray, weights: ndarray, offset: ndarray | float, washout: int) -> float:
    truth = targets[:, washout:]
    return float(((features[:, washout:] @ weights + offset - truth) ** 2).mean() / truth.var())


def _products(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    """r² of the product of the last two inputs, of mean 0, on a series of its own.

    Without a bias h_t = tanh(W h_{t-1} + W_in x_t) changes its sign with the inputs: no readout of it has any even
    function of them.
    """
    settings, rows = request.settings["products"], []
    x, fresh = (_noise(request, seed, name, settings["steps"]) for name in ("product", "other"))
    washout = settings["washout"]
    for name, bias in {
        INPUTS: None,
        f"{RESERVOIR}, no bias": 0.0,
        f"{RESERVOIR}, bias": settings["bias_scale"],
    }.items():
        if bias is None:
            features, test_features = (
                last_inputs(series, request.settings["reservoir"]["units"]) for series in (x, fresh)
            )
        else:
            reservoir = _draw(request, seed, settings["radius"], bias_scale=bias)
            features, test_features = reservoir.states(x), reservoir.states(fresh)
        targets, unseen = (series[..., 0] * np.roll(series[..., 0], 1, 1) for series in (x, fresh))
        weights, offset = fit_readout(features, targets, 0.0, washout)
        share = 1 - _error(test_features, unseen, weights, offset, washout)
        rows.append({"seed": seed, "reads": name, "explained": max(0.0, share)})
    return pd.DataFrame(rows)


def _readouts(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    """Y Hᵀ (H Hᵀ + λ I)⁻¹ as it is printed, with an inverse, beside the same solved; H and Y about their means."""
    settings, rows = request.settings["inverted"], []
    washout, scale = request.settings["narma"]["washout"], request.settings["narma"]["input_scale"]
    (x, y), (test, truth) = (_series(request, seed, split) for split in ("training", "test"))
    for radius in settings["radii"]:
        reservoir = _draw(request, seed, radius, input_scale=scale)
        states, test_states = reservoir.states(x), reservoir.states(test)
        middle, level = states[0, washout:].mean(0), y[0, washout:].mean()
        centred_states, about = states[0, washout:] - middle, y[0, washout:] - level
        for penalty in settings["penalties"]:
            weights, offset = fit_readout(states, y, penalty, washout)
            inverse = (
                about
                @ centred_states
                @ np.linalg.inv(centred_states.T @ centred_states + penalty * np.eye(reservoir.units))
            )
            values = {
                "difference": float(np.linalg.norm(inverse - weights) / np.linalg.norm(weights)),
                "error_solved": _error(test_states, truth, weights, offset, washout),
                "error_inverted": _error(test_states, truth, inverse, float(level - middle @ inverse), washout),
            }
            rows.append({"seed": seed, "radius": radius, "penalty": penalty} | values)
    return pd.DataFrame(rows)


def _washout(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    """Error on a test series behind its transient, of readouts fitted behind more or less of that in training."""
    settings, narma, rows = request.settings["washouts"], request.settings["narma"], []
    reservoir = _draw(request, seed, settings["radius"], input_scale=narma["input_scale"])
    (x, y), (test, truth) = (_series(request, seed, split) for split in ("training", "test"))
    random_start = numpy_generator(request.root_seed, seed, "memory", "start").uniform(-1, 1, (1, reservoir.units))
    for start, initial in {ZERO: np.zeros_like(random_start), ANYWHERE: random_start}.items():
        states, test_states = reservoir.states(x, initial), reservoir.states(test)
        for washout in settings["steps"]:
            weights, offset = fit_readout(states, y, settings["penalty"], washout)
            error = _error(test_states, truth, weights, offset, narma["washout"])
            rows.append({"seed": seed, "start": start, "washout": washout, "error": error})
    return pd.DataFrame(rows)


def _symbols(request: ExhibitRequest, seed: int, name: str, count: int) -> Float64[ndarray, "sequence time 1"]:
    generator = numpy_generator(request.root_seed, seed, "memory", name)
    return generator.choice([-1.0, 1.0], (count, request.settings["suffixes"]["steps"], 1))


def _suffixes(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    """Mean distance of last states of two sequences of ±1 of which the last k symbols are the same, and none before."""
    settings, frames = request.settings["suffixes"], []
    first, second = (_symbols(request, seed, name, settings["sequences"]) for name in ("one", "other"))
    for radius in settings["radii"]:
        reservoir = _draw(request, seed, radius, input_scale=settings["input_scale"])
        states = reservoir.states(first)[:, -1]
        apart = []
        for common in range(settings["longest"] + 1):
            places = settings["steps"] - common
            variants = np.concatenate([second[:, : places - 1], -first[:, places - 1 : places], first[:, places:]], 1)
            apart.append(np.linalg.norm(reservoir.states(variants)[:, -1] - states, axis=-1).mean())
        names = {"seed": seed, "radius": radius, "common": range(settings["longest"] + 1)}
        frames.append(pd.DataFrame(names | {"distance": np.array(apart) / apart[0]}))
    return pd.concat(frames)


def _neighbours(request: ExhibitRequest, seed: int) -> pd.DataFrame:
    """Share of last states whose nearest neighbour has the longest common suffix, and the share by chance."""
    settings, rows = request.settings["suffixes"], []
    symbols = _symbols(request, seed, "one", settings["sequences"])
    suffix = common_suffix(symbols[..., 0])
    longest = suffix == suffix.max(1, keepdims=True)
    for radius in settings["radii"]:
        states = _draw(request, seed, radius, input_scale=settings["input_scale"]).states(symbols)[:, -1]
        apart = cdist(states, states)
        np.fill_diagonal(apart, np.inf)
        share = float(longest[np.arange(len(longest)), apart.argmin(1)].mean())
        chance = float(longest.sum(1).mean() / (len(longest) - 1))
        rows.append({"seed": seed, "radius": radius, "share": share, "by_chance": chance})
    return pd.DataFrame(rows)


def common_suffix(symbols: Float64[ndarray, "sequence time"]) -> Float64[ndarray, "sequence sequence"]:
    """Number of last symbols that each two sequences share; -1 of a sequence with itself."""
    matches = symbols[:, None, ::-1] == symbols[None, :, ::-1]
    lengths = np.cumprod(matches, -1).sum(-1).astype(float)
    np.fill_diagonal(lengths, -1)
    return lengths


def _statements(tables: Mapping[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    seed_tables = {name: table[table["seed"] == seed] for name, table in tables.items()}
    capacity = seed_tables["memory_totals"]
    yield "capacity_over_units", seed, (capacity["capacity"] / capacity["units"]).max()
    scales = sorted(capacity["input_scale"].unique())
    for name, scale in (("weak", scales[0]), ("strong", scales[-1])):
        rows = capacity[capacity["input_scale"] == scale]
        yield f"longest_memory_at_{name}", seed, rows.loc[rows["capacity"].idxmax(), "radius"]
    narma = seed_tables["memory_narma"].set_index("reads")
    reservoirs = narma.loc[[RESERVOIR]]
    yield "narma_of_inputs_over_reservoir", seed, narma.loc[INPUTS, "error"] / reservoirs["error"].min()
    yield "narma_best_at", seed, reservoirs["radius"].iloc[int(reservoirs["error"].argmin())]
    products = seed_tables["memory_products"].set_index("reads")["explained"]
    yield "product_without_bias", seed, products[f"{RESERVOIR}, no bias"]
    yield "product_with_bias", seed, products[f"{RESERVOIR}, bias"]
    readouts = seed_tables["memory_readouts"].set_index("penalty")
    large, small = (readouts.loc[[end]] for end in (readouts.index.max(), readouts.index.min()))
    yield "inverse_agrees_at_large_penalty", seed, large["difference"].max()
    yield "inverse_over_solved_at_small_penalty", seed, (small["error_inverted"] / small["error_solved"]).max()
    washout = seed_tables["memory_washout"].set_index(["start", "washout"])["error"]
    for name, start in (("zero", ZERO), ("anywhere", ANYWHERE)):
        yield f"without_washout_over_with_{name}", seed, washout[start].iloc[0] / washout[start].iloc[-1]
    suffixes = seed_tables["memory_suffixes"]
    ranks = [rows["common"].corr(rows["distance"], method="spearman") for _, rows in suffixes.groupby("radius")]
    yield "longer_suffix_closer", seed, max(ranks)
    shares = seed_tables["memory_neighbours"].set_index("radius")["share"].sort_index()
    middle = shares.index[len(shares) // 2]
    yield "neighbour_shares_suffix_middle", seed, shares[middle]
    yield "small_over_middle_radius", seed, shares.iloc[0] / shares[middle]
