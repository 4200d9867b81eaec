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
from studies.gated.exhibit import Asked, Exhibit, Trained, statements
from studies.gated.learned import compare_rates, compared, rate_of, shares_of

GATED = ("lstm", "gru", "lstm_slow", "gru_slow")
"""Architectures that the notes hold against a vanilla RNN, by where their gates start."""
WINDOWS = ["architecture", "epoch", "lag", "seeds", "alpha", "heavy", "needed", "needed_low", "needed_high", "share"]
REACH = ["share", "start", "end", "learned"]
NAMES = ["experiment", "architecture", "seed"]


def make(asked: Asked) -> Exhibit:
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
    settings, families = asked.settings, _families(asked.settings["families"])
    seen = by_lag(asked.measured["training_windows"], asked.measured["training_responses"])
    shown = set(seen[NAMES].itertuples(index=False, name=None))
    members = [each for each in asked.trained if each.architecture in families and (*each.names.values(),) in shown]
    members.sort(key=lambda each: list(families).index(each.architecture))
    of_seeds = reach(seen).set_index(["architecture", "seed"])
    capacities = pd.DataFrame(
        {"architecture": each.architecture, "seed": each.seed, **_capacities(each, asked.root_seed, settings)}
        for each in members
    )
    first = {each.architecture: each for each in reversed(members)}
    sizes = pd.DataFrame(
        {"family": families[name], "architecture": name, **_size(first[name])} for name in families if name in first
    )
    ordered = [first[name] for name in sizes["architecture"]]
    costs = _costs(ordered, settings["batch_size"], settings["repeats"])
    recalled = pd.DataFrame(index=pd.Index(capacities["architecture"].unique(), name="architecture"))
    capacities["gain"] = capacities["capacity"] - capacities["capacity_start"]
    for name in ("capacity_start", "capacity", "gain"):
        of_cells = capacities.groupby("architecture")[name].agg(["median", "min", "max"])
        recalled[[name, f"{name}_low", f"{name}_high"]] = of_cells
    ends = [f"{name}{end}" for name in REACH for end in ("", "_low", "_high")]
    work = pd.DataFrame([_work(each, settings["batch_size"]) for each in ordered])
    table = pd.concat([sizes, work], axis=1).assign(cost=costs).merge(recalled.reset_index(), on="architecture")
    table = table.merge(summary(reach(seen))[["architecture", "seeds", *ends]], on="architecture")
    table = table.merge(of_seeds.groupby("architecture")["noise"].median().reset_index(), on="architecture")
    return Exhibit(
        {"cells": table, "cells_by_lag": over_seeds(seen)[WINDOWS], "cells_rates": _rates(asked, members)},
        _statements(of_seeds, capacities.set_index(["architecture", "seed"]), families, asked.seeds),
    )


def _families(by_family: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {name: family for family, names in by_family.items() for name in names}


def _is_reservoir(trained: Trained) -> bool:
    return "reservoir" in trained.settings


def _rates(asked: Asked, members: Sequence[Trained]) -> pd.DataFrame:
    """Each rate of the cells that are shown, whether it is the one `shown`, and the share that is learned at it."""
    trained = [each for each in asked.trained if not _is_reservoir(each)]
    learned = [
        {"architecture": each.architecture, "rate": rate_of(each), "share": _share(each, asked.settings["sequences"])}
        for each in compared(trained)
    ]
    shares = pd.DataFrame(learned).groupby(["architecture", "rate"], as_index=False)["share"].median()
    table = compare_rates(trained).merge(shares, on=["architecture", "rate"])
    own = {(each.architecture, rate_of(each)) for each in members if not _is_reservoir(each)}
    table["shown"] = [pair in own for pair in zip(table["architecture"], table["rate"], strict=True)]
    return table


def _share(trained: Trained, sequences: int) -> float:
    """The mean over the lags of the task."""
    return float(shares_of(trained, sequences)["share"].mean())


def _work(trained: Trained, batch_size: int) -> dict[str, object]:
    """Of a gradient, counted; a reservoir has none."""
    if _is_reservoir(trained):
        return {"multiply_adds": np.nan, "kept_bytes": np.nan, "engine": "none"}
    drawn = trained.task.generate("cost", batch_size)
    work = count_work(trained.network, trained.parameters, *map(torch.from_numpy, (drawn.inputs, drawn.targets)))
    engine = choose_engine("auto", "cpu", trained.network)[0]
    return {"multiply_adds": work.multiply_adds, "kept_bytes": work.kept, "engine": engine}


def _size(trained: Trained) -> dict[str, float]:
    numbers = sum(int((each != 0).sum()) for each in trained.parameters.values())
    readout = sum(trained.parameters[name].numel() for name in ("w", "b") if name in trained.parameters)
    counted = numbers if _is_reservoir(trained) else trained.network.count_parameters()
    asked = trained.settings["network"].get("parameters")
    return {
        "units": trained.network.cell.hidden_size,
        "numbers": counted,
        "miss": counted / asked - 1 if asked else np.nan,
        "trained": readout if _is_reservoir(trained) else counted,
        "rate": np.nan if _is_reservoir(trained) else rate_of(trained),
    }


def _capacities(trained: Trained, root_seed: int, settings: Mapping[str, Any]) -> dict[str, float]:
    """Σ r²(ℓ) of inputs as those of the task, before and after training; a reservoir is the same at both.

    States need not be stationary, so readouts are fitted to half of the sequences and judged on the others.
    """
    start = trained.network.initial_parameters(root_seed, trained.seed)
    both = {"capacity_start": trained.parameters if _is_reservoir(trained) else start, "capacity": trained.parameters}
    drawn, longest = trained.task.generate("memory", settings["sequences"]).inputs, settings["longest_lag"]
    past, found = drawn[..., 0].astype(float), {}
    for name, parameters in both.items():
        states = _states(trained, parameters, drawn)
        recalled = memory_capacity(states, past, range(1, longest + 1), longest, held_out="sequences")
        found[name] = float(recalled.sum())
    return found


def _states(trained: Trained, parameters: Parameters, inputs: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        return hidden_units(trained.network.cell, parameters, torch.from_numpy(inputs).double()).numpy()


def _costs(members: Sequence[Trained], batch_size: int, repeats: int) -> list[float]:
    """Processor time of a gradient by the engine that trains, the least of several, beside that of the first member."""
    engines = {}
    for each in members:
        if not _is_reservoir(each):
            single = {name: tensor.float() for name, tensor in each.parameters.items()}
            engine = ENGINES[choose_engine("auto", "cpu", each.network)[0]](each.network, [single])
            drawn = each.task.generate("cost", batch_size)
            batch = [torch.from_numpy(part)[None] for part in (drawn.inputs, drawn.targets)]
            engines[each.architecture] = engine, batch
    seconds = {name: np.inf for name in engines}
    for _ in range(repeats):  # one after the other, so that load on the machine is on all of them
        for name, (engine, batch) in engines.items():
            began = time.process_time()
            engine.losses_and_gradients(*batch)
            seconds[name] = min(seconds[name], time.process_time() - began)
    base = next(iter(seconds.values()), np.nan)
    return [seconds.get(each.architecture, np.nan) / base for each in members]


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
            recalled = capacities["capacity"].xs(seed, level="seed")
            best = recalled.groupby(recalled.index.map(families)).max()
            values.append(("reservoirs_remember", seed, best["reservoirs"] / best.drop("reservoirs").max()))
    return statements(values)
