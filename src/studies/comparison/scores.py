"""Scores of networks at tasks: 0 for a guess, 1 for the best that can be had."""

import numpy as np
import torch

from learnability.cells import Parameters
from learnability.networks.accuracy import measure_answers
from learnability.networks.network import Network, hidden_units
from learnability.tasks import Sequences, Task
from learnability.tasks.copying import Copy
from learnability.tasks.delayed_sum import DelayedSum
from learnability.tasks.forecast import Forecast
from learnability.tasks.retrieval import Recall


def chance(task: Task) -> float:
    """Share of the answers that a guess gets right, of a task with classes: one in as many as an answer may be."""
    if isinstance(task, Copy):
        return 1 / task.alphabet
    return 1 / (task.values if isinstance(task, Recall) else task.outputs)


def score(network: Network, parameters: Parameters, task: Task, sequences: Sequences) -> float:
    """Score of a network on sequences of a task, as a share of the best that can be had.

    Of a delayed sum 1 - (L - σ²)/Σ_k c_k² (T - ℓ_k)/T: the share of the explainable variance, with L the mean squared
    error and σ² the variance of the noise, which nobody can predict. Below 0 a network is worse than the guess 0. Of a
    forecast 1 - L/m, with the mean square m of the targets, whose mean in training is 0; how much of a real series can
    be predicted is not known, so that 1 need not be within reach. Of classes (a - g)/(1 - g), with the share a of
    answers that are right, and g of those that a guess gets right.
    """
    if not isinstance(task, DelayedSum | Forecast):
        accuracy = measure_answers(network, parameters, sequences).accuracy
        return (accuracy - chance(task)) / (1 - chance(task))
    inputs = torch.from_numpy(sequences.inputs).to(parameters["w"])
    predictions = network.read_out(parameters, hidden_units(network.cell, parameters, inputs)).double().numpy()
    error = float(np.square(predictions - sequences.targets).mean())
    if isinstance(task, Forecast):
        return 1 - error / float(np.square(sequences.targets, dtype=float).mean())
    return 1 - (error - task.noise_sd**2) / explainable(task)


def explainable(task: DelayedSum) -> float:
    """Variance of a delayed sum without its noise, the mean over t: Σ_k c_k² (T - ℓ_k)/T."""
    shares = [(task.duration - lag) / task.duration for lag in task.lags]
    return float(np.square(task.coefficients) @ np.array(shares))
