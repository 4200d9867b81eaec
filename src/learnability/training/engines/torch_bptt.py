"""Hand-written BPTT for the leaky cells, in torch, without a compiler.

Why it is fast: time-major buffers made once and written in place; one matrix product and one sigmoid a step for
candidate and gate together (tanh(x) = 2σ(2x) - 1); all that does not hang on the carried gradient, and the weight
gradients, in blocks of time steps that stay in cache.

With p_t the stacked pre-activations [2a^h; a^s], u_t = σ(p_t), g = 2u^h - 1, and G_t = ∂L/∂h_t in full:

    ∂L/∂a^h_t = G_t ⊙ s_t ⊙ (1 - g_t²),      ∂L/∂a^s_t = G_t ⊙ (g_t - h_{t-1}) ⊙ s_t (1 - s_t)    (summed over units
    G_{t-1} = G_t ⊙ (1 - s_t) + U_hᵀ ∂L/∂a^h_t + U_sᵀ ∂L/∂a^s_t + ∂E_{t-1}/∂h_{t-1}                 for one shared gate)
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from learnability.cells import ConstGate, LeakyCell, Parameters
from learnability.errors import InputError
from learnability.network import Network
from learnability.training.engines.engine import OneByOneEngine

BLOCK = 16
"""Time steps whose factors are computed together: enough to amortise a call, few enough to stay in cache."""


class TorchEngine(OneByOneEngine):
    """Hand-written BPTT for ConstGate, SharedGate and DiagGate."""

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        if not isinstance(network.cell, LeakyCell):
            raise InputError(f"engine 'torch' must get a leaky cell. Got {type(network.cell).__name__}.")
        super().__init__(network, models)
        self.cell = network.cell
        self._layout: tuple[object, ...] = ()

    def _one(self, parameters: Parameters, inputs: Tensor, targets: Tensor) -> Tensor:
        layout = (*inputs.shape, inputs.dtype, inputs.device)
        if self._layout != layout:
            self._allocate(inputs)
            self._layout = layout
        x = inputs.transpose(0, 1).contiguous()
        w, u, b = self._stacked(parameters)
        self._forward(x, w, u, b)
        states = self._states[1:]
        errors = self.network.predict(parameters, states) - targets.T
        self._backward(parameters, x, errors * (2 / errors.numel()), u)
        return errors.square().mean()

    def _allocate(self, like: Tensor) -> None:
        hidden, gate = self.cell.hidden_size, self.cell.gate_size
        sequences, time, _ = like.shape
        self._states = like.new_zeros(time + 1, sequences, hidden)
        self._activations = like.new_empty(time, sequences, hidden + gate)
        self._deltas = like.new_empty(BLOCK, sequences, hidden + gate)
        self._gradient = like.new_empty(sequences, hidden)
        self._minus_one = like.new_full((), -1.0)
        if isinstance(self.cell, ConstGate):
            self._gate = like.new_full((1,), self.cell.gate_value)

    def _stacked(self, p: Parameters) -> tuple[Tensor, Tensor, Tensor]:
        """[2W_h; W_s], [2U_h; U_s], [2b_h; b_s]: the candidate's rows doubled, for tanh(x) = 2σ(2x) - 1."""
        if not self.cell.gate_size:
            return 2 * p["W_h"], 2 * p["U_h"], 2 * p["b_h"]
        return tuple(torch.cat([2 * p[f"{name}_h"], p[f"{name}_s"]]) for name in "WUb")  # type: ignore[return-value]

    def _forward(self, x: Tensor, w: Tensor, u: Tensor, b: Tensor) -> None:
        """Fill the states h_0 … h_T and the activations [g_t; s_t]."""
        hidden = self.cell.hidden_size
        activations, states, transposed = self._activations, self._states, u.T.contiguous()
        torch.addmm(b, x.flatten(0, 1), w.T, out=activations.view(-1, len(b)))
        for activation, previous, state in zip(activations, states[:-1], states[1:], strict=True):
            activation.addmm_(previous, transposed).sigmoid_()
            g = activation[:, :hidden]
            torch.add(self._minus_one, g, alpha=2, out=g)
            gate = activation[:, hidden:] if self.cell.gate_size else self._gate
            torch.lerp(previous, g, gate, out=state)

    def _backward(self, parameters: Parameters, x: Tensor, output_gradient: Tensor, u: Tensor) -> None:
        """Walk back from T to 1 in blocks, and leave ∂L/∂θ in each parameter's `.grad`.

        Args:
            x: (time, sequence, input).
            output_gradient: ∂L/∂ŷ_t, (time, sequence).
            u: stacked recurrent weights as the forward pass used them.
        """
        hidden, gate_size = self.cell.hidden_size, self.cell.gate_size
        recurrent = torch.cat([u[:hidden] / 2, u[hidden:]])
        grad_u, grad_w = torch.zeros_like(u), x.new_zeros(len(u), x.shape[-1])
        grad_b = x.new_zeros(len(u))
        readout, carried = parameters["w"], self._gradient.zero_()
        total = torch.empty_like(carried)
        for start in reversed(range(0, len(x), BLOCK)):
            block = slice(start, min(start + BLOCK, len(x)))
            previous, g = self._states[block], self._activations[block, :, :hidden]
            s = self._activations[block, :, hidden:] if gate_size else self._gate
            keep = 1 - s
            to_candidate = torch.addcmul(s, g * s, g, value=-1)
            to_gate = (g - previous).mul_(s * keep) if gate_size else g
            from_output = output_gradient[block, :, None] * readout
            deltas = self._deltas[: len(previous)]
            for t in reversed(range(len(previous))):
                delta = deltas[t]
                torch.add(carried, from_output[t], out=total)
                torch.mul(total, to_candidate[t], out=delta[:, :hidden])
                if gate_size == 1:
                    torch.mul(total, to_gate[t], out=carried)
                    torch.sum(carried, 1, keepdim=True, out=delta[:, hidden:])
                elif gate_size:
                    torch.mul(total, to_gate[t], out=delta[:, hidden:])
                torch.mul(total, keep[t] if gate_size else keep, out=carried)
                carried.addmm_(delta, recurrent)
            flat = deltas.flatten(0, 1)
            grad_u.addmm_(flat.T, previous.flatten(0, 1))
            grad_w.addmm_(flat.T, x[block].flatten(0, 1))
            grad_b.add_(flat.sum(0))
        self._set_gradients(parameters, grad_w, grad_u, grad_b, output_gradient)

    def _set_gradients(
        self, p: Parameters, grad_w: Tensor, grad_u: Tensor, grad_b: Tensor, output_gradient: Tensor
    ) -> None:
        hidden = self.cell.hidden_size
        for name, gradient in (("W", grad_w), ("U", grad_u), ("b", grad_b)):
            p[f"{name}_h"].grad = gradient[:hidden]
            if self.cell.gate_size:
                p[f"{name}_s"].grad = gradient[hidden:]
        p["w"].grad = torch.mv(self._states[1:].flatten(0, 1).T, output_gradient.flatten())
        if self.network.readout_bias:
            p["b"].grad = output_gradient.sum()
