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
from studies.gated.exhibit import Asked, Exhibit, statements
from studies.gated.memory.question import QUESTION

TABLES = QUESTION.tables
RESERVOIR, INPUTS = "reservoir", "last inputs"
"""What a readout reads; as many inputs as a reservoir has units."""
ZERO, ANYWHERE = "0", "anywhere"
"""Where states start."""
HALF = 0.5
"""Share r² of an input that counts as remembered."""


def make(asked: Asked) -> Exhibit:
    """Memory curves, NARMA-10, products of inputs, readouts, washout and suffixes."""
    parts = (_curves, _narma, _products, _readouts, _washout, _suffixes, _neighbours)
    curves, *others = (pd.concat([part(asked, seed) for seed in asked.seeds], ignore_index=True) for part in parts)
    tables = dict(zip(TABLES, (curves, totals(curves), *others), strict=True))
    return Exhibit(tables, statements(each for seed in asked.seeds for each in _stated(tables, seed)))


def totals(curves: pd.DataFrame) -> pd.DataFrame:
    """The sum of r²(ℓ), which is at most the units, and the longest lag of which half is recalled."""
    names = ["seed", "input_scale", "radius", "units"]
    summed = curves.groupby(names, sort=False)["recalled"].sum().rename("capacity")
    reach = curves[curves["recalled"] >= HALF].groupby(names)["lag"].max().rename("reach")
    return pd.concat([summed, reach], axis=1).fillna({"reach": 0}).reset_index()


def _drawn(asked: Asked, seed: int, radius: float, **settings: Any) -> Reservoir:
    settings = {**asked.settings["reservoir"], "spectral_radius": radius, **settings}
    return draw_reservoir(input_size=1, root_seed=asked.root_seed, seed=seed, **settings)


def _noise(asked: Asked, seed: int, name: str, steps: int) -> Float64[ndarray, "1 time 1"]:
    return numpy_generator(asked.root_seed, seed, "memory", name).uniform(-1, 1, (1, steps, 1))


def _curves(asked: Asked, seed: int) -> pd.DataFrame:
    settings, found = asked.settings["capacity"], []
    lags = range(settings["lags"] + 1)
    inputs = _noise(asked, seed, "capacity", settings["steps"])
    for scale in settings["input_scales"]:
        for radius in asked.settings["radii"]:
            reservoir = _drawn(asked, seed, radius, input_scale=scale)
            recalled = memory_capacity(reservoir.states(inputs), inputs[..., 0], lags, max(lags), held_out="steps")
            names = {"seed": seed, "input_scale": scale, "radius": radius, "units": reservoir.units}
            found.append(pd.DataFrame(names | {"lag": lags, "recalled": recalled}))
    return pd.concat(found)


def last_inputs(inputs: Float64[ndarray, "sequence time 1"], count: int) -> Float64[ndarray, "sequence time lag"]:
    """x_t, x_{t-1}, …; 0 before the first step."""
    padded = np.concatenate([np.zeros((len(inputs), count - 1)), inputs[..., 0]], 1)
    return np.stack([padded[:, count - 1 - lag : padded.shape[1] - lag] for lag in range(count)], -1)


def _series(asked: Asked, seed: int, split: str) -> tuple[ndarray, ndarray]:
    """One series of NARMA-10, in double precision."""
    data = Narma(asked.settings["narma"]["steps"], asked.root_seed, seed).generate(split, 1)
    return data.inputs.astype(float), data.targets.astype(float)


def _narma(asked: Asked, seed: int) -> pd.DataFrame:
    """Squared error over the variance, on a test series; λ is the best on a series of its own."""
    settings, found = asked.settings["narma"], []
    series = {split: _series(asked, seed, split) for split in ("training", "validation", "test")}
    for radius in [None, *asked.settings["radii"]]:
        if radius is None:
            features = {split: last_inputs(x, asked.settings["reservoir"]["units"]) for split, (x, _) in series.items()}
        else:
            reservoir = _drawn(asked, seed, radius, input_scale=settings["input_scale"])
            features = {split: reservoir.states(x) for split, (x, _) in series.items()}
        training, validation = ((features[split], series[split][1]) for split in ("training", "validation"))
        best, _, weights, offset = choose_readout(training, validation, settings["penalties"], settings["washout"])
        error = _error(features["test"], series["test"][1], weights, offset, settings["washout"])
        names = {"seed": seed, "reads": INPUTS if radius is None else RESERVOIR, "radius": radius}
        found.append(names | {"penalty": settings["penalties"][best], "error": error})
    return pd.DataFrame(found).astype({"radius": float})


def _error(features: ndarray, targets: ndarray, weights: ndarray, offset: ndarray | float, washout: int) -> float:
    wanted = targets[:, washout:]
    return float(((features[:, washout:] @ weights + offset - wanted) ** 2).mean() / wanted.var())


def _products(asked: Asked, seed: int) -> pd.DataFrame:
    """r² of the product of the last two inputs, of mean 0, on a series of its own.

    Without a bias h_t = tanh(W h_{t-1} + W_in x_t) changes its sign with the inputs: no readout of it has any even
    function of them.
    """
    settings, found = asked.settings["products"], []
    x, fresh = (_noise(asked, seed, name, settings["steps"]) for name in ("product", "other"))
    washout = settings["washout"]
    for name, bias in {
        INPUTS: None,
        f"{RESERVOIR}, no bias": 0.0,
        f"{RESERVOIR}, bias": settings["bias_scale"],
    }.items():
        if bias is None:
            features, others = (last_inputs(each, asked.settings["reservoir"]["units"]) for each in (x, fresh))
        else:
            reservoir = _drawn(asked, seed, settings["radius"], bias_scale=bias)
            features, others = reservoir.states(x), reservoir.states(fresh)
        wanted, unseen = (each[..., 0] * np.roll(each[..., 0], 1, 1) for each in (x, fresh))
        weights, offset = fit_readout(features, wanted, 0.0, washout)
        explained = 1 - _error(others, unseen, weights, offset, washout)
        found.append({"seed": seed, "reads": name, "explained": max(0.0, explained)})
    return pd.DataFrame(found)


def _readouts(asked: Asked, seed: int) -> pd.DataFrame:
    """Y Hᵀ (H Hᵀ + λ I)⁻¹ as it is printed, with an inverse, beside the same solved; H and Y about their means."""
    settings, found = asked.settings["inverted"], []
    washout, scale = asked.settings["narma"]["washout"], asked.settings["narma"]["input_scale"]
    (x, y), (test, wanted) = (_series(asked, seed, split) for split in ("training", "test"))
    for radius in settings["radii"]:
        reservoir = _drawn(asked, seed, radius, input_scale=scale)
        states, others = reservoir.states(x), reservoir.states(test)
        middle, level = states[0, washout:].mean(0), y[0, washout:].mean()
        centred, about = states[0, washout:] - middle, y[0, washout:] - level
        for penalty in settings["penalties"]:
            weights, offset = fit_readout(states, y, penalty, washout)
            inverse = about @ centred @ np.linalg.inv(centred.T @ centred + penalty * np.eye(reservoir.units))
            values = {
                "difference": float(np.linalg.norm(inverse - weights) / np.linalg.norm(weights)),
                "error_solved": _error(others, wanted, weights, offset, washout),
                "error_inverted": _error(others, wanted, inverse, float(level - middle @ inverse), washout),
            }
            found.append({"seed": seed, "radius": radius, "penalty": penalty} | values)
    return pd.DataFrame(found)


def _washout(asked: Asked, seed: int) -> pd.DataFrame:
    """Error on a test series behind its transient, of readouts fitted behind more or less of that in training."""
    settings, narma, found = asked.settings["washouts"], asked.settings["narma"], []
    reservoir = _drawn(asked, seed, settings["radius"], input_scale=narma["input_scale"])
    (x, y), (test, wanted) = (_series(asked, seed, split) for split in ("training", "test"))
    drawn = numpy_generator(asked.root_seed, seed, "memory", "start").uniform(-1, 1, (1, reservoir.units))
    for start, initial in {ZERO: np.zeros_like(drawn), ANYWHERE: drawn}.items():
        states, others = reservoir.states(x, initial), reservoir.states(test)
        for washout in settings["steps"]:
            weights, offset = fit_readout(states, y, settings["penalty"], washout)
            error = _error(others, wanted, weights, offset, narma["washout"])
            found.append({"seed": seed, "start": start, "washout": washout, "error": error})
    return pd.DataFrame(found)


def _symbols(asked: Asked, seed: int, name: str, count: int) -> Float64[ndarray, "sequence time 1"]:
    drawn = numpy_generator(asked.root_seed, seed, "memory", name)
    return drawn.choice([-1.0, 1.0], (count, asked.settings["suffixes"]["steps"], 1))


def _suffixes(asked: Asked, seed: int) -> pd.DataFrame:
    """Mean distance of last states of two sequences of ±1 of which the last k symbols are the same, and none before."""
    settings, found = asked.settings["suffixes"], []
    one, other = (_symbols(asked, seed, name, settings["sequences"]) for name in ("one", "other"))
    for radius in settings["radii"]:
        reservoir = _drawn(asked, seed, radius, input_scale=settings["input_scale"])
        states = reservoir.states(one)[:, -1]
        apart = []
        for common in range(settings["longest"] + 1):
            places = settings["steps"] - common
            changed = np.concatenate([other[:, : places - 1], -one[:, places - 1 : places], one[:, places:]], 1)
            apart.append(np.linalg.norm(reservoir.states(changed)[:, -1] - states, axis=-1).mean())
        names = {"seed": seed, "radius": radius, "common": range(settings["longest"] + 1)}
        found.append(pd.DataFrame(names | {"distance": np.array(apart) / apart[0]}))
    return pd.concat(found)


def _neighbours(asked: Asked, seed: int) -> pd.DataFrame:
    """How often no other last state has seen a longer common suffix than the nearest one, and than one at random."""
    settings, found = asked.settings["suffixes"], []
    symbols = _symbols(asked, seed, "one", settings["sequences"])
    suffix = common_suffix(symbols[..., 0])
    longest = suffix == suffix.max(1, keepdims=True)
    for radius in settings["radii"]:
        states = _drawn(asked, seed, radius, input_scale=settings["input_scale"]).states(symbols)[:, -1]
        apart = cdist(states, states)
        np.fill_diagonal(apart, np.inf)
        share = float(longest[np.arange(len(longest)), apart.argmin(1)].mean())
        chance = float(longest.sum(1).mean() / (len(longest) - 1))
        found.append({"seed": seed, "radius": radius, "share": share, "by_chance": chance})
    return pd.DataFrame(found)


def common_suffix(symbols: Float64[ndarray, "sequence time"]) -> Float64[ndarray, "sequence sequence"]:
    """How many last symbols each two sequences share; -1 of a sequence with itself."""
    same = symbols[:, None, ::-1] == symbols[None, :, ::-1]
    found = np.cumprod(same, -1).sum(-1).astype(float)
    np.fill_diagonal(found, -1)
    return found


def _stated(tables: Mapping[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    own = {name: table[table["seed"] == seed] for name, table in tables.items()}
    capacity = own["memory_totals"]
    yield "capacity_over_units", seed, (capacity["capacity"] / capacity["units"]).max()
    scales = sorted(capacity["input_scale"].unique())
    for name, scale in (("weak", scales[0]), ("strong", scales[-1])):
        rows = capacity[capacity["input_scale"] == scale]
        yield f"longest_memory_at_{name}", seed, rows.loc[rows["capacity"].idxmax(), "radius"]
    narma = own["memory_narma"].set_index("reads")
    reservoirs = narma.loc[[RESERVOIR]]
    yield "narma_of_inputs_over_reservoir", seed, narma.loc[INPUTS, "error"] / reservoirs["error"].min()
    yield "narma_best_at", seed, reservoirs["radius"].iloc[int(reservoirs["error"].argmin())]
    explained = own["memory_products"].set_index("reads")["explained"]
    yield "product_without_bias", seed, explained[f"{RESERVOIR}, no bias"]
    yield "product_with_bias", seed, explained[f"{RESERVOIR}, bias"]
    readouts = own["memory_readouts"].set_index("penalty")
    large, small = (readouts.loc[[end]] for end in (readouts.index.max(), readouts.index.min()))
    yield "inverse_agrees_at_large_penalty", seed, large["difference"].max()
    yield "inverse_over_solved_at_small_penalty", seed, (small["error_inverted"] / small["error_solved"]).max()
    washout = own["memory_washout"].set_index(["start", "washout"])["error"]
    for name, start in (("zero", ZERO), ("anywhere", ANYWHERE)):
        yield f"without_washout_over_with_{name}", seed, washout[start].iloc[0] / washout[start].iloc[-1]
    suffixes = own["memory_suffixes"]
    ranks = [rows["common"].corr(rows["distance"], method="spearman") for _, rows in suffixes.groupby("radius")]
    yield "longer_suffix_closer", seed, max(ranks)
    shares = own["memory_neighbours"].set_index("radius")["share"].sort_index()
    middle = shares.index[len(shares) // 2]
    yield "neighbour_shares_suffix_middle", seed, shares[middle]
    yield "small_over_middle_radius", seed, shares.iloc[0] / shares[middle]
