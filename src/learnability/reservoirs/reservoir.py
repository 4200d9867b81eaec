"""Reservoirs and their states (Jaeger 2001, *The echo state approach to analysing and training recurrent networks*).

    h_t = (1 - a) h_{t-1} + a tanh(W h_{t-1} + W_in x_t + b)

with the leak rate a (Jaeger et al. 2007). One after another they are deep: the states of one are the inputs of the next
(Gallicchio, Micheli & Pedrelli 2017), and what is read are the states of all.
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float64
from numpy import ndarray
from scipy.sparse import csr_array

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.network import Network


@dataclass(frozen=True)
class Reservoir:
    """Weights that stay as they are.

    Args:
        recurrent: W, dense or sparse.
        input: W_in.
        bias: b.
        leak: a, above 0 and at most 1.

    Raises:
        InputError: for another leak rate, or weights that do not fit each other.
    """

    recurrent: Float64[ndarray, "unit unit"] | csr_array
    input: Float64[ndarray, "unit input"]
    bias: Float64[ndarray, "unit"]
    leak: float = 1.0

    def __post_init__(self) -> None:
        require(0 < self.leak <= 1, "leak", "above 0 and at most 1", self.leak)
        shapes = [self.recurrent.shape, self.input.shape[:1], self.bias.shape]
        fits = shapes == [(self.units, self.units), (self.units,), (self.units,)]
        require(fits, "weights of a reservoir", "of as many units each", shapes)

    @property
    def units(self) -> int:
        """How many numbers a state has."""
        return len(self.bias)

    def states(
        self,
        inputs: Float64[ndarray, "sequence time input"],
        initial: Float64[ndarray, "sequence unit"] | None = None,
    ) -> Float64[ndarray, "sequence time unit"]:
        """h_1, …, h_T of all sequences at once.

        Args:
            initial: h_0; 0 where it is not given.
        """
        sequences, time, _ = inputs.shape
        found = np.empty((time, sequences, self.units))
        np.add(np.matmul(inputs.swapaxes(0, 1), self.input.T, out=found), self.bias, out=found)
        state = np.zeros((sequences, self.units)) if initial is None else initial
        for driven in found:
            driven += self._recur(state)
            np.tanh(driven, out=driven)
            if self.leak < 1:
                driven *= self.leak
                driven += (1 - self.leak) * state
            state = driven
        return found.swapaxes(0, 1)

    def _recur(self, state: Float64[ndarray, "sequence unit"]) -> Float64[ndarray, "sequence unit"]:
        """W h of all sequences."""
        if len(state) == 1:
            return (self.recurrent @ state[0])[None]
        return (self.recurrent @ state.T).T

    def push(
        self,
        before: Float64[ndarray, "sequence unit"],
        after: Float64[ndarray, "sequence unit"],
        vectors: Float64[ndarray, "sequence unit vector"],
    ) -> Float64[ndarray, "sequence unit vector"]:
        """J_t v = (1 - a) v + a D(1 - g_t²) W v of the step from h_{t-1} to h_t; a g_t = h_t - (1 - a) h_{t-1}."""
        candidate = (after - (1 - self.leak) * before) / self.leak
        moved = np.stack([self.recurrent @ each for each in vectors])
        return (1 - self.leak) * vectors + self.leak * (1 - candidate**2)[..., None] * moved

    def as_network(
        self, readout: Float64[ndarray, "unit *output"], offset: Float64[ndarray, "*output"] | None = None
    ) -> tuple[Network, Parameters]:
        """The same as a network of the cell ConstGate, whose gate is a, and its parameters.

        Whatever takes a trained network takes it: weights files, transport, windows.

        Args:
            readout: W_out, transposed.
            offset: of the readout.
        """
        outputs = readout.shape[1] if readout.ndim == 2 else 0
        architecture = {"cell": "const_gate", "gate_value": self.leak}
        network = Network.build(architecture, self.input.shape[1], self.units, offset is not None, outputs)
        recurrent = self.recurrent.toarray() if isinstance(self.recurrent, csr_array) else self.recurrent
        parts = {"W_h": self.input, "U_h": recurrent, "b_h": self.bias, "w": readout.T}
        if offset is not None:
            parts["b"] = offset
        return network, {name: torch.tensor(np.asarray(part)) for name, part in parts.items()}


@dataclass(frozen=True)
class DeepReservoir:
    """Reservoirs, each of which is driven by the states of the one before.

    Raises:
        InputError: where one has not as many inputs as the one before has units.
    """

    layers: tuple[Reservoir, ...]

    def __post_init__(self) -> None:
        given, needed = [layer.units for layer in self.layers[:-1]], [layer.input.shape[1] for layer in self.layers[1:]]
        require(given == needed, "layers", f"with as many inputs as the layer before has units, {given}", needed)

    @property
    def units(self) -> int:
        """Of all layers."""
        return sum(layer.units for layer in self.layers)

    def states(self, inputs: Float64[ndarray, "sequence time input"]) -> Float64[ndarray, "sequence time unit"]:
        """Those of all layers side by side, the first layer's first."""
        found: list[np.ndarray] = []
        for layer in self.layers:
            found.append(layer.states(found[-1] if found else inputs))
        return np.concatenate(found, -1)
