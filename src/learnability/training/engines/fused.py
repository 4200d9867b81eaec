"""The GPU engine: two Triton kernels for all time steps, all models side by side; see `fused_kernels`.

What does not depend on the state is done outside the kernels, for all t at once, by cuBLAS in float32, a model at a
time: which kernel a product of several takes may depend on their number. It is W x_t + b before, and after them, with
δ_t = ∂L/∂a_t the stacked deltas,

    ∂L/∂W = Σ_t δ_t x_tᵀ,      ∂L/∂U = Σ_t δ_t h_{t-1}ᵀ,      ∂L/∂b = Σ_t δ_t,      ∂L/∂w = Σ_t ∂L/∂ŷ_t h_t
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from learnability.cells import Parameters, for_cell, lacked_cell
from learnability.cells.leaky import LEAKY, LeakyCell
from learnability.core.errors import InputError, require
from learnability.networks.network import Network
from learnability.training.engines.engine import Engine, aligned


class FusedEngine(Engine):
    """BPTT for ConstGate, SharedGate and DiagGate in float32 on CUDA.

    Raises:
        InputError: without Triton, for another cell, or for tensors that are not float32 on CUDA (on the CPU where
            Triton's interpreter runs).
    """

    dtypes = (torch.float32,)
    devices = ("cuda",)

    @classmethod
    def lacks(cls, network: Network, extras: Sequence[str] = ()) -> str:
        absent = lacked_cell(network.cell, LEAKY)
        return f"the cell {absent}" if absent else super().lacks(network, extras)

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        self.cell: LeakyCell = for_cell("cuda", network.cell, dict.fromkeys(LEAKY, network.cell))  # type: ignore[assignment]
        try:
            from learnability.training.engines import fused_kernels
        except ImportError as error:
            raise InputError(f"engine 'cuda' needs Triton; use engine 'torch'. Got {error}.") from error
        super().__init__(network, models)
        self._kernels = fused_kernels
        self._paths = "hs" if self.cell.gate_size else "h"
        torch.backends.cuda.matmul.allow_tf32 = False

    def losses_and_gradients(self, inputs: Tensor, targets: Tensor) -> Tensor:
        x, weights = self._time_major(inputs), torch.stack(self._of_each("U"))
        states, activations, projections = self._forward(x, weights)
        model_states = [aligned(s) for s in states]
        predictions = [self.network.predict(p, s[1:]) for p, s in zip(self.models, model_states, strict=True)]
        errors = torch.stack(predictions) - targets.transpose(1, 2)
        output_gradient = errors * (2 / errors[0].numel())
        deltas = self._backward(states, activations, output_gradient, weights, projections)
        for p, *arrays in zip(self.models, x, model_states, deltas, output_gradient, strict=True):
            self._set_gradients(p, *(aligned(array) for array in arrays))
        return torch.stack([error.square().mean() for error in errors])

    def _set_gradients(
        self, parameters: Parameters, x: Tensor, states: Tensor, deltas: Tensor, output_gradient: Tensor
    ) -> None:
        """Leave ∂L/∂θ of one model in each parameter's `.grad`."""
        p, hidden, deltas = parameters, self.cell.hidden_size, deltas.flatten(0, 1)
        from_inputs = deltas.mT @ x.flatten(0, 1)
        from_states = deltas.mT @ states[:-1].flatten(0, 1)
        from_bias = deltas.sum(0)
        for path, rows in zip(self._paths, (slice(hidden), slice(hidden, None)), strict=False):
            p[f"W_{path}"].grad, p[f"U_{path}"].grad = from_inputs[rows], from_states[rows]
            p[f"b_{path}"].grad = from_bias[rows]
        p["w"].grad = output_gradient.flatten() @ states[1:].flatten(0, 1)
        if self.network.readout_bias:
            p["b"].grad = output_gradient.sum()

    def states(self, inputs: Tensor) -> Tensor:
        return self._forward(self._time_major(inputs), torch.stack(self._of_each("U")))[0].transpose(1, 2)

    def _time_major(self, inputs: Tensor) -> Tensor:
        """(model, time, sequence, input), so that h_1 … h_T of all sequences lie side by side."""
        place = "cpu" if self._kernels.INTERPRETED else "cuda"
        for name, tensor in (("inputs", inputs), ("parameters", self.models[0]["w"])):
            right = tensor.dtype == torch.float32 and tensor.device.type == place
            require(right, name, f"float32 on {place} for engine 'cuda'", f"{tensor.dtype} on {tensor.device}")
        return inputs.transpose(1, 2).contiguous()

    def _of_each(self, letter: str) -> list[Tensor]:
        """W, U or b of each model, the candidate's rows before the gate's."""
        return [torch.cat([p[f"{letter}_{path}"] for path in self._paths]) for p in self.models]

    def _forward(self, x: Tensor, weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """States (model, time + 1, sequence, H), activations [g; s], and the projections, which are spent."""
        models, time, sequences, _ = x.shape
        layers = zip(self._of_each("b"), self._of_each("W"), x, strict=True)
        products = [torch.addmm(b, aligned(inputs).flatten(0, 1), W.mT) for b, W, inputs in layers]
        projections = torch.stack(products).view(models, time, sequences, -1)
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
        deltas: Tensor,
    ) -> Tensor:
        """Fill `deltas`."""
        _, time, sequences, _ = deltas.shape
        readout = torch.stack([p["w"] for p in self.models])
        arrays = (activations, deltas, states, output_gradient, weights, readout)
        self._launch(self._kernels.backward, arrays, sequences, time)
        return deltas

    def _launch(self, kernel: object, arrays: tuple[Tensor, ...], sequences: int, time: int) -> None:
        hidden, rows = self.cell.hidden_size, self._kernels.ROWS
        width = max(16, 1 << (hidden - 1).bit_length())
        kernel[len(self.models), -(-sequences // rows)](  # type: ignore[index]
            *arrays,
            self.cell.fixed_gate,
            sequences,
            time,
            HIDDEN=hidden,
            GATES=self.cell.gate_size,
            WIDTH=width,
            ROWS=rows,
            num_warps=min(16, max(4, width // 8)),  # with fewer the weights of 64 units spill out of the registers
        )
