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
from learnability.reservoirs.engines import drive


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
        kind = type(self.recurrent).__name__
        require(isinstance(self.recurrent, ndarray | csr_array), "recurrent", "an array or a csr_array", kind)
        shapes = [self.recurrent.shape, self.input.shape[:1], self.bias.shape]
        fits = shapes == [(self.units, self.units), (self.units,), (self.units,)]
        require(fits, "weights of a reservoir", "of as many units each", shapes)

    @property
    def units(self) -> int:
        """Number of values in a state."""
        return len(self.bias)

    def states(
        self,
        inputs: Float64[ndarray, "..."],
        initial: Float64[ndarray, "start unit"] | None = None,
        *,
        engine: str = "auto",
        threads: int = 1,
    ) -> Float64[ndarray, "sequence time unit"]:
        """h_1, …, h_T of all sequences at once.

        Args:
            inputs: x_1, …, x_T of each sequence, of shape (sequences, steps, inputs).
            initial: h_0; 0 where it is not given.
            engine: `native`, in C++; `numpy`; or `auto`, the first where there is a compiler.
            threads: among which the native engine divides the sequences.

        Raises:
            InputError: for inputs or an h_0 of another shape, another engine, fewer than one thread, or more than one
                by NumPy.
        """
        size = self.input.shape[1]
        fits = inputs.ndim == 3 and inputs.shape[2] == size
        require(fits, "inputs", f"of shape (sequences, steps, {size})", inputs.shape)
        sequences, time, _ = inputs.shape
        h = np.empty((time, sequences, self.units))
        np.add(np.matmul(inputs.swapaxes(0, 1), self.input.T, out=h), self.bias, out=h)
        start = np.zeros((sequences, self.units)) if initial is None else initial
        fits = start.shape == (sequences, self.units)
        require(fits, "initial", f"of shape {(sequences, self.units)}", start.shape)
        drive(self.recurrent, self.leak, start, h, engine, threads)
        return h.swapaxes(0, 1)

    def push(
        self,
        before: Float64[ndarray, "sequence unit"],
        after: Float64[ndarray, "sequence unit"],
        vectors: Float64[ndarray, "sequence unit vector"],
        of_inputs: Float64[ndarray, "sequence input vector"] | None = None,
    ) -> Float64[ndarray, "sequence unit vector"]:
        """J_t v = (1 - a) v + a D(1 - g_t²) W v of the step from h_{t-1} to h_t; a g_t = h_t - (1 - a) h_{t-1}.

        Args:
            before, after: h_{t-1} and h_t.
            vectors: v.
            of_inputs: u, where inputs change too: then with a D(1 - g_t²) W_in u.
        """
        candidate = (after - (1 - self.leak) * before) / self.leak
        images = np.stack([self.recurrent @ vector for vector in vectors])
        if of_inputs is not None:
            images += self.input @ of_inputs
        return (1 - self.leak) * vectors + self.leak * (1 - candidate**2)[..., None] * images

    def as_network(
        self, readout: Float64[ndarray, "unit *output"], offset: Float64[ndarray, "*output"] | None = None
    ) -> tuple[Network, Parameters]:
        """The same as a network of the cell ConstGate, whose gate is a; and its parameters.

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
        require(bool(self.layers), "layers", "at least one", self.layers)
        units, inputs = [layer.units for layer in self.layers[:-1]], [layer.input.shape[1] for layer in self.layers[1:]]
        require(units == inputs, "layers", f"with as many inputs as the layer before has units, {units}", inputs)

    @property
    def units(self) -> int:
        """Number of units of all layers."""
        return sum(layer.units for layer in self.layers)

    def states(
        self,
        inputs: Float64[ndarray, "..."],
        initial: Float64[ndarray, "start unit"] | None = None,
        *,
        engine: str = "auto",
        threads: int = 1,
    ) -> Float64[ndarray, "sequence time unit"]:
        """States of all layers side by side, the first layer first; arguments as of `Reservoir.states`."""
        layer_states, x = [], inputs
        starts = [None] * len(self.layers) if initial is None else self._by_layer(initial)
        for layer, start in zip(self.layers, starts, strict=True):
            x = layer.states(x, start, engine=engine, threads=threads)
            layer_states.append(x)
        return np.concatenate(layer_states, -1)

    def push(
        self,
        before: Float64[ndarray, "sequence unit"],
        after: Float64[ndarray, "sequence unit"],
        vectors: Float64[ndarray, "sequence unit vector"],
    ) -> Float64[ndarray, "sequence unit vector"]:
        """J_t v: what moves a layer moves, in the same step, those that it drives. Arguments as of `Reservoir.push`."""
        images: list[ndarray] = []
        parts = zip(self.layers, *map(self._by_layer, (before, after)), self._by_layer(vectors, 1), strict=True)
        for layer, *arguments in parts:
            images.append(layer.push(*arguments, images[-1] if images else None))
        return np.concatenate(images, 1)

    def _by_layer(self, values: ndarray, axis: int = -1) -> list[ndarray]:
        return np.split(values, np.cumsum([layer.units for layer in self.layers])[:-1], axis)
