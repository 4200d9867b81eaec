"""A recurrent cell with a linear readout ŷ_t = wᵀ h_t (+ b), and its run over sequences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import CELLS, Cell, Parameters, orthogonal
from learnability.core.errors import lookup, require


@dataclass(frozen=True)
class Network:
    """`cell` and a linear readout with weights w (H,) and, if asked for, a bias b ()."""

    cell: Cell
    readout_bias: bool = False

    @classmethod
    def build(cls, architecture: Mapping[str, Any], input_size: int, hidden_size: int, readout_bias: bool) -> "Network":
        """The network of an architecture's settings: `{"cell": name, …}`, the rest arguments of that cell.

        Raises `InputError` for a cell that does not exist or a setting that it does not take.
        """
        settings = dict(architecture)
        name = str(settings.pop("cell", None))
        cell = lookup(CELLS, "cell", name)
        allowed = sorted(set(cell.__dataclass_fields__) - {"input_size", "hidden_size"})
        require(sorted(settings) == allowed, f"settings of cell '{name}'", str(allowed), sorted(settings))
        return cls(cell(input_size, hidden_size, **settings), readout_bias)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The cell's parameters and an orthogonal (unit-norm) readout, float64."""
        readout = {"w": orthogonal(1, self.cell.hidden_size, root_seed, seed, "w")[0]}
        if self.readout_bias:
            readout["b"] = torch.zeros((), dtype=torch.float64)
        return self.cell.initial_parameters(root_seed, seed) | readout

    def predict(self, parameters: Parameters, states: Float[Tensor, "... state"]) -> Float[Tensor, "..."]:
        """ŷ = wᵀ h (+ b)."""
        predictions = self.cell.output(states) @ parameters["w"]
        return predictions + parameters["b"] if self.readout_bias else predictions

    def readout_gradient(
        self, parameters: Parameters, states: Float[Tensor, "... state"]
    ) -> Float[Tensor, "... state"]:
        """ρ = ∂ŷ/∂s: w over the hidden units, 0 elsewhere."""
        return self.cell.as_state(parameters["w"]).expand_as(states)

    def error_signal(
        self, parameters: Parameters, states: Float[Tensor, "... state"], targets: Float[Tensor, "..."]
    ) -> Float[Tensor, "... state"]:
        """δ = ∂(ŷ - y)²/∂s = 2 (ŷ - y) ρ."""
        errors = self.predict(parameters, states) - targets
        return 2 * errors[..., None] * self.readout_gradient(parameters, states)

    def check(self, parameters: Parameters) -> None:
        """Raise `InputError` unless `parameters` have this network's names and shapes and finite values."""
        expected = self.initial_parameters(0, 0)
        require(set(parameters) == set(expected), "parameters", f"named {sorted(expected)}", sorted(parameters))
        for name, tensor in parameters.items():
            shape = tuple(expected[name].shape)
            require(tuple(tensor.shape) == shape, name, f"of shape {shape}", tuple(tensor.shape))
            require(bool(torch.isfinite(tensor).all()), name, "finite", "a tensor with NaN or infinity")


def run(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
) -> Float[Tensor, "sequence time_and_start state"]:
    """States s_0 = 0, s_1, …, s_T: entry `[:, t]` is s_t, so `[:, :-1]` are the previous states of each step."""
    sequences, time, _ = inputs.shape
    states = inputs.new_zeros(sequences, time + 1, cell.state_size)
    state = states[:, 0]
    for t in range(time):
        state = cell.step(parameters, state, inputs[:, t])
        states[:, t + 1] = state
    return states
