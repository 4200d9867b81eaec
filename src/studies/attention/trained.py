"""What trained networks answer and attend to, and what of a gradient arrives in them (Kerg et al. 2020, Sec. 5, 6)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import torch

from learnability.cells import Parameters
from learnability.cells.attentive import AttentionCell
from learnability.networks.accuracy import measure_accuracy
from learnability.networks.attention import attention_map
from learnability.networks.network import Network
from learnability.tasks import Copy
from studies.attention.backward import log_norms
from studies.attention.trained_tables import LEAST_WEIGHT


def measure_answers(
    network: Network, parameters: Parameters, task: Copy, delays: Sequence[int], sequences: int
) -> pd.DataFrame:
    """The share of symbols that are named again, at the task's own delay and at others.

    Args:
        parameters: float64; taken in float32, in which they were trained.
        delays: T, of the task but for that.
        sequences: that training has not seen.

    Returns:
        `delay`, `accuracy`, and `chance`, the share that a guess among the alphabet has.
    """
    single = {name: tensor.float() for name, tensor in parameters.items()}
    return pd.DataFrame(
        {
            "delay": delay,
            "accuracy": measure_accuracy(network, single, replace(task, delay=delay).generate("diagnostic", sequences)),
            "chance": 1 / task.alphabet,
        }
        for delay in delays
    )


def measure_arriving(network: Network, parameters: Parameters, task: Copy, sequences: int) -> pd.DataFrame:
    """`back`, steps before the last, and `log_norm`, as `studies.attention.backward.log_norms` has it."""
    found = log_norms(network, parameters, task, sequences)
    return pd.DataFrame({"back": np.arange(len(found)), "log_norm": found})


def measure_attention(network: Network, parameters: Parameters, task: Copy) -> pd.DataFrame:
    """`step`, `attended` and `weight`: α of one sequence, from `LEAST_WEIGHT` on; no row without attention."""
    columns = ["step", "attended", "weight"]
    if not isinstance(network.cell, AttentionCell):
        return pd.DataFrame(columns=columns)
    inputs = torch.from_numpy(task.generate("diagnostic", 1).inputs).double()
    weights = attention_map(network.cell, parameters, inputs)[0].numpy()
    steps, attended = np.nonzero(weights >= LEAST_WEIGHT)
    return pd.DataFrame(dict(zip(columns, (steps + 1, attended + 1, weights[steps, attended]), strict=True)))
