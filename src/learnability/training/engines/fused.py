"""The GPU engine: two Triton kernels for all time steps, all models side by side; see `fused_kernels`.

What does not hang on the state is done outside the kernels, for all t at once, by cuBLAS in float32: W x_t + b before,
and after them, with δ_t = ∂L/∂a_t the stacked deltas,

    ∂L/∂W = Σ_t δ_t x_tᵀ,      ∂L/∂U = Σ_t δ_t h_{t-1}ᵀ,      ∂L/∂b = Σ_t δ_t,      ∂L/∂w = Σ_t ∂L/∂ŷ_t h_t
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from learnability.cells import ConstGate, LeakyCell, Parameters, for_cell
from learnability.errors import InputError, require
from learnability.network import Network
from learnability.training.engines.engine import Engine


class FusedEngine(Engine):
    """BPTT for ConstGate, SharedGate and DiagGate in float32 on CUDA.

    Raises:
        InputError: without Triton, for another cell, or for tensors that are not float32 on CUDA (on the CPU where
            Triton's interpreter runs).
    """

    dtypes = (torch.float32,)
    devices = ("cuda",)

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        self.cell: LeakyCell = for_cell("cuda", network.cell, {LeakyCell: network.cell})  # type: ignore[assignment]
        try:
            from learnability.training.engines import fused_kernels
        except ImportError as error:
            raise InputError(f"engine 'cuda' needs Triton; use engine 'torch'. Got {error}.") from error
        super().__init__(network, models)
        self._kernels = fused_kernels
        self._paths = "hs" if self.cell.gate_size else "h"
        torch.backends.cuda.matmul.allow_tf32 = False

    def losses_and_gradients(self, inputs: Tensor, targets: Tensor) -> Tensor:
        x, weights, readout = self._time_major(inputs), self._stacked("U"), self._stacked_readout("w")
        states, activations, spent = self._forward(x, weights)
        reached = states[:, 1:].flatten(1, 2)
        predictions = torch.bmm(reached, readout[..., None]).view(x.shape[:3])
        if self.network.readout_bias:
            predictions += self._stacked_readout("b")[:, None, None]
        errors = predictions - targets.transpose(1, 2)
        output_gradient = errors * (2 / errors[0].numel())
        deltas = self._backward(states, activations, output_gradient, weights, readout, spent).flatten(1, 2)
        from_inputs = torch.bmm(deltas.mT, x.flatten(1, 2))
        from_states = torch.bmm(deltas.mT, states[:, :-1].flatten(1, 2))
        from_bias = deltas.sum(1)
        from_readout = torch.bmm(output_gradient.flatten(1)[:, None], reached)[:, 0]
        from_readout_bias = output_gradient.sum((1, 2))
        hidden = self.cell.hidden_size
        for model, p in enumerate(self.models):
            for path, rows in zip(self._paths, (slice(hidden), slice(hidden, None)), strict=False):
                p[f"W_{path}"].grad, p[f"U_{path}"].grad = from_inputs[model, rows], from_states[model, rows]
                p[f"b_{path}"].grad = from_bias[model, rows]
            p["w"].grad = from_readout[model]
            if self.network.readout_bias:
                p["b"].grad = from_readout_bias[model]
        return errors.square().mean((1, 2))

    def states(self, inputs: Tensor) -> Tensor:
        return self._forward(self._time_major(inputs), self._stacked("U"))[0].transpose(1, 2)

    def _time_major(self, inputs: Tensor) -> Tensor:
        """(model, time, sequence, input), so that h_1 … h_T of all sequences lie side by side."""
        place = "cpu" if self._kernels.INTERPRETED else "cuda"
        for name, tensor in (("inputs", inputs), ("parameters", self.models[0]["w"])):
            right = tensor.dtype == torch.float32 and tensor.device.type == place
            require(right, name, f"float32 on {place} for engine 'cuda'", f"{tensor.dtype} on {tensor.device}")
        return inputs.transpose(1, 2).contiguous()

    def _stacked(self, letter: str) -> Tensor:
        """W, U or b of all models, the candidate's rows before the gate's."""
        return torch.stack([torch.cat([p[f"{letter}_{path}"] for path in self._paths]) for p in self.models])

    def _stacked_readout(self, name: str) -> Tensor:
        return torch.stack([p[name] for p in self.models])

    def _forward(self, x: Tensor, weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """States (model, time + 1, sequence, H), activations [g; s], and the projections, which are spent."""
        models, time, sequences, _ = x.shape
        bias = self._stacked("b")[:, None]
        projections = torch.baddbmm(bias, x.flatten(1, 2), self._stacked("W").mT).view(models, time, sequences, -1)
        activations = torch.empty_like(projections)
        states = x.new_empty(models, time + 1, sequences, self.cell.hidden_size)
        self._launch(self._kernels.forward, (projections, activations, states, weights), sequences, time)
        return states, activations, projections

    def _backward(
        self,
        states: Tensor,
        activations: Tensor,
        output_gradient: Tensor,
        weights: Tensor,
        readout: Tensor,
        deltas: Tensor,
    ) -> Tensor:
        """Fill `deltas`."""
        _, time, sequences, _ = deltas.shape
        arrays = (activations, deltas, states, output_gradient, weights, readout)
        self._launch(self._kernels.backward, arrays, sequences, time)
        return deltas

    def _launch(self, kernel: object, arrays: tuple[Tensor, ...], sequences: int, time: int) -> None:
        hidden, rows = self.cell.hidden_size, self._kernels.ROWS
        width = max(16, 1 << (hidden - 1).bit_length())
        kernel[len(self.models), -(-sequences // rows)](  # type: ignore[index]
            *arrays,
            self.cell.gate_value if isinstance(self.cell, ConstGate) else 0.0,
            sequences,
            time,
            HIDDEN=hidden,
            GATES=self.cell.gate_size,
            WIDTH=width,
            ROWS=rows,
            num_warps=min(16, max(4, width // 8)),  # with fewer the weights of 64 units spill out of the registers
        )
