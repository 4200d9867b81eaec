"""Races: a cell is tuned at a task, trained afresh at its best rate, and looked at."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from learnability.cells import Parameters
from learnability.networks.costs import count_work
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network, hidden_units, states_of
from learnability.reservoirs import memory_capacity
from learnability.tasks import Task, build_task
from learnability.tasks.copying import Copy
from learnability.tasks.counting import Count
from learnability.tasks.delayed_sum import DelayedSum
from learnability.tasks.forecast import Forecast
from learnability.tasks.retrieval import Recall
from learnability.training.engines import Engine, NativeEngine, StackedEngine
from learnability.training.updates import Batches, repeated_orders, train_models_for_updates
from learnability.transport import choose_engine
from learnability.windows.readings import Reading
from learnability.windows.response import learned_shares
from learnability.windows.through_training import measure_training
from studies.comparison.ranks import EQUAL
from studies.comparison.scores import score
from studies.comparison.settings import Race

LONGER = 2
"""Times the steps that a network is trained on, at which it is tested too."""
SEQUENCES = {"validation": "validation_sequences", "diagnostic": "test_sequences"}
"""Setting with the number of sequences of a split; a rate is chosen by the first, cells are judged by the second."""
GRADIENTS = ["rate", "seed", "end", "lag", "needed", "noise", "share"]
ENDS = ["start", "end"]
"""Ends of a training, at which gradients and memory are measured."""


class Candidate(NamedTuple):
    """A training: its rate, and the seed of its task, its start and its order."""

    rate: float
    seed: int


@dataclass(frozen=True)
class Runner:
    """A cell at a task, of any seed.

    Args:
        architecture: settings of `Network.build`.
        task: settings of `learnability.tasks.build_task`, and how many `training_sequences`, `validation_sequences` and
            `test_sequences` each seed has.
        root_seed: names all streams, with the seed.
    """

    architecture: Mapping[str, Any]
    task: Mapping[str, Any]
    race: Race
    root_seed: int

    def task_of(self, seed: int) -> Task:
        """The task of a seed."""
        return build_task(self.task, self.root_seed, seed)

    @cached_property
    def network(self) -> Network:
        """The largest network of the cell that has no more than so many parameters."""
        return Network.for_task(self.architecture, self.task_of(0), readout_bias=True, parameters=self.race.parameters)

    @property
    def engine(self) -> type[Engine]:
        """Engine that trains it: compiled where C++ has the cell, else automatic differentiation of all at once."""
        needs = ["masks"] if self.task_of(0).generate("training", 1).mask is not None else []
        is_native = not NativeEngine.lacks(self.network, needs) and not NativeEngine.fault(self.network)
        return NativeEngine if is_native else StackedEngine

    def train(self, candidates: Sequence[Candidate]) -> list[dict[int, Parameters]]:
        """Parameters of each by number of updates, at `Race.looks`; of a training that diverges they end there."""
        initial = [self.network.initial_parameters(self.root_seed, candidate.seed) for candidate in candidates]
        optimizers = [
            {**self.race.optimizer.model_dump(exclude_unset=True), "learning_rate": candidate.rate}
            for candidate in candidates
        ]
        return train_models_for_updates(
            self.network,
            initial,
            self._batches([candidate.seed for candidate in candidates]),
            optimizers,
            self.race.gradient_clip,
            self.engine,
            self.race.looks,
        )

    def _batches(self, seeds: Sequence[int]) -> Iterator[Batches]:
        """Batches of each seed's own sequences, over and over."""
        race, data, orders = self.race, {}, {}
        for seed in dict.fromkeys(seeds):
            sequences = self.task_of(seed).generate("training", self.task["training_sequences"])
            data[seed] = [None if part is None else torch.from_numpy(part) for part in sequences[:3]]
            orders[seed] = repeated_orders(
                self.task["training_sequences"], race.batch_size, race.updates, self.root_seed, seed
            )
        for indices in zip(*orders.values(), strict=True):
            at = dict(zip(orders, indices, strict=True))
            inputs, targets, masks = (_stack([data[seed][part] for seed in seeds], at, seeds) for part in range(3))
            assert inputs is not None and targets is not None
            yield inputs, targets, masks


def _stack(parts: Sequence[Tensor | None], at: Mapping[int, Tensor], seeds: Sequence[int]) -> Tensor | None:
    """A batch of each model; None where there are no masks."""
    batches = [part[at[seed]] for part, seed in zip(parts, seeds, strict=True) if part is not None]
    return torch.stack(batches) if batches else None


def tune(runner: Runner) -> tuple[pd.DataFrame, float]:
    """Try each rate with a few seeds, and choose one.

    Returns:
        A row for each `rate`, `seed` and number of `updates` with its `score` on validation sequences, NaN where
        training diverged; and the rate whose mean score after all updates is best, a training that diverged counting
        as a guess, the smaller of two that are equal.
    """
    race = runner.race
    candidates = [Candidate(rate, seed) for rate in race.rates for seed in range(race.tried)]
    rows = _scores(runner, candidates, runner.train(candidates), "validation")
    last = rows[rows["updates"] == race.updates].fillna({"score": 0.0})
    means = last.groupby("rate")["score"].mean().round(EQUAL)
    return rows, float(means.index[int(means.to_numpy().argmax())])


def compete(runner: Runner, rate: float, reading: Reading) -> dict[str, pd.DataFrame]:
    """Train fresh seeds at a rate, and look at them.

    Args:
        reading: along each lag's own gradient, by which gradients are measured.

    Returns:
        `scores`: a row for each `seed` and number of `updates`, on test sequences, as of `tune`; `states`, a row for
        each seed: the `longer` score at twice the steps, of a task that has them, and of a delayed sum the memory
        `capacity`, steps, at the start and at the end; `gradients`, rows of a delayed sum alone: for each seed, `end`
        of the training and lag the `share` of the coefficient that is learned, log₁₀ N̂ as `needed`, and log₁₀ B_ℓ as
        `noise`.
    """
    race = runner.race
    candidates = [Candidate(rate, seed) for seed in range(race.tried, race.tried + race.seeds)]
    paths = runner.train(candidates)
    scores = _scores(runner, candidates, paths, "diagnostic")
    states, gradients = [], []
    for candidate, path in zip(candidates, paths, strict=True):
        keys = {"rate": rate, "seed": candidate.seed}
        task = runner.task_of(candidate.seed)
        ends = {end: _double(path[at]) for end, at in zip(ENDS, (0, race.updates), strict=True) if at in path}
        states.append(keys | _of_states(runner, task, ends))
        if isinstance(task, DelayedSum):
            gradients.append(_of_gradients(runner, task, ends, reading, candidate.seed).assign(**keys))
    of_lags = pd.concat(gradients, ignore_index=True) if gradients else pd.DataFrame(columns=GRADIENTS)
    return {"scores": scores, "states": pd.DataFrame(states), "gradients": of_lags[GRADIENTS]}


def size_up(runner: Runner) -> dict[str, Any]:
    """Sizes of a cell, and costs of its gradient.

    Returns:
        `units` and `parameters`; numbers of the `state` behind the last step, of a cell that attends to past states all
        of these; the `depth`, steps of the forward pass that wait for one another, T or of a scan ⌈log₂ T⌉;
        `multiply_adds` and `kept_bytes` of a gradient, a step of a sequence; and the `engine` that trains it.
    """
    network, task = runner.network, runner.task_of(0)
    batch = task.generate("training", runner.race.batch_size)
    parameters = network.initial_parameters(runner.root_seed, 0)
    inputs, targets = torch.from_numpy(batch.inputs), torch.from_numpy(batch.targets)
    work = count_work(network, parameters, inputs, targets)
    steps = inputs.shape[1]
    *_, last = states_of(network.cell, parameters, inputs[:1].double())
    return {
        "units": network.cell.hidden_size,
        "state": sum(part.numel() for part in tree_leaves(last) if isinstance(part, Tensor)),
        "parameters": network.count_parameters(),
        "depth": math.ceil(math.log2(steps)) if network.cell.is_scannable else steps,
        "multiply_adds": work.multiply_adds,
        "kept_bytes": work.kept,
        "engine": runner.engine.__name__,
    }


def _scores(
    runner: Runner, candidates: Sequence[Candidate], paths: Sequence[Mapping[int, Parameters]], split: str
) -> pd.DataFrame:
    rows = []
    for candidate, path in zip(candidates, paths, strict=True):
        task = runner.task_of(candidate.seed)
        sequences = task.generate(split, runner.task[SEQUENCES[split]])
        for updates in runner.race.looks:
            value = score(runner.network, path[updates], task, sequences) if updates in path else np.nan
            rows.append({**candidate._asdict(), "updates": updates, "score": value})
    return pd.DataFrame(rows)


def _of_states(runner: Runner, task: Task, ends: Mapping[str, Parameters]) -> dict[str, float]:
    """Score of a network at twice the steps, and memory capacity of its states at both ends of the training."""
    measures = dict.fromkeys(["longer", *(f"capacity_{end}" for end in ENDS)], np.nan)
    longer = lengthen(task)
    if longer is not None and "end" in ends:
        split = "diagnostic" if isinstance(longer, Forecast) else "longer"  # data that are read have no further split
        sequences = longer.generate(split, runner.task["test_sequences"])
        measures["longer"] = score(runner.network, ends["end"], longer, sequences)
    if isinstance(task, DelayedSum):
        for end, parameters in ends.items():
            measures[f"capacity_{end}"] = _capacity(runner, task, parameters)
    return measures


def lengthen(task: Task) -> Task | None:
    """The task with `LONGER` times the steps, or the delay; None where an image says how many there are."""
    if isinstance(task, Copy):
        return replace(task, delay=LONGER * task.delay)
    if isinstance(task, DelayedSum | Recall | Count | Forecast):
        return replace(task, duration=LONGER * task.duration)
    return None


def _capacity(runner: Runner, task: DelayedSum, parameters: Parameters) -> float:
    """Memory capacity for the input along u, steps, of the half of the sequence that has the other half behind it."""
    sequences = task.generate("memory", runner.race.measured)
    inputs = torch.from_numpy(sequences.inputs).double()
    states = hidden_units(runner.network.cell, parameters, inputs).numpy()
    washout = task.duration // 2
    series = sequences.inputs.astype(float) @ task.direction.astype(float)
    shares = memory_capacity(states, series, range(washout + 1), washout, held_out="sequences", penalty=1e-6)
    return float(np.nansum(shares))


def _of_gradients(
    runner: Runner, task: DelayedSum, ends: Mapping[str, Parameters], reading: Reading, seed: int
) -> pd.DataFrame:
    sequences = task.generate("gradients", runner.race.measured)
    frozen = Frozen.of(runner.network, ends["start"], sequences)
    lags = sorted(task.lags)
    engine = choose_engine("auto", runner.network.cell, "single")
    windows = measure_training(
        frozen, dict(enumerate(ends.values())), task, reading, lags, runner.root_seed, seed, engine
    )["training_windows"]
    rows = windows[(windows["control"] == "none") & (windows["noise"] == "total") & windows["lag"].isin(lags)]
    table = pd.DataFrame(
        {
            "end": rows["epoch"].map(dict(enumerate(ends))),
            "lag": rows["lag"],
            "needed": rows["log_sample_complexity"] / np.log(10),
            "noise": np.log10(rows["noise_scale"]),
        }
    )
    shares = [
        learned_shares(frozen._replace(parameters=parameters), task, engine)[["lag", "share"]].assign(end=end)
        for end, parameters in ends.items()
    ]
    return table.merge(pd.concat(shares), on=["end", "lag"]).reset_index(drop=True)


def _double(parameters: Parameters) -> Parameters:
    return {name: parameter.double() for name, parameter in parameters.items()}
