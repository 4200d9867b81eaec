"""A trained network with its parameters frozen, and the sequences it is measured on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import read_sequences


class Frozen(NamedTuple):
    """What a measurement needs; parameters are float64."""

    network: Network
    parameters: Parameters
    inputs: Float[Tensor, "sequence time input"]
    targets: Float[Tensor, "sequence time"]

    def first(self, count: int | None) -> "Frozen":
        """The same on the first `count` sequences, or on all."""
        return self._replace(inputs=self.inputs[:count], targets=self.targets[:count])

    def folds(self, count: int) -> "list[Frozen]":
        """The same on each of `count` parts of the sequences, in order."""
        parts = zip(self.inputs.tensor_split(count), self.targets.tensor_split(count), strict=True)
        return [self._replace(inputs=inputs, targets=targets) for inputs, targets in parts]


def load_frozen(
    weights: str | Path, sequences: str | Path, architecture: Mapping[str, Any], network: Mapping[str, Any]
) -> Frozen:
    """Read weights and sequences and build the network they belong to.

    Args:
        architecture: settings of the cell, `{"cell": name, …}`.
        network: `hidden_size` and `readout_bias`.

    Raises:
        InputError: for an unreadable file, weights of another network, or targets that are no numbers.
    """
    found = read_sequences(sequences)
    scalar = found.mask is None and found.targets.ndim == 2
    require(scalar, str(sequences), "sequences whose targets are numbers, all of which count", found.targets.shape)
    inputs, targets = torch.from_numpy(found.inputs), torch.from_numpy(found.targets)
    built = Network.build(architecture, inputs.shape[-1], **network)
    parameters = read_weights(weights)
    built.check(parameters)
    return Frozen(built, parameters, inputs, targets.double())
