"""The paper's network as its equations stand, in float64: an oracle, slow and plain.

    h_{t+1} = φ(V s_t + U x_{t+1} + b)                                        Eq. 1
    s_t = f(h_t, c_t),    c_t = Σ_{i≤t} α_{i,t} h_i                           Eq. 2
    α_{·,t} = softmax(e_{·,t}),    e_{i,t} = v_aᵀ tanh(W_a s_{t-1} + U_a h_i)      Remark 5

from s_0 = 0. With v_a = 0 attention is uniform, α_{i,t} = 1/t, and the derivatives of e are 0: X = Y = 0 hold exactly,
where Remark 8 takes them for small.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

Function = Callable[[Tensor], Tensor]
Mix = Callable[[Tensor, Tensor], Tensor]

MIXES: Mapping[str, Mix] = {"sum": lambda h, c: h + c, "mean": lambda h, c: (h + c) / 2}
"""f: `sum` is that of the text, `mean` that of the authors' code."""


def linear(a: Float64[Tensor, "..."]) -> Float64[Tensor, "..."]:
    """φ of Remark 7, with J_t = V."""
    return a


class Weights(NamedTuple):
    """Parameters of Eq. 1 (V, U, b) and of the alignment function (W_a, U_a, v_a)."""

    V: Float64[Tensor, "n n"]
    U: Float64[Tensor, "n m"]
    b: Float64[Tensor, "n"]
    W_a: Float64[Tensor, "n n"]
    U_a: Float64[Tensor, "n n"]
    v_a: Float64[Tensor, "n"]


class Trajectory(NamedTuple):
    """h_t, s_t and α_{·,t} at place t = 0, …, T; at place 0 stand s_0 = 0 and, for want of an h_0, zeros."""

    hidden: list[Tensor]
    states: list[Tensor]
    attention: list[Tensor]


class MemRNN(NamedTuple):
    """A network: `weights`, f as `mix`, φ as `activation`."""

    weights: Weights
    mix: Mix = MIXES["sum"]
    activation: Function = torch.tanh

    def hidden(self, before: Float64[Tensor, "n"], x: Float64[Tensor, "m"]) -> Float64[Tensor, "n"]:
        """h_{t+1} from s_t and x_{t+1} (Eq. 1)."""
        return self.activation(self.weights.V @ before + self.weights.U @ x + self.weights.b)

    def alignment(self, before: Float64[Tensor, "n"], hidden: Float64[Tensor, "t n"]) -> Float64[Tensor, "t"]:
        """e_{·,t} from s_{t-1} and h_1, …, h_t."""
        return torch.tanh(before @ self.weights.W_a.T + hidden @ self.weights.U_a.T) @ self.weights.v_a

    def state(self, hidden: Float64[Tensor, "t n"], before: Float64[Tensor, "n"]) -> Float64[Tensor, "n"]:
        """s_t = ψ_t(h_1, …, h_t, s_{t-1}) (Eq. 9)."""
        return self.mix(hidden[-1], torch.softmax(self.alignment(before, hidden), 0) @ hidden)

    def run(self, inputs: Float64[Tensor, "time m"]) -> Trajectory:
        """The trajectory that x_1, …, x_T drive, on a tape where weights require gradients."""
        zero = torch.zeros_like(self.weights.b)
        hidden, states, attention = [zero], [zero], [zero[:0]]
        for x in inputs:
            hidden.append(self.hidden(states[-1], x))
            so_far = torch.stack(hidden[1:])
            attention.append(torch.softmax(self.alignment(states[-1], so_far), 0))
            states.append(self.state(so_far, states[-1]))
        return Trajectory(hidden, states, attention)


def random_weights(generator: np.random.Generator, units: int, inputs: int = 2, gain: float = 1.0) -> Weights:
    """Normal parameters of variance gain²/n."""

    def normal(*shape: int) -> Tensor:
        return torch.from_numpy(gain * generator.standard_normal(shape) / units**0.5)

    recurrence = normal(units, units), normal(units, inputs), normal(units)
    return Weights(*recurrence, normal(units, units), normal(units, units), normal(units))


def derivative(of: Float64[Tensor, "n"], by: Float64[Tensor, "m"]) -> Float64[Tensor, "n m"]:
    """Total derivative of one place of a tape by another, by automatic differentiation."""
    rows = [torch.autograd.grad(row, by, retain_graph=True, materialize_grads=True)[0] for row in of]
    return torch.stack(rows)
