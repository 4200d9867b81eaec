"""Section 16: time scales of the layers of a deep reservoir, beside a shallow one of as many units.

How far layers differ depends on how strongly one drives the next, so that it is measured over a grid of settings too.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float64, Int64
from numpy import ndarray

from learnability.core.streams import numpy_generator
from learnability.reservoirs import DeepReservoir, Reservoir, draw_reservoir, memory_capacity
from studies.gated.deep_reservoirs.question import QUESTION
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements

TABLES = QUESTION.tables
SAME, GRADED, SHALLOW = "same", "graded", "shallow"
"""Layers with one leak rate, with one of each, and one layer of as many units."""
ALL = 0
"""Units of all layers, in the column of layers, which are counted from 1."""
COUPLING = "layer_scale"
"""Size of the weights by which a layer drives the next."""
FELT_SHARE = 0.1
"""Share of its largest value below which a deviation counts as gone."""


def make(request: ExhibitRequest) -> Exhibit:
    """Memory of each layer and of all, and how long an input that was another is felt in it.

    Returns:
        `deep_layers`, `deep_decay` and `deep_curves` at the settings of the exhibit; `deep_settings`, a row for each
        `setting` of `varied` and `value` of it: how many times as long the last of equal layers feels an input as the
        first, `felt_ratio`, and recalls on average, `lag_ratio`, and what all recall over a shallow one, `capacity`.
    """
    measurements = [table for seed in request.seeds for table in _measure(request, seed)]
    layers, decay, curves = (pd.concat(part, ignore_index=True) for part in zip(*measurements, strict=True))
    settings = pd.DataFrame(row for seed in request.seeds for row in _vary(request, seed))
    tables = dict(zip(TABLES, (layers, decay, curves, settings), strict=True))
    values = [
        statement
        for seed in request.seeds
        for statement in (*_statements(layers, seed), *_settings_statements(settings, seed))
    ]
    return Exhibit(tables, statements(values))


def _vary(request: ExhibitRequest, seed: int) -> Iterator[dict[str, Any]]:
    """Rows of one setting of `varied` at a time: a setting of the reservoir where that has it, else of the exhibit."""
    for setting, values in request.settings["varied"].items():
        for value in values:
            reservoir = request.settings["reservoir"]
            inner = {"reservoir": reservoir | {setting: value}} if setting in reservoir else {setting: value}
            variation = request._replace(settings={**request.settings, **inner})
            layers = pd.concat([of_layers for of_layers, _, _ in _measure(variation, seed, (SAME, SHALLOW))])
            ratios = dict((name, ratio) for name, _, ratio in _statements(layers, seed, (SAME,)))
            yield {"seed": seed, "setting": setting, "value": value} | {
                "felt_ratio": ratios[f"felt_last_over_first_{SAME}"],
                "lag_ratio": ratios[f"lag_last_over_first_{SAME}"],
                "capacity": ratios[f"capacity_over_shallow_{SAME}"],
            }


def _settings_statements(settings: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    """The least and the largest over the grid of the setting that couples the layers."""
    rows = settings[(settings["seed"] == seed) & (settings["setting"] == COUPLING)]
    for name in ("felt", "lag"):
        yield f"{name}_last_over_first_least", seed, rows[f"{name}_ratio"].min()
        yield f"{name}_last_over_first_largest", seed, rows[f"{name}_ratio"].max()
    yield "capacity_over_shallow_least", seed, rows["capacity"].min()
    yield "capacity_over_shallow_largest", seed, rows["capacity"].max()


def _draw(request: ExhibitRequest, seed: int) -> dict[str, DeepReservoir]:
    """Weights of a layer are the same whatever its leak rate."""
    settings = request.settings
    leaks, units = settings["graded_leaks"], settings["units"]

    def layer(place: int, size: int, leak: float) -> Reservoir:
        inputs = {"input_size": units, "input_scale": settings["layer_scale"]} if place else {"input_size": 1}
        options = {"input_scale": settings["input_scale"]} | inputs | settings["reservoir"]
        return draw_reservoir(size, root_seed=request.root_seed, seed=seed, layer=place, leak=leak, **options)

    return {
        SAME: DeepReservoir(tuple(layer(place, units, leaks[0]) for place in range(len(leaks)))),
        GRADED: DeepReservoir(tuple(layer(place, units, leak) for place, leak in enumerate(leaks))),
        SHALLOW: DeepReservoir((layer(0, units * len(leaks), leaks[0]),)),
    }


def _measure(
    request: ExhibitRequest, seed: int, kinds: tuple[str, ...] = (SAME, GRADED, SHALLOW)
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]]:
    settings = request.settings
    lags, generator = range(settings["lags"] + 1), numpy_generator(request.root_seed, seed, "deep reservoirs", "inputs")
    inputs = generator.uniform(-1, 1, (1, settings["steps"], 1))
    pairs = generator.uniform(-1, 1, (settings["sequences"], 2 * len(lags), 1))
    variants = pairs.copy()
    variants[:, len(lags)] = generator.uniform(-1, 1, (settings["sequences"], 1))
    drawn_reservoirs: Mapping[str, DeepReservoir] = _draw(request, seed)
    for kind in kinds:
        reservoir = drawn_reservoirs[kind]
        states = reservoir.states(inputs)
        apart = (reservoir.states(variants) - reservoir.states(pairs))[:, len(lags) :]
        for layer, units in _units(reservoir).items():
            recall = memory_capacity(states[..., units], inputs[..., 0], lags, max(lags), held_out="steps")
            distance = np.linalg.norm(apart[..., units], axis=-1).mean(0)
            names = {"seed": seed, "kind": kind, "layer": layer}
            values = {
                "units": len(units),
                "capacity": recall.sum(),
                "mean_lag": (recall * lags).sum() / recall.sum(),
                "felt": felt_for(distance),
            }
            yield (
                pd.DataFrame([names | values]),
                pd.DataFrame(names | {"step": range(len(distance)), "deviation": distance / distance.max()}),
                pd.DataFrame(names | {"lag": lags, "recalled": recall}),
            )


def _units(reservoir: DeepReservoir) -> dict[int, Int64[ndarray, "unit"]]:
    """Places of the units of all layers, and of each where there are several."""
    places = np.arange(reservoir.units)
    if len(reservoir.layers) == 1:
        return {ALL: places}
    ends = np.cumsum([layer.units for layer in reservoir.layers])
    return {ALL: places} | dict(enumerate(np.split(places, ends[:-1]), 1))


def felt_for(distance: Float64[ndarray, "step"]) -> int:
    """Steps from the change until what is left of a deviation stays below a tenth of the largest."""
    return int(np.flatnonzero(distance >= FELT_SHARE * distance.max())[-1]) + 1


def _statements(
    layers: pd.DataFrame, seed: int, kinds: tuple[str, ...] = (SAME, GRADED)
) -> Iterator[tuple[str, int, float]]:
    rows = layers[layers["seed"] == seed].set_index(["kind", "layer"])
    felt, lag, capacity = (rows[name].to_dict() for name in ("felt", "mean_lag", "capacity"))
    last = rows.index.get_level_values("layer").max()
    for kind in kinds:
        yield f"felt_last_over_first_{kind}", seed, felt[kind, last] / felt[kind, 1]
        yield f"lag_last_over_first_{kind}", seed, lag[kind, last] / lag[kind, 1]
        yield f"capacity_over_shallow_{kind}", seed, capacity[kind, ALL] / capacity[SHALLOW, ALL]
