"""Gradients that arrive at earlier steps of denoise before training, and what they cost (Kerg et al. 2020, Sec. 6)."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64
from torch import Tensor

from learnability.cells import Parameters
from learnability.networks.backward import hidden_gradient_norms, step_costs
from learnability.networks.network import Network
from learnability.tasks import Denoise, Sequences
from learnability.training.engines import ENGINES, Engine, choose_engine


def measure_norms(
    architecture: Mapping[str, Any], units: int, delay: int, sequences: int, root_seed: int, seeds: Sequence[int]
) -> pd.DataFrame:
    """Gradient of the answers that arrives at each step, of networks that are not trained.

    Args:
        architecture: settings of the cell.
        units: H.
        delay: T of `learnability.tasks.Denoise`.
        sequences: of each seed.
        seeds: of networks, each with sequences of its own.

    Returns:
        A row for each step: `back`, steps before the last, and `log_norm`, log₁₀ of the mean over sequences of
        ‖∂L/∂h_t‖, the median over seeds, with the `lowest` and `highest` of a seed; L is the loss of the answers alone.
        -∞ where nothing arrives.
    """
    norms = []
    for seed in seeds:
        task = Denoise(delay, root_seed, seed)
        network = Network.for_task(architecture, task, units, readout_bias=True)
        data = task.generate("backward", sequences)
        norms.append(log_norms(network, network.initial_parameters(root_seed, seed), data))
    of_seeds = np.stack(norms)
    return pd.DataFrame(
        {
            "back": np.arange(of_seeds.shape[1]),
            "log_norm": np.median(of_seeds, 0),
            "lowest": of_seeds.min(0),
            "highest": of_seeds.max(0),
        }
    )


def log_norms(
    network: Network, parameters: Parameters, sequences: Sequences
) -> Float64[np.ndarray, "steps_before_the_last"]:
    """log₁₀ of the mean over sequences of ‖∂L/∂h_t‖, from the last step back, L the loss of the answers alone.

    Answers are where accuracy is taken, or wherever a target counts.
    """
    answers = sequences.mask if sequences.scored is None else sequences.scored
    inputs, targets = torch.from_numpy(sequences.inputs), torch.from_numpy(sequences.targets)
    mask = None if answers is None else torch.from_numpy(answers)
    norms = hidden_gradient_norms(network, parameters, inputs.double(), targets, mask)
    return np.asarray(norms.mean(0).log10())[::-1]


def measure_costs(
    architecture: Mapping[str, Any],
    units: int,
    delays: Sequence[int],
    batch_size: int,
    repeats: int,
    root_seed: int,
) -> pd.DataFrame:
    """Costs of a gradient on a batch, a row for each delay, in float32.

    Args:
        delays: T of `learnability.tasks.Denoise`, increasing.
        repeats: of each gradient, of which the fastest counts.

    Returns:
        The columns of `learnability.networks.backward.StepCost`, of automatic differentiation; `training_seconds`,
        seconds of the engine by which networks of this cell are trained on the CPU; and `batch_size`.
    """
    tasks = [Denoise(delay, root_seed, 0) for delay in delays]
    network = Network.for_task(architecture, tasks[0], units, readout_bias=True)
    parameters = {name: tensor.float() for name, tensor in network.initial_parameters(root_seed, 0).items()}
    data = [task.generate("backward", batch_size) for task in tasks]
    batches = [(torch.from_numpy(sequences.inputs), torch.from_numpy(sequences.targets)) for sequences in data]
    costs = pd.DataFrame(step_costs(network, parameters, batches, repeats))  # first: peaks are of a process
    engine = ENGINES[choose_engine("auto", "cpu", network)[0]](network, [parameters])
    fastest = [min(_gradient_seconds(engine, *batch) for _ in range(repeats)) for batch in batches]
    return costs.assign(training_seconds=fastest, batch_size=batch_size)


def _gradient_seconds(engine: Engine, inputs: Tensor, targets: Tensor) -> float:
    began = time.process_time()
    engine.losses_and_gradients(inputs[None], targets[None])
    return time.process_time() - began
