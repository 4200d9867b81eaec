"""How many answers of a trained network are right."""

import numpy as np
import torch

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.losses import hits
from learnability.networks.network import Network, hidden_units
from learnability.tasks import Sequences

TOGETHER = 100
"""Sequences run at once: bounds memory, whatever their number."""


def measure_accuracy(network: Network, parameters: Parameters, sequences: Sequences, truncation: int = 0) -> float:
    """The share of the scored targets that are the class of the highest score.

    Args:
        sequences: of classes, and where accuracy is taken (`scored`, else `mask`, else everywhere).
        truncation: see `hidden_units`.

    Raises:
        InputError: for a network that scores no classes.
    """
    require(network.loss == "cross_entropy", "loss", "cross_entropy where accuracy is asked for", network.loss)
    scored = next(
        (each for each in (sequences.scored, sequences.mask) if each is not None),
        np.ones(sequences.targets.shape, bool),
    )
    of_sequences = (torch.from_numpy(each).split(TOGETHER) for each in (sequences.inputs, sequences.targets, scored))
    right = 0
    for inputs, targets, counted in zip(*of_sequences, strict=True):
        hidden = hidden_units(network.cell, parameters, inputs.to(parameters["w"]), truncation)
        right += int(hits(network.read_out(parameters, hidden), targets, counted))
    return right / int(scored.sum())
