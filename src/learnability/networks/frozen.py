"""A trained network with its parameters frozen, and the sequences it is measured on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import Sequences, read_sequences


class Frozen(NamedTuple):
    """A network with its parameters, float64, and sequences; without a `mask` all targets count."""

    network: Network
    parameters: Parameters
    inputs: Float[Tensor, "sequence time input"]
    targets: Shaped[Tensor, "sequence time *output"]
    mask: Bool[Tensor, "sequence time"] | None = None

    @classmethod
    def of(cls, network: Network, parameters: Parameters, sequences: Sequences) -> "Frozen":
        """A network on sequences as a task makes them; targets in float64, but for classes."""
        inputs, targets = torch.from_numpy(sequences.inputs), torch.from_numpy(sequences.targets)
        return cls(network, parameters, inputs, targets if network.loss == "cross_entropy" else targets.double())

    def first(self, count: int | None) -> "Frozen":
        """The same on the first `count` sequences, or on all."""
        mask = None if self.mask is None else self.mask[:count]
        return self._replace(inputs=self.inputs[:count], targets=self.targets[:count], mask=mask)

    def folds(self, count: int) -> "list[Frozen]":
        """The same on each of `count` parts of the sequences, in order."""
        masks = [None] * count if self.mask is None else self.mask.tensor_split(count)
        parts = zip(self.inputs.tensor_split(count), self.targets.tensor_split(count), masks, strict=True)
        return [self._replace(inputs=inputs, targets=targets, mask=mask) for inputs, targets, mask in parts]


def load_frozen(
    weights: str | Path, sequences: str | Path, architecture: Mapping[str, Any], network: Mapping[str, Any]
) -> Frozen:
    """Read weights and sequences and build the network they belong to.

    Args:
        architecture: settings of the cell, `{"cell": name, …}`.
        network: `hidden_size` and `readout_bias`, and `outputs` and `loss` of a task that is no scalar one.

    Raises:
        InputError: for an unreadable file, weights of another network, or targets that its loss is not of.
    """
    data = read_sequences(sequences)
    model = Network.build(architecture, data.inputs.shape[-1], **network)
    classes = model.loss == "cross_entropy"
    kind = "classes" if classes else "vectors" if model.outputs else "numbers"
    fits = data.targets.ndim == (3 if kind == "vectors" else 2) and (not classes or data.targets.dtype.kind in "iu")
    requirement = f"sequences whose targets are {kind}, all of which count"
    require(data.mask is None and fits, str(sequences), requirement, data.targets.shape)
    parameters = read_weights(weights)
    model.check(parameters)
    return Frozen.of(model, parameters, data)
