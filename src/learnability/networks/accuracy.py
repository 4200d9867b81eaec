"""Loss and accuracy of the answers of a trained network."""

from typing import NamedTuple

import numpy as np
import torch

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.losses import LOSSES, hits
from learnability.networks.network import Network, hidden_units
from learnability.tasks import Sequences

TOGETHER = 100
"""Sequences run at once: bounds memory, whatever their number."""


class Answers(NamedTuple):
    """Loss and accuracy of a network that scores classes.

    Args:
        loss: mean cross-entropy of the targets that count, nats.
        accuracy: share of the scored targets that are the class of the highest score.
        accuracy_of_all: the same share of all targets that count, scored or not.
        finite: share of the sequences whose scores are all finite; of any other the network gives no answer.
    """

    loss: float
    accuracy: float
    accuracy_of_all: float
    finite: float


def measure_answers(network: Network, parameters: Parameters, sequences: Sequences, truncation: int = 0) -> Answers:
    """Loss, accuracy by both counts, and the share of sequences that are answered at all.

    Args:
        sequences: of classes, where they count (`mask`, else everywhere), and where accuracy is taken (`scored`, else
            wherever they count).
        truncation: see `hidden_units`.

    Raises:
        InputError: for a network that scores no classes.
    """
    require(network.loss == "cross_entropy", "loss", "cross_entropy where accuracy is asked for", network.loss)
    mask = np.ones(sequences.targets.shape, bool) if sequences.mask is None else sequences.mask
    score_mask = mask if sequences.scored is None else sequences.scored
    tensors = (torch.from_numpy(part) for part in (sequences.inputs, sequences.targets, mask, score_mask))
    loss, right, right_of_all, finite = 0.0, 0, 0, 0
    for inputs, targets, counts, scores in zip(*(part.split(TOGETHER) for part in tensors), strict=True):
        hidden = hidden_units(network.cell, parameters, inputs.to(parameters["w"]), truncation)
        predictions = network.read_out(parameters, hidden)
        loss += float(LOSSES[network.loss].each(predictions, targets).double()[counts].sum())
        right += int(hits(predictions, targets, scores))
        right_of_all += int(hits(predictions, targets, counts))
        finite += int(predictions.isfinite().flatten(1).all(1).sum())
    shares = right / int(score_mask.sum()), right_of_all / int(mask.sum()), finite / len(mask)
    return Answers(loss / int(mask.sum()), *shares)


def measure_accuracy(network: Network, parameters: Parameters, sequences: Sequences, truncation: int = 0) -> float:
    """The accuracy alone, see `measure_answers`."""
    return measure_answers(network, parameters, sequences, truncation).accuracy
