"""Trainings of a cell on fewer sequences than its race has, and what they learn of each lag."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import torch

from learnability.cells import Parameters
from learnability.networks.frozen import Frozen
from learnability.training.updates import Batches, repeated_orders, train_models_for_updates
from learnability.transport import choose_engine
from learnability.windows.response import learned_shares
from studies.comparison.races import Runner
from studies.comparison.scores import score

COLUMNS = ["rate", "seed", "sequences", "updates", "lag", "share", "validation"]
LONGER = 2
"""Times the updates of the race to which some cells go on."""
Sample = tuple[int, int]
"""Number of training sequences, and seed."""


def train_on_fewer(
    runner: Runner, rate: float, sizes: Sequence[int], seeds: int, is_longer: bool = False
) -> pd.DataFrame:
    """Train a cell on the first N sequences of its race, for each N, and measure what it learns.

    All else is as in the race: rate, updates, batch size, clipping, optimiser, and of each seed the start and the
    streams of data and order. Where N is less than the batch size, every batch holds all N sequences.

    Args:
        runner: of a delayed sum.
        rate: learning rate.
        sizes: numbers of sequences N.
        seeds: how many, the first of the race's fresh seeds.
        is_longer: true to go on to `LONGER` times the updates, with all sequences of the race as a further N.

    Returns:
        A row for each `seed`, number of `sequences`, number of `updates` and `lag`: the `share` r(ℓ)/c(ℓ), on the
        sequences on which the race measures it, and the `validation` score of the network; NaN where training
        diverged.
    """
    race = runner.race
    looks = [updates for updates in race.looks if updates]
    if is_longer:
        looks, sizes = [*looks, LONGER * race.updates], [*sizes, runner.task["training_sequences"]]
    fresh = range(race.tried, race.tried + seeds)
    rows = [
        _measure(runner, seed, path.get(updates)).assign(seed=seed, sequences=size, updates=updates)
        for together in _side_by_side(sizes, race.batch_size)
        for samples in [[(size, seed) for size in together for seed in fresh]]
        for (size, seed), path in zip(samples, _train(runner, rate, samples, looks), strict=True)
        for updates in looks
    ]
    return pd.concat(rows, ignore_index=True).assign(rate=rate)[COLUMNS]


def _side_by_side(sizes: Sequence[int], batch_size: int) -> list[list[int]]:
    """Numbers of sequences whose batches can all have one size, so that their models are trained as one stack."""
    whole = [size for size in sizes if size % batch_size == 0 or batch_size % size == 0]
    return [group for group in [whole, *([size] for size in sizes if size not in whole)] if group]


def _train(runner: Runner, rate: float, samples: Sequence[Sample], looks: Sequence[int]) -> list[dict[int, Parameters]]:
    """Parameters of each sample's network by number of updates, at `looks`."""
    race = runner.race
    optimizer = {**race.optimizer.model_dump(exclude_unset=True), "learning_rate": rate}
    return train_models_for_updates(
        runner.network,
        [runner.network.initial_parameters(runner.root_seed, seed) for _, seed in samples],
        _batches(runner, samples, max(looks)),
        [optimizer] * len(samples),
        race.gradient_clip,
        runner.engine,
        looks,
    )


def _batches(runner: Runner, samples: Sequence[Sample], updates: int) -> Iterator[Batches]:
    """Batches of the first N sequences of each seed, over and over."""
    most = max(size for size, _ in samples)
    data = {seed: runner.task_of(seed).generate("training", most) for _, seed in samples}
    for indices in zip(*(_orders(runner, sample, updates) for sample in samples), strict=True):
        chosen = [(data[seed], at) for (_, seed), at in zip(samples, indices, strict=True)]
        inputs = np.stack([sequences.inputs[at] for sequences, at in chosen])
        targets = np.stack([sequences.targets[at] for sequences, at in chosen])
        yield torch.from_numpy(inputs), torch.from_numpy(targets), None


def _orders(runner: Runner, sample: Sample, updates: int) -> Iterator[np.ndarray]:
    """Places of the sequences of each batch; N that divide the batch size are repeated to fill it, at the same loss."""
    size, seed = sample
    batch_size = runner.race.batch_size
    copies = batch_size // size if batch_size % size == 0 else 1
    for indices in repeated_orders(size, batch_size, updates, runner.root_seed, seed):
        yield np.tile(indices.numpy(), copies)


def _measure(runner: Runner, seed: int, parameters: Parameters | None) -> pd.DataFrame:
    """Shares of all lags and the validation score of a network, NaN of one that diverged."""
    task = runner.task_of(seed)
    if parameters is None:
        return pd.DataFrame({"lag": sorted(task.dependencies), "share": np.nan, "validation": np.nan})
    exact = {name: parameter.double() for name, parameter in parameters.items()}
    frozen = Frozen.of(runner.network, exact, task.generate("gradients", runner.race.measured))
    shares = learned_shares(frozen, task, choose_engine("auto", runner.network.cell, "single"))[["lag", "share"]]
    sequences = task.generate("validation", runner.task["validation_sequences"])
    return shares.assign(validation=score(runner.network, parameters, task, sequences))
