"""Cells run forward through time and their gradients carried back: the parts of torch_bptt.py for each cell.

Letters are those of torch_bptt.py. Shapes: "..." is the model axis. A single model has none: a plain product is faster
than a batch of one. A batch may round differently, and so may an elementwise function, which may treat the end of an
array by itself.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from learnability.cells.gru import GRU
from learnability.cells.leaky import LEAKY, LeakyCell
from learnability.cells.lstm import LSTM

BLOCK = 16
"""Steps whose factors are computed together: enough to amortise a call, few enough to stay in cache."""


def add_product(total: Tensor, a: Tensor, b: Tensor) -> None:
    """Add a @ b to `total` in place, for one model or for each of several."""
    if total.dim() == 2:
        total.addmm_(a, b)
    else:
        total.baddbmm_(a, b)


def steps(buffer: Tensor, start: int, stop: int | None) -> Tensor:
    """Some steps of a buffer (…, time, sequence, row)."""
    return buffer[..., start:stop, :, :]


def slope(gate: Tensor) -> Tensor:
    """σ' = u (1 - u) of u = σ(a)."""
    return torch.addcmul(gate, gate, gate, value=-1)


class Recurrence(ABC):
    """A cell run forward through time and its gradient carried back, in buffers (…, time, sequence, row).

    Args:
        like: inputs (…, sequence, time, input).
        hidden: H.
        paths: rows of each path, in the order of the stacked weights.
        products: rows of the products of a step, each with an operand of its own; by default one product with h_{t-1}.
    """

    def __init__(self, like: Tensor, hidden: int, paths: Mapping[str, int], products: Sequence[int] = ()) -> None:
        *models, sequences, time, inputs = like.shape
        rows = sum(paths.values())
        self.paths, self._products = dict(paths), list(products) or [rows]
        self._like, self._models, self._sequences, self._time = like.new_empty(0), models, sequences, time
        self._x = self._buffer(time, inputs + 1).fill_(1)
        self._states = self._buffer(time + 1, hidden).zero_()
        self._activations = self._buffer(time, rows)
        self._deltas = self._buffer(BLOCK, rows)
        self._gradients = self._buffer(BLOCK + 1, hidden)

    def forward(self, inputs: Tensor, weights: Tensor, recurrent: Tensor) -> Tensor:
        """h_1, …, h_T from inputs (…, sequence, time, input), [W b] (…, row, input + 1) and U (…, row, hidden)."""
        self._x[..., :-1] = inputs.transpose(-3, -2)
        torch.matmul(self._x.flatten(-3, -2), weights.mT, out=self._activations.flatten(-3, -2))
        self._run_forward([part.mT.contiguous() for part in recurrent.split(self._products, -2)])
        return steps(self._states, 1, None)

    def backward(self, output_gradient: Tensor, recurrent: Tensor, readout: Tensor) -> None:
        """Walk from T to 1 in blocks, adding up ∂L/∂[W b] and ∂L/∂U in tensors that outlast the next call.

        Args:
            output_gradient: ∂L/∂ŷ_t, (…, time, sequence).
            recurrent: U, (…, row, hidden).
            readout: w, (…, hidden).
        """
        from_output = torch.nn.functional.pad(output_gradient, (0, 0, 1, 0))[..., None]  # h_0 is not read out
        readout = readout[..., None, None, :]
        rows = recurrent.shape[-2]
        self.weights_gradient = self._like.new_zeros(*self._models, rows, self._x.shape[-1])
        self.recurrent_gradient = torch.zeros_like(recurrent)
        parts, gradient_parts = (tensor.split(self._products, -2) for tensor in (recurrent, self.recurrent_gradient))
        torch.mul(steps(from_output, -1, None), readout, out=steps(self._gradients, 0, 1))
        for start in reversed(range(0, self._time, BLOCK)):
            stop = min(start + BLOCK, self._time)
            count = stop - start
            # The later block has completed the gradient at its start, which is the end of this one.
            steps(self._gradients, count, count + 1).copy_(steps(self._gradients, 0, 1))
            torch.mul(steps(from_output, start, stop), readout, out=steps(self._gradients, 0, count))
            self._prepare(start, stop)
            self._run_backward(parts, count)
            deltas = steps(self._deltas, 0, count).flatten(-3, -2)
            add_product(self.weights_gradient, deltas.mT, steps(self._x, start, stop).flatten(-3, -2))
            delta_parts = deltas.split(self._products, -1)
            for gradient, delta, operand in zip(gradient_parts, delta_parts, self._operands, strict=True):
                add_product(gradient, delta.mT, steps(operand, start, stop).flatten(-3, -2))

    @property
    def _operands(self) -> list[Tensor]:
        """Factors of the recurrent weights of each product at each step."""
        return [self._before]

    @abstractmethod
    def _run_forward(self, recurrent: Sequence[Tensor]) -> None:
        """Turn `_activations`, which hold [W b] [x_t; 1], into activations, and fill the states.

        Args:
            recurrent: Uᵀ of each product.
        """

    @abstractmethod
    def _prepare(self, start: int, stop: int) -> None:
        """Compute the factors of a block, which do not depend on the gradient."""

    @abstractmethod
    def _run_backward(self, recurrent: Sequence[Tensor], count: int) -> None:
        """Fill δ_t and complete G_{t-1} in `_gradients`, which hold ∂E_{t-1}/∂h_{t-1}, for `count` steps of a block.

        Args:
            recurrent: U of each product.
        """

    @property
    def _before(self) -> Tensor:
        """h_{t-1} for t = 1, …, T."""
        return steps(self._states, 0, -1)

    def _buffer(self, time: int, rows: int) -> Tensor:
        return self._like.new_empty(*self._models, time, self._sequences, rows)

    def _views(self, *buffers: Tensor) -> list[tuple[Tensor, ...]]:
        """Steps of several buffers, side by side."""
        return list(zip(*(buffer.unbind(len(self._models)) for buffer in buffers), strict=True))

    def _backward_views(self, *buffers: Tensor) -> list[tuple[Tensor, ...]]:
        """Steps of buffers of a block, as `_views` gives them, with δ_t, G_t and G_{t-1} in front."""
        return self._views(self._deltas, steps(self._gradients, 1, None), steps(self._gradients, 0, -1), *buffers)


class LeakyRecurrence(Recurrence):
    """ConstGate, SharedGate and DiagGate.

    g_t = tanh(a^h_t),   s_t = σ(a^s_t),   h_t = h_{t-1} + s_t ⊙ (g_t - h_{t-1})
    δ^h_t = G_t ⊙ s_t ⊙ (1 - g_t²),   δ^s_t = G_t ⊙ (g_t - h_{t-1}) ⊙ σ'_s     (summed over units if the gate is shared)
    G_{t-1} = ∂E_{t-1}/∂h_{t-1} + G_t ⊙ (1 - s_t) + Uᵀ δ_t
    """

    def __init__(self, cell: LeakyCell, like: Tensor) -> None:
        hidden, gates = cell.hidden_size, cell.gate_size
        super().__init__(like, hidden, {"h": hidden, "s": gates} if gates else {"h": hidden})
        self._gates, self._scratch = gates, self._buffer(1, hidden).squeeze(-3)
        self._g, self._s = self._activations.split([hidden, gates], -1)
        self._keep = self._buffer(BLOCK, max(gates, 1))
        self._to_candidate, self._to_gate = self._buffer(BLOCK, hidden), self._buffer(BLOCK, hidden)
        if not gates:
            self._s = torch.full_like(self._activations[..., :1], cell.fixed_gate)
            self._keep.fill_(1 - cell.fixed_gate)
        after = steps(self._states, 1, None)
        self._forward_steps = self._views(self._activations, self._g, self._s, self._before, after)
        of_candidate, of_gate = self._deltas.split([hidden, gates], -1)
        self._backward_steps = self._backward_views(
            of_candidate, of_gate, self._to_candidate, self._to_gate, self._keep
        )

    def _run_forward(self, recurrent: Sequence[Tensor]) -> None:
        (u,) = recurrent
        for activation, g, s, before, after in self._forward_steps:
            add_product(activation, before, u)
            g.tanh_()
            if self._gates:
                s.sigmoid_()
            torch.lerp(before, g, s, out=after)

    def _prepare(self, start: int, stop: int) -> None:
        before, g, s = (steps(buffer, start, stop) for buffer in (self._before, self._g, self._s))
        to_candidate, to_gate, keep = (
            steps(buffer, 0, stop - start) for buffer in (self._to_candidate, self._to_gate, self._keep)
        )
        torch.addcmul(s, g * s, g, value=-1, out=to_candidate)
        if self._gates:
            torch.sub(g, before, out=to_gate).mul_(slope(s))
            torch.neg(s, out=keep).add_(1)

    def _run_backward(self, recurrent: Sequence[Tensor], count: int) -> None:
        (u,) = recurrent
        for views in reversed(self._backward_steps[:count]):
            delta, gradient, previous, of_candidate, of_gate, to_candidate, to_gate, keep = views
            torch.mul(gradient, to_candidate, out=of_candidate)
            if self._gates == 1:
                torch.sum(torch.mul(gradient, to_gate, out=self._scratch), -1, keepdim=True, out=of_gate)
            elif self._gates:
                torch.mul(gradient, to_gate, out=of_gate)
            previous.addcmul_(gradient, keep)
            add_product(previous, delta, u)


class LSTMRecurrence(Recurrence):
    """LSTM, with e_t = o_t ⊙ (1 - tanh²(c_t)) and C_t = ∂L/∂c_t in full.

    o_t, i_t, f_t = σ(a_t),   g_t = tanh(a^g_t),   c_t = f_t ⊙ c_{t-1} + i_t ⊙ g_t,   h_t = o_t ⊙ tanh(c_t)
    C_t = C_{t+1} ⊙ f_{t+1} + G_t ⊙ e_t,   δ^o_t = G_t ⊙ tanh(c_t) ⊙ σ'_o
    δ^i_t = C_t ⊙ g_t ⊙ σ'_i,   δ^f_t = C_t ⊙ c_{t-1} ⊙ σ'_f,   δ^g_t = C_t ⊙ i_t ⊙ (1 - g_t²)
    G_{t-1} = ∂E_{t-1}/∂h_{t-1} + Uᵀ δ_t
    """

    def __init__(self, cell: LSTM, like: Tensor) -> None:
        hidden = cell.hidden_size
        super().__init__(like, hidden, dict.fromkeys("oifg", hidden))
        self._cell_states = self._buffer(self._time + 1, hidden).zero_()
        self._tanh_cells = self._buffer(self._time, hidden)
        self._factors, self._expression = self._buffer(BLOCK, 4 * hidden), self._buffer(BLOCK, hidden)
        self._keep = self._buffer(BLOCK, hidden)
        self._cell_gradient = self._buffer(1, hidden).squeeze(-3)
        gates, self._g = self._activations.split([3 * hidden, hidden], -1)
        self._o, self._i, self._f = gates.chunk(3, -1)
        cells = steps(self._cell_states, 0, -1), steps(self._cell_states, 1, None)
        self._forward_steps = self._views(
            *(self._activations, gates, self._o, self._i, self._f, self._g, *cells, self._tanh_cells),
            *(self._before, steps(self._states, 1, None)),
        )
        (of_output, of_cell), (to_output, to_cell) = (
            (rows[..., :hidden], rows[..., hidden:].unflatten(-1, (3, hidden)))
            for rows in (self._deltas, self._factors)
        )
        self._backward_steps = self._backward_views(
            of_output, of_cell, to_output, to_cell, self._expression, self._keep
        )

    def _run_forward(self, recurrent: Sequence[Tensor]) -> None:
        (u,) = recurrent
        for activation, gates, o, i, f, g, cell_before, cell_after, tanh_cell, before, after in self._forward_steps:
            add_product(activation, before, u)
            gates.sigmoid_()
            g.tanh_()
            torch.mul(f, cell_before, out=cell_after).addcmul_(i, g)
            torch.tanh(cell_after, out=tanh_cell)
            torch.mul(o, tanh_cell, out=after)

    def _prepare(self, start: int, stop: int) -> None:
        count = stop - start
        if stop == self._time:
            self._cell_gradient.zero_()
        o, i, f, g, tanh_cell = (
            steps(buffer, start, stop) for buffer in (self._o, self._i, self._f, self._g, self._tanh_cells)
        )
        to_output, to_input, to_forget, to_candidate = steps(self._factors, 0, count).chunk(4, -1)
        torch.mul(slope(o), tanh_cell, out=to_output)
        torch.mul(slope(i), g, out=to_input)
        torch.mul(slope(f), steps(self._cell_states, start, stop), out=to_forget)
        torch.addcmul(i, g * i, g, value=-1, out=to_candidate)
        torch.addcmul(o, o * tanh_cell, tanh_cell, value=-1, out=steps(self._expression, 0, count))
        steps(self._keep, 0, count).copy_(f)

    def _run_backward(self, recurrent: Sequence[Tensor], count: int) -> None:
        (u,) = recurrent
        cell_gradient, for_paths = self._cell_gradient, self._cell_gradient[..., None, :]
        for views in reversed(self._backward_steps[:count]):
            delta, gradient, previous, of_output, of_cell, to_output, to_cell, expression, keep = views
            torch.mul(gradient, to_output, out=of_output)
            cell_gradient.addcmul_(gradient, expression)
            torch.mul(for_paths, to_cell, out=of_cell)
            cell_gradient.mul_(keep)
            add_product(previous, delta, u)


class GRURecurrence(Recurrence):
    """GRU, with R_t = U_hᵀ δ^h_t the gradient at r_t ⊙ h_{t-1}.

    z_t, r_t = σ(a_t),   g_t = tanh(a^h_t), a^h_t with U_h (r_t ⊙ h_{t-1}),   h_t = h_{t-1} + z_t ⊙ (g_t - h_{t-1})
    δ^z_t = G_t ⊙ (g_t - h_{t-1}) ⊙ σ'_z,   δ^h_t = G_t ⊙ z_t ⊙ (1 - g_t²),   δ^r_t = R_t ⊙ h_{t-1} ⊙ σ'_r
    G_{t-1} = ∂E_{t-1}/∂h_{t-1} + G_t ⊙ (1 - z_t) + R_t ⊙ r_t + U_zᵀ δ^z_t + U_rᵀ δ^r_t
    """

    def __init__(self, cell: GRU, like: Tensor) -> None:
        hidden = cell.hidden_size
        super().__init__(like, hidden, dict.fromkeys("zrh", hidden), (2 * hidden, hidden))
        self._reset_states = self._buffer(self._time, hidden)
        self._factors, self._keep = self._buffer(BLOCK, 3 * hidden), self._buffer(BLOCK, hidden)
        self._open = self._buffer(BLOCK, hidden)
        self._to_reset_states = self._buffer(1, hidden).squeeze(-3)
        self._z, self._r, self._g = self._activations.chunk(3, -1)
        gates, after = self._activations[..., : 2 * hidden], steps(self._states, 1, None)
        self._forward_steps = self._views(gates, self._z, self._r, self._g, self._reset_states, self._before, after)
        self._backward_steps = self._backward_views(
            *(self._deltas[..., : 2 * hidden], *self._deltas.chunk(3, -1)),
            *(*self._factors.chunk(3, -1), self._keep, self._open),
        )

    @property
    def _operands(self) -> list[Tensor]:
        return [self._before, self._reset_states]

    def _run_forward(self, recurrent: Sequence[Tensor]) -> None:
        of_gates, of_candidate = recurrent
        for gates, z, r, g, reset_state, before, after in self._forward_steps:
            add_product(gates, before, of_gates)
            gates.sigmoid_()
            torch.mul(r, before, out=reset_state)
            add_product(g, reset_state, of_candidate)
            g.tanh_()
            torch.lerp(before, g, z, out=after)

    def _prepare(self, start: int, stop: int) -> None:
        count = stop - start
        before, z, r, g = (steps(buffer, start, stop) for buffer in (self._before, self._z, self._r, self._g))
        to_update, to_reset, to_candidate = steps(self._factors, 0, count).chunk(3, -1)
        torch.sub(g, before, out=to_update).mul_(slope(z))
        torch.mul(slope(r), before, out=to_reset)
        torch.addcmul(z, g * z, g, value=-1, out=to_candidate)
        torch.neg(z, out=steps(self._keep, 0, count)).add_(1)
        steps(self._open, 0, count).copy_(r)

    def _run_backward(self, recurrent: Sequence[Tensor], count: int) -> None:
        of_gates, of_candidate = recurrent
        to_reset_state = self._to_reset_states
        for views in reversed(self._backward_steps[:count]):
            _, gradient, previous, gates, update, reset, candidate, to_update, to_reset, to_candidate, keep, r = views
            torch.mul(gradient, to_update, out=update)
            torch.mul(gradient, to_candidate, out=candidate)
            torch.matmul(candidate, of_candidate, out=to_reset_state)
            torch.mul(to_reset_state, to_reset, out=reset)
            previous.addcmul_(gradient, keep).addcmul_(to_reset_state, r)
            add_product(previous, gates, of_gates)


RECURRENCES: dict[type, Callable[[Any, Tensor], Recurrence]] = {
    **dict.fromkeys(LEAKY, LeakyRecurrence),
    LSTM: LSTMRecurrence,
    GRU: GRURecurrence,
}
