"""Trials: train a network from N sequences, for the same number of updates whatever N, and look at what it learned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from learnability.cells import Parameters
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.tasks import Task, build_task
from learnability.training.engines import choose_engine as choose_training_engine
from learnability.training.updates import fresh_batches, repeated_batches, train_for_updates
from learnability.transport import Engine
from learnability.windows.error_signals import ErrorSignals
from learnability.windows.response import learned_shares

SHARES = ("share", "share_low", "share_high")


@dataclass(frozen=True)
class Budget:
    """Settings that trials are trained with.

    Args:
        optimizer: see `learnability.training.optimizers.build_optimizer`.
        gradient_clip: largest global L2 norm of the gradient.
        updates: of every trial; what is learned is looked at after half of them, too, for "not yet" is not "not".
        batch_size: sequences of an update, or all N where there are fewer.
        engine: that takes the gradients, or `auto`.
    """

    optimizer: Mapping[str, Any]
    gradient_clip: float
    updates: int
    batch_size: int
    engine: str = "auto"

    @property
    def looks(self) -> list[int]:
        """Numbers of updates after which is looked at what is learned."""
        return [self.updates // 2, self.updates]

    @property
    def path(self) -> list[int]:
        """Numbers of updates at which gradients are measured: initialisation, powers of ten, and the looks."""
        powers = [10**power for power in range(1, 9) if 10**power < self.updates // 2]
        return [0, *powers, *self.looks]


def prepare_trials(
    architecture: Mapping[str, Any],
    task: Mapping[str, Any],
    size: Mapping[str, int],
    readout_bias: bool,
    sequences: int,
    root_seed: int,
    seed: int,
) -> tuple[Frozen, Task]:
    """A network of the architecture with sequences that no trial is trained on, no parameters yet, and their task.

    Args:
        task: settings of `learnability.tasks.build_task`.
        size: `hidden_size` or `parameters`, see `Network.for_task`.
        sequences: how many.
    """
    instance = build_task(task, root_seed, seed)
    network = Network.for_task(architecture, instance, readout_bias=readout_bias, **size)
    return Frozen.of(network, {}, instance.generate("diagnostic", sequences)), instance


def try_to_learn(
    frozen: Frozen,
    task: Task,
    sample_sizes: Sequence[int],
    budget: Budget,
    root_seed: int,
    seed: int,
    engine: Engine,
) -> tuple[pd.DataFrame, dict[int, Parameters]]:
    """Trials of one network and seed from each N, and from sequences none of which is shown twice (N = ∞).

    All start from the same parameters, and N sequences are the first of more.

    Args:
        frozen: of `prepare_trials`, on which responses are measured.
        task: with a known response at every lag.
        root_seed, seed: name the streams of initialisation and order.
        engine: that measures responses.

    Returns:
        A row for each `sample_size`, number of `updates` and `lag` of the task: `share` r(ℓ)/c(ℓ) and the ends of its
        interval, and the generalisation `gap`: by how much the loss of fresh sequences is above that of the N, in parts
        of the variance of the targets; NaN where training diverged. And the parameters on the path of N = ∞, by number
        of updates.
    """
    network = frozen.network
    initial = network.initial_parameters(root_seed, seed)
    trained_by, _ = choose_training_engine(budget.engine, "cpu", network)
    sequences = task.generate("training", max(sample_sizes))
    rows = []
    for size in [*sample_sizes, np.inf]:
        if np.isinf(size):
            training, batches = frozen, fresh_batches(task, budget.batch_size, budget.updates)
        else:
            sample = sequences._replace(inputs=sequences.inputs[: int(size)], targets=sequences.targets[: int(size)])
            training = Frozen.of(network, {}, sample)
            batches = repeated_batches(sample, budget.batch_size, budget.updates, root_seed, seed)
        path = train_for_updates(
            network,
            initial,
            batches,
            optimizer=budget.optimizer,
            gradient_clip=budget.gradient_clip,
            engine=trained_by,
            kept=budget.path,
        )
        for updates in budget.looks:
            at = {"sample_size": size, "updates": updates}
            parameters = _double(path[updates]) if updates in path else None
            rows.append(_learned(parameters, frozen, training, task, engine).assign(**at))
    return pd.concat(rows, ignore_index=True), {updates: _double(path[updates]) for updates in path}


def _learned(
    parameters: Parameters | None, fresh: Frozen, training: Frozen, task: Task, engine: Engine
) -> pd.DataFrame:
    """Rows of `try_to_learn` of a network that was trained on known sequences, or of none."""
    if parameters is None:
        return pd.DataFrame({"lag": list(task.dependencies)}).reindex(columns=["lag", *SHARES, "gap"])
    fresh, training = (part._replace(parameters=parameters) for part in (fresh, training))
    gap = (_loss(fresh, engine) - _loss(training, engine)) / float(fresh.targets.var())
    return learned_shares(fresh, task, engine).assign(gap=gap)


def _loss(frozen: Frozen, engine: Engine) -> float:
    """Mean squared error over sequences and t."""
    return float((ErrorSignals(frozen, [], engine).predictions - frozen.targets).square().mean())


def _double(parameters: Parameters) -> Parameters:
    return {name: parameter.double() for name, parameter in parameters.items()}
