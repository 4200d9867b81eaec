"""Section 14: what a trained reservoir costs, and a network trained by BPTT to the same error, on NARMA-10."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy import ndarray

from learnability.core.errors import require
from learnability.networks.costs import matrix_work
from learnability.networks.network import Network
from learnability.reservoirs import Reservoir, choose_readout, draw_reservoir
from learnability.tasks import Sequences
from learnability.tasks.series import Narma
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
from studies.gated.training_cost.question import QUESTION
from studies.gated.trials import best_of, train_at_rates

TABLES = QUESTION.tables
RESERVOIR = "reservoir"
CELLS: dict[str, dict[str, Any]] = {"rnn": {"cell": "rnn"}, "gru": {"cell": "gru", "gate_init": 0.5}}
"""Networks that are trained by BPTT; the first has the reservoir's recurrence."""


def make(request: ExhibitRequest) -> Exhibit:
    """Error and multiply-adds of reservoirs and of networks of as many units."""
    rates = request.settings["learning_rates"]
    require(len(set(rates)) >= 3, "training_cost.learning_rates", "at least three, each another", rates)
    measurements = [_compared(request, seed, units) for seed in request.seeds for units in request.settings["units"]]
    trainings, curves = (pd.concat(tables, ignore_index=True) for tables in zip(*measurements, strict=True))
    tables = dict(zip(TABLES, (trainings, curves), strict=True))
    return Exhibit(
        tables, statements(statement for seed in request.seeds for statement in _statements(trainings, seed))
    )


def ridge_work(reservoir: Reservoir, fit_steps: int, test_steps: int, penalties: int) -> int:
    """Multiply-adds of a readout by ridge regression, its λ chosen among several.

    States of H units take as many a step as W and W_in have entries that are not 0. H Hᵀ is symmetric and takes
    H (H + 1)/2 a step, H Yᵀ takes H. Each λ takes H³/6 for Cholesky's factor, 2 H² to solve by it, and H a step to
    judge it; twice that with the correction of `learnability.reservoirs.ridge`, but for the factor.

    Args:
        fit_steps, test_steps: steps that the readout is fitted to, and steps by which λ is chosen, of all sequences.
        penalties: how many λ are tried.
    """
    units = reservoir.units
    recurrent = reservoir.recurrent
    entries = np.count_nonzero(recurrent) if isinstance(recurrent, ndarray) else recurrent.count_nonzero()
    step = int(np.count_nonzero(reservoir.input)) + int(entries)
    once = (fit_steps + test_steps) * step + fit_steps * (units * (units + 1) // 2 + units)
    per_penalty = units**3 // 6 + 4 * units**2 + 2 * fit_steps * units + test_steps * units
    return once + penalties * per_penalty


def _compared(request: ExhibitRequest, seed: int, units: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of the reservoir and of each network at each rate, and curves at the best rates."""
    settings = request.settings
    task = Narma(settings["steps"], request.root_seed, seed)
    data = task.generate("training", settings["sequences"]), task.generate("validation", settings["sequences"])
    variance = float(data[1].targets.astype(float).var())
    names: dict[str, Any] = {"seed": seed, "units": units}
    reservoir = _reservoir(request, seed, units, data)
    reservoir["error"] /= variance
    rows, curves = [names | reservoir | {"reached_after": reservoir["multiply_adds"]}], []
    for name, architecture in CELLS.items():
        network = Network.for_task(architecture, task, units, readout_bias=True)
        began = time.process_time()
        training = {"epochs": settings["epochs"], "batch_size": settings["batch_size"]}
        models = train_at_rates(network, data, settings["learning_rates"], request.root_seed, seed, **training)
        seconds = (time.process_time() - began) / len(models)
        an_epoch = settings["sequences"] * settings["steps"] * sum(matrix_work(network))
        best = best_of(models)
        for place, (rate, model) in enumerate(zip(settings["learning_rates"], models, strict=True)):
            curve = model.curve[["epoch", "validation_loss"]]
            error = curve["validation_loss"].fillna(np.inf) / variance
            epochs = curve["epoch"][error <= reservoir["error"]]
            rows.append(
                names
                | {"model": name, "setting": rate, "chosen": place == best, "trained": network.count_parameters()}
                | {"error": error.min(), "multiply_adds": an_epoch * settings["epochs"], "seconds": seconds}
                | {"reached_after": an_epoch * float(epochs.min()) if len(epochs) else np.inf}
            )
            if place == best:
                work = {"epoch": curve["epoch"], "multiply_adds": an_epoch * curve["epoch"]}
                curves.append(pd.DataFrame(names | {"model": name} | work | {"error": error}))
    return pd.DataFrame(rows), pd.concat(curves)


def _reservoir(request: ExhibitRequest, seed: int, units: int, data: tuple[Sequences, Sequences]) -> dict[str, Any]:
    """The row of the reservoir: mean squared error on the sequences that choose λ, multiply-adds and seconds."""
    settings = request.settings
    reservoir = draw_reservoir(units, 1, request.root_seed, seed, **settings["reservoir"])
    began = time.process_time()
    training, validation = (
        (reservoir.states(sequences.inputs.astype(float)), sequences.targets.astype(float)) for sequences in data
    )
    best, errors, _, _ = choose_readout(training, validation, settings["penalties"], 0)
    seconds = time.process_time() - began
    steps = settings["sequences"] * settings["steps"]
    work = ridge_work(reservoir, steps, steps, len(settings["penalties"]))
    row = {"model": RESERVOIR, "setting": settings["penalties"][best], "chosen": True, "trained": units + 1}
    return row | {"error": float(errors[best]), "multiply_adds": work, "seconds": seconds}


def effort_of(trainings: pd.DataFrame) -> "pd.Series[float]":
    """Multiply-adds to the reservoir's error; where it is not reached, all of the training, as a lower bound."""
    return trainings["reached_after"].where(np.isfinite(trainings["reached_after"]), trainings["multiply_adds"])


def _statements(trainings: pd.DataFrame, seed: int) -> Iterator[tuple[str, int, float]]:
    rows = trainings[(trainings["seed"] == seed) & trainings["chosen"]]
    rows = rows.assign(effort=effort_of(rows))
    by_model = rows.pivot(index="units", columns="model", values=["error", "multiply_adds", "effort"])
    for name in CELLS:
        yield f"bptt_over_ridge_{name}", seed, (by_model["effort"][name] / by_model["multiply_adds"][RESERVOIR]).min()
    errors = by_model["error"]
    ratios = errors[RESERVOIR] / np.minimum(errors["rnn"], errors["gru"])
    yield "reservoir_over_trained_fewest_units", seed, ratios.iloc[0]
    yield "reservoir_over_trained_most_units", seed, ratios.iloc[-1]
