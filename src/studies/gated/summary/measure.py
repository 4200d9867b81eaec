"""Section 18: every cell of the three studies by one method, at equal parameters and tuned rates, and reservoirs."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch

from learnability.cells import Parameters
from learnability.networks.costs import count_work
from learnability.networks.network import hidden_units
from learnability.reservoirs import memory_capacity
from learnability.training.engines import ENGINES, choose_engine
from learnability.windows.reach import by_lag, over_seeds, reach, summary
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import compare_rates, compared, rate_of, shares_of

GATED = ("lstm", "gru", "lstm_slow", "gru_slow")
"""Architectures that the notes hold against a vanilla RNN, by where their gates start."""
WINDOWS = ["architecture", "epoch", "lag", "seeds", "alpha", "heavy", "needed", "needed_low", "needed_high", "share"]
REACH = ["share", "start", "end", "learned"]
NAMES = ["experiment", "architecture", "seed"]


def make(request: ExhibitRequest) -> Exhibit:
    """Tables of all cells, with the least and the greatest of seeds beside medians.

    Returns:
        `cells`: units, the `numbers` that a cell has, by how much they miss those that were asked for, `miss`, and
        those that are `trained`, at which `rate`; multiply-adds of a gradient a step of a sequence, `multiply_adds`,
        and what it keeps for the backward pass, `kept_bytes`; the processor time of a gradient beside one of the first
        cell, `cost`, by the `engine` that trains the cell; the memory capacity before and after training, and what
        training adds, its `gain`; the mean `share` of the task's lags that is learned, the longest lag that is seen at
        the `start` and at the `end` and that is half `learned`, and log₁₀ of the noise scale B of the longest lag
        before training, `noise`: as of `learnability.windows.reach`.
        `cells_by_lag`: N̂(ℓ) at the start and at the end, and the share that is learned.
        `cells_rates`: as of `compare_rates`, with the `share` that is learned at each rate, and whether it is `shown`:
        windows are measured of one rate.
    """
    settings, families = request.settings, _families(request.settings["families"])
    windows = by_lag(request.measured["training_windows"], request.measured["training_responses"])
    keys = set(windows[NAMES].itertuples(index=False, name=None))
    members = [
        model for model in request.trained if model.architecture in families and (*model.names.values(),) in keys
    ]
    members.sort(key=lambda model: list(families).index(model.architecture))
    of_seeds = reach(windows).set_index(["architecture", "seed"])
    capacities = pd.DataFrame(
        {"architecture": model.architecture, "seed": model.seed, **_capacities(model, request.root_seed, settings)}
        for model in members
    )
    first = {model.architecture: model for model in reversed(members)}
    sizes = pd.DataFrame(
        {"family": families[name], "architecture": name, **_size(first[name])} for name in families if name in first
    )
    examples = [first[name] for name in sizes["architecture"]]
    costs = _costs(examples, settings["batch_size"], settings["repeats"])
    memory = pd.DataFrame(index=pd.Index(capacities["architecture"].unique(), name="architecture"))
    capacities["gain"] = capacities["capacity"] - capacities["capacity_start"]
    for name in ("capacity_start", "capacity", "gain"):
        of_cells = capacities.groupby("architecture")[name].agg(["median", "min", "max"])
        memory[[name, f"{name}_low", f"{name}_high"]] = of_cells
    ends = [f"{name}{end}" for name in REACH for end in ("", "_low", "_high")]
    work = pd.DataFrame([_work(model, settings["batch_size"]) for model in examples])
    table = pd.concat([sizes, work], axis=1).assign(cost=costs).merge(memory.reset_index(), on="architecture")
    table = table.merge(summary(reach(windows))[["architecture", "seeds", *ends]], on="architecture")
    table = table.merge(of_seeds.groupby("architecture")["noise"].median().reset_index(), on="architecture")
    return Exhibit(
        {"cells": table, "cells_by_lag": over_seeds(windows)[WINDOWS], "cells_rates": _rates(request, members)},
        _statements(of_seeds, capacities.set_index(["architecture", "seed"]), families, request.seeds),
    )


def _families(by_family: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {name: family for family, names in by_family.items() for name in names}


def _is_reservoir(model: Trained) -> bool:
    return "reservoir" in model.settings


def _rates(request: ExhibitRequest, members: Sequence[Trained]) -> pd.DataFrame:
    """Table of the rates of the cells that are shown, which of them is `shown`, and the share that is learned at it."""
    models = [model for model in request.trained if not _is_reservoir(model)]
    rows = [
        {
            "architecture": model.architecture,
            "rate": rate_of(model),
            "share": float(shares_of(model, request.settings["sequences"])["share"].mean()),
        }
        for model in compared(models)
    ]
    shares = pd.DataFrame(rows).groupby(["architecture", "rate"], as_index=False)["share"].median()
    table = compare_rates(models).merge(shares, on=["architecture", "rate"])
    chosen_rates = {(model.architecture, rate_of(model)) for model in members if not _is_reservoir(model)}
    table["shown"] = [pair in chosen_rates for pair in zip(table["architecture"], table["rate"], strict=True)]
    return table


def _work(model: Trained, batch_size: int) -> dict[str, object]:
    """Work of a gradient, counted; a reservoir has none."""
    if _is_reservoir(model):
        return {"multiply_adds": np.nan, "kept_bytes": np.nan, "engine": "none"}
    sequences = model.task.generate("cost", batch_size)
    work = count_work(model.network, model.parameters, *map(torch.from_numpy, (sequences.inputs, sequences.targets)))
    engine = choose_engine("auto", "cpu", model.network)[0]
    return {"multiply_adds": work.multiply_adds, "kept_bytes": work.kept, "engine": engine}


def _size(model: Trained) -> dict[str, float]:
    numbers = sum(int((tensor != 0).sum()) for tensor in model.parameters.values())
    readout = sum(model.parameters[name].numel() for name in ("w", "b") if name in model.parameters)
    count = numbers if _is_reservoir(model) else model.network.count_parameters()
    budget = model.settings["network"].get("parameters")
    return {
        "units": model.network.cell.hidden_size,
        "numbers": count,
        "miss": count / budget - 1 if budget else np.nan,
        "trained": readout if _is_reservoir(model) else count,
        "rate": np.nan if _is_reservoir(model) else rate_of(model),
    }


def _capacities(model: Trained, root_seed: int, settings: Mapping[str, Any]) -> dict[str, float]:
    """Σ r²(ℓ) of inputs as those of the task, before and after training; a reservoir is the same at both.

    States need not be stationary, so readouts are fitted to half of the sequences and judged on the others.
    """
    start = model.network.initial_parameters(root_seed, model.seed)
    stages = {"capacity_start": model.parameters if _is_reservoir(model) else start, "capacity": model.parameters}
    inputs, longest = model.task.generate("memory", settings["sequences"]).inputs, settings["longest_lag"]
    past, capacities = inputs[..., 0].astype(float), {}
    for name, parameters in stages.items():
        states = _states(model, parameters, inputs)
        recall = memory_capacity(states, past, range(1, longest + 1), longest, held_out="sequences")
        capacities[name] = float(recall.sum())
    return capacities


def _states(model: Trained, parameters: Parameters, inputs: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        return hidden_units(model.network.cell, parameters, torch.from_numpy(inputs).double()).numpy()


def _costs(members: Sequence[Trained], batch_size: int, repeats: int) -> list[float]:
    """Processor time of a gradient by the engine that trains, the least of several, beside that of the first member."""
    engines = {}
    for model in members:
        if not _is_reservoir(model):
            single = {name: tensor.float() for name, tensor in model.parameters.items()}
            engine = ENGINES[choose_engine("auto", "cpu", model.network)[0]](model.network, [single])
            sequences = model.task.generate("cost", batch_size)
            batch = [torch.from_numpy(part)[None] for part in (sequences.inputs, sequences.targets)]
            engines[model.architecture] = engine, batch
    seconds = {name: np.inf for name in engines}
    for _ in range(repeats):  # one after the other, so that load on the machine is on all of them
        for name, (engine, batch) in engines.items():
            began = time.process_time()
            engine.losses_and_gradients(*batch)
            seconds[name] = min(seconds[name], time.process_time() - began)
    base = next(iter(seconds.values()), np.nan)
    return [seconds.get(model.architecture, np.nan) / base for model in members]


def _statements(
    of_seeds: pd.DataFrame, capacities: pd.DataFrame, families: Mapping[str, str], seeds: Sequence[int]
) -> pd.DataFrame:
    """Differences of a seed: in the share that is learned, in log₁₀ B of the longest lag, in memory capacity."""
    values = []
    for seed in seeds:
        share, noise = (of_seeds[name].xs(seed, level="seed") for name in ("share", "noise"))
        if "rnn" in share:
            for name in GATED:
                if name in share:
                    values.append((f"{name}_learns_more", seed, share[name] - share["rnn"]))
                    values.append((f"{name}_keeps_gradients", seed, noise["rnn"] - noise[name]))
        kinds = share.groupby(share.index.map(families)).max()
        if "reservoirs" in kinds and len(kinds) > 1:
            values.append(("reservoirs_learn_less", seed, kinds["reservoirs"] - kinds.drop("reservoirs").max()))
            memory = capacities["capacity"].xs(seed, level="seed")
            best = memory.groupby(memory.index.map(families)).max()
            values.append(("reservoirs_remember", seed, best["reservoirs"] / best.drop("reservoirs").max()))
    return statements(values)
