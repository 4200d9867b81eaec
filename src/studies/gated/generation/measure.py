"""Section 17: series that networks continue on their own outputs, beside the same networks on true values."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import torch

from learnability.core.errors import require
from learnability.networks.generation import generate
from learnability.reservoirs import draw_reservoir, error_growth, fit_network
from learnability.tasks.series import Flow
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.generation.question import QUESTION

TABLES = QUESTION.tables
EXPERIMENTS = QUESTION.experiments
RESERVOIR = "reservoir"
FORCED, FREE = "forced", "free"
SPLIT = "test"
TINY = 1e-300
"""Least error, so that an error of 0 has a logarithm."""
FEWEST = 5
"""Steps that a rate of growth is fitted to."""


def make(request: ExhibitRequest) -> Exhibit:
    """Error growth of trained networks, and of reservoirs whose readouts are fitted to the same sequences.

    Raises:
        InputError: for a series that is not chaotic, which has no Lyapunov time.
    """
    growth, times, examples = [], [], []
    for model, exponent in _networks(request):
        errors, example = _run(model, request.settings, exponent)
        growth.append(errors)
        times.append(model.names | {"trained": _count(model)} | _times(errors, request.settings["lost"], exponent))
        if model.seed == request.seeds[0]:
            examples.append(example)
    frames = (pd.concat(growth, ignore_index=True), pd.DataFrame(times), pd.concat(examples, ignore_index=True))
    tables = dict(zip(TABLES, frames, strict=True))
    return Exhibit(tables, statements(statement for seed in request.seeds for statement in _statements(tables, seed)))


def _networks(request: ExhibitRequest) -> Iterator[tuple[Trained, float]]:
    """Trained networks and a reservoir for each series and seed, with the exponent of the series."""
    for series in EXPERIMENTS:
        for seed in request.seeds:
            models = [model for model in request.trained if (model.experiment, model.seed) == (series, seed)]
            exponent = cast(Flow, models[0].task).lyapunov_exponent(**request.settings["lyapunov"])
            require(exponent > 0, f"task of {series}", "chaotic, of an exponent above 0 over these steps", exponent)
            for model in [*models, _fit_reservoir(models[0], request)]:
                yield model, exponent


def _fit_reservoir(like: Trained, request: ExhibitRequest) -> Trained:
    """A reservoir whose readout is fitted to the sequences that the network `like` was trained on."""
    settings, task = request.settings["reservoir"], like.task
    reservoir = draw_reservoir(
        input_size=task.input_size, root_seed=request.root_seed, seed=like.seed, **settings["drawn"]
    )
    training, validation = (
        task.generate(split, like.settings["task"][f"{split}_sequences"]) for split in ("training", "validation")
    )
    options = {"root_seed": request.root_seed, "seed": like.seed, "washout": settings["washout"]}
    fit = fit_network(reservoir, training, validation, settings["penalties"], **options)
    return like._replace(architecture=RESERVOIR, network=fit.network, parameters=fit.parameters)


def _count(model: Trained) -> int:
    """Numbers that were fitted: of a reservoir the readout alone."""
    names = ("w", "b") if model.architecture == RESERVOIR else tuple(model.parameters)
    return sum(model.parameters[name].numel() for name in names)


def _run(model: Trained, settings: Mapping[str, Any], exponent: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Errors over the spread of the series, by steps behind the warm-up; and the first number of one sequence."""
    warm_up = settings["warm_up"]
    steps = np.arange(1, int(np.ceil(settings["lyapunov_times"] / exponent)) + 1)
    task = replace(cast(Flow, model.task), duration=warm_up - 1 + len(steps))
    data = task.generate(SPLIT, settings["sequences"])
    outputs = generate(model.network, model.parameters, torch.tensor(data.inputs, dtype=torch.float64), warm_up)
    truth = data.targets[:, warm_up - 1 :].astype(float)
    spread = np.sqrt(truth.var((0, 1)).sum())
    growth, examples = [], []
    for mode, values in ((FORCED, outputs.forced), (FREE, outputs.free)):
        predictions = values[:, warm_up - 1 :].numpy()
        sizes = np.linalg.norm(predictions - truth, axis=-1) / spread
        names = model.names | {"mode": mode, "step": steps}
        errors = {"error": error_growth(predictions, truth), "typical": np.exp(np.log(sizes + TINY).mean(0))}
        growth.append(pd.DataFrame(names | errors))
        examples.append(pd.DataFrame(names | {"true": truth[0, :, 0], "predicted": predictions[0, :, 0]}))
    return pd.concat(growth), pd.concat(examples)


def _times(growth: pd.DataFrame, threshold: float, exponent: float) -> dict[str, float]:
    """Step at which the error of a free run passes the threshold, and the rate of its growth before."""
    errors = growth.set_index(["mode", "step"])["error"]
    free, with_forcing = errors[FREE], errors[FORCED]
    over = free.index[free >= threshold]
    steps = int(over[0]) - 1 if len(over) else int(free.index[-1])
    at = min(round(1 / exponent), int(free.index[-1]))
    typical = growth.loc[growth["mode"] == FREE, "typical"].to_numpy()
    return {
        "exponent": exponent,
        "one_step_error": float(np.sqrt((with_forcing**2).mean())),
        "forced_at_lyapunov_time": with_forcing[at],
        "free_at_lyapunov_time": free[at],
        "followed": steps,
        "followed_lyapunov_times": steps * exponent,
        "growth": growth_rate(typical, threshold / 4),
    }


def growth_rate(errors: np.ndarray, until: float) -> float:
    """Slope of the logarithm of errors by steps while they are below `until`; none of fewer than `FEWEST`."""
    over = np.flatnonzero(errors >= until)
    steps = int(over[0]) if len(over) else len(errors)
    return float(np.polyfit(np.arange(steps), np.log(errors[:steps]), 1)[0]) if steps >= FEWEST else np.nan


def _statements(tables: Mapping[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    times = tables["generation_times"]
    times = times[times["seed"] == seed]
    for series, rows in times.groupby("experiment"):
        harder = rows["free_at_lyapunov_time"] / rows["forced_at_lyapunov_time"]
        yield f"free_over_forced_{series}", seed, harder.min()
        yield f"growth_over_exponent_{series}", seed, (rows["growth"] / rows["exponent"]).median()
        by_name = rows.set_index("architecture")["one_step_error"]
        networks = by_name.drop(RESERVOIR)
        yield f"gated_over_reservoir_{series}", seed, networks.min() / by_name[RESERVOIR]
