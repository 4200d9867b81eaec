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
from studies.gated.exhibit import Asked, Exhibit, Trained, statements
from studies.gated.generation.question import QUESTION

TABLES = QUESTION.tables
EXPERIMENTS = QUESTION.experiments
RESERVOIR = "reservoir"
FORCED, FREE = "forced", "free"
SPLIT = "test"
TINY = 1e-300
"""So that an error of 0 has a logarithm."""
FEWEST = 5
"""Steps that a rate of growth is fitted to."""


def make(asked: Asked) -> Exhibit:
    """Error growth of trained networks, and of reservoirs whose readouts are fitted to the same sequences.

    Raises:
        InputError: for a series that is not chaotic, which has no Lyapunov time.
    """
    growth, times, examples = [], [], []
    for trained, exponent in _networks(asked):
        own, example = _run(trained, asked.settings, exponent)
        growth.append(own)
        times.append(trained.names | {"trained": _count(trained)} | _times(own, asked.settings["lost"], exponent))
        if trained.seed == asked.seeds[0]:
            examples.append(example)
    shown = (pd.concat(growth, ignore_index=True), pd.DataFrame(times), pd.concat(examples, ignore_index=True))
    tables = dict(zip(TABLES, shown, strict=True))
    return Exhibit(tables, statements(each for seed in asked.seeds for each in _stated(tables, seed)))


def _networks(asked: Asked) -> Iterator[tuple[Trained, float]]:
    """Those that were trained, and a reservoir for each series and seed; with the exponent of the series."""
    for series in EXPERIMENTS:
        for seed in asked.seeds:
            own = [trained for trained in asked.trained if (trained.experiment, trained.seed) == (series, seed)]
            exponent = cast(Flow, own[0].task).lyapunov_exponent(**asked.settings["lyapunov"])
            require(exponent > 0, f"task of {series}", "chaotic, of an exponent above 0 over these steps", exponent)
            for trained in [*own, _fitted(own[0], asked)]:
                yield trained, exponent


def _fitted(like: Trained, asked: Asked) -> Trained:
    """A reservoir whose readout is fitted to the sequences that the network `like` was trained on."""
    settings, task = asked.settings["reservoir"], like.task
    drawn = draw_reservoir(input_size=task.input_size, root_seed=asked.root_seed, seed=like.seed, **settings["drawn"])
    training, validation = (
        task.generate(split, like.settings["task"][f"{split}_sequences"]) for split in ("training", "validation")
    )
    fitting = {"root_seed": asked.root_seed, "seed": like.seed, "washout": settings["washout"]}
    fitted = fit_network(drawn, training, validation, settings["penalties"], **fitting)
    return like._replace(architecture=RESERVOIR, network=fitted.network, parameters=fitted.parameters)


def _count(trained: Trained) -> int:
    """Numbers that were fitted: of a reservoir the readout alone."""
    kept = ("w", "b") if trained.architecture == RESERVOIR else tuple(trained.parameters)
    return sum(trained.parameters[name].numel() for name in kept)


def _run(trained: Trained, settings: Mapping[str, Any], exponent: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Errors over the spread of the series, by steps behind the warm-up; and the first number of one sequence."""
    warm_up = settings["warm_up"]
    steps = np.arange(1, int(np.ceil(settings["lyapunov_times"] / exponent)) + 1)
    task = replace(cast(Flow, trained.task), duration=warm_up - 1 + len(steps))
    data = task.generate(SPLIT, settings["sequences"])
    found = generate(trained.network, trained.parameters, torch.tensor(data.inputs, dtype=torch.float64), warm_up)
    following = data.targets[:, warm_up - 1 :].astype(float)
    spread = np.sqrt(following.var((0, 1)).sum())
    growth, examples = [], []
    for mode, values in ((FORCED, found.forced), (FREE, found.free)):
        predicted = values[:, warm_up - 1 :].numpy()
        sizes = np.linalg.norm(predicted - following, axis=-1) / spread
        names = trained.names | {"mode": mode, "step": steps}
        errors = {"error": error_growth(predicted, following), "typical": np.exp(np.log(sizes + TINY).mean(0))}
        growth.append(pd.DataFrame(names | errors))
        examples.append(pd.DataFrame(names | {"true": following[0, :, 0], "predicted": predicted[0, :, 0]}))
    return pd.concat(growth), pd.concat(examples)


def _times(growth: pd.DataFrame, lost: float, exponent: float) -> dict[str, float]:
    """When the error of a free run is lost, and how fast it grew before."""
    errors = growth.set_index(["mode", "step"])["error"]
    free, forced = errors[FREE], errors[FORCED]
    over = free.index[free >= lost]
    followed = int(over[0]) - 1 if len(over) else int(free.index[-1])
    at = min(round(1 / exponent), int(free.index[-1]))
    typical = growth.loc[growth["mode"] == FREE, "typical"].to_numpy()
    return {
        "exponent": exponent,
        "one_step_error": float(np.sqrt((forced**2).mean())),
        "forced_at_lyapunov_time": forced[at],
        "free_at_lyapunov_time": free[at],
        "followed": followed,
        "followed_lyapunov_times": followed * exponent,
        "growth": growth_rate(typical, lost / 4),
    }


def growth_rate(errors: np.ndarray, until: float) -> float:
    """Slope of the logarithm of errors by steps while they are below `until`; none of fewer than `FEWEST`."""
    over = np.flatnonzero(errors >= until)
    steps = int(over[0]) if len(over) else len(errors)
    return float(np.polyfit(np.arange(steps), np.log(errors[:steps]), 1)[0]) if steps >= FEWEST else np.nan


def _stated(tables: Mapping[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    times = tables["generation_times"]
    times = times[times["seed"] == seed]
    for series, rows in times.groupby("experiment"):
        harder = rows["free_at_lyapunov_time"] / rows["forced_at_lyapunov_time"]
        yield f"free_over_forced_{series}", seed, harder.min()
        yield f"growth_over_exponent_{series}", seed, (rows["growth"] / rows["exponent"]).median()
        by_name = rows.set_index("architecture")["one_step_error"]
        gated = by_name.drop(RESERVOIR)
        yield f"gated_over_reservoir_{series}", seed, gated.min() / by_name[RESERVOIR]
