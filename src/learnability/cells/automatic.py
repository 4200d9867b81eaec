"""A step to first order for a cell that says nothing but its step: J_t and B_t by torch's automatic differentiation.

Everything is made of one operation, vᵀ ∂s_t/∂· by `torch.autograd.grad`, on plain tensors: whatever has such a gradient
will do, custom functions, updates in place and branches on values among it. J_t v and ⟨B_t, w⟩ are derivatives of it
with regard to v, in which it is linear; where a step cannot be differentiated twice they are put together from single
units, which takes longer and is said once. Points are rows of their own, so they are taken block by block.
"""

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters, PullBack
from learnability.core.errors import in_one_line, require
from learnability.core.memory import BLOCK_BYTES, items_within

CACHED_BYTES = 2**25
"""Memory of the rows that are differentiated together: more are no faster, as they leave the processor's cache."""
FEW = 4
"""Rows of which no block is made smaller by a trial: the trial itself takes so many."""
ROUNDING = 1e-5
"""Share by which ⟨v, J u⟩ and ⟨vᵀ J, u⟩ may differ: rounding, also of float32 inside."""

log = logging.getLogger(__name__)


@runtime_checkable
class Stepping(Protocol):
    """Interface of the step that is differentiated; see `learnability.cells.Cell`."""

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor: ...

    def output(self, state: Tensor) -> Tensor: ...

    def retained(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None: ...


@dataclass(frozen=True)
class AutomaticLinearization(Linearization):
    """A step to first order by automatic differentiation, at points over any leading dimensions.

    Args:
        block_bytes: memory that rows may take which are differentiated together.
        row_bytes: memory of one of them; 0: as a trial finds (`row_bytes_of`).
        add_rows: called with the number of rows that have gone backward through the step, block by block.
        rescales: whether covectors are scaled to 1 before they go backward, lest they leave the range of float32.
    """

    cell: Stepping
    parameters: Parameters
    state: Float[Tensor, "... state"]
    inputs: Float[Tensor, "... input"]
    block_bytes: int = BLOCK_BYTES
    row_bytes: int = 0
    add_rows: Callable[[int], None] | None = None
    rescales: bool = False

    def split(self) -> JacobianSplit:
        rows = self._rows(self.state, self.inputs)
        size = rows[0].shape[-1]
        matrices = torch.cat([self._jacobian(*block) for block in self._blocks(*rows)])
        jacobian = matrices.view(*self._leading(), size, size)
        retention = torch.diag_embed(self._retention(jacobian.diagonal(dim1=-2, dim2=-1)))
        return JacobianSplit(retention, jacobian - retention)

    def diagonals(self) -> Diagonals:
        hidden, size = self.cell.output(self.state).shape[-1], self.state.shape[-1]
        require(size == hidden, "state", f"the {hidden} hidden units, unless the cell has a linearize", size)
        blocks = self._blocks(*self._rows(self.state, self.inputs))
        diagonal = torch.cat([self._diagonal(*block) for block in blocks]).view(*self._leading(), size)
        retention = self._retention(diagonal)
        return Diagonals(retention, diagonal - retention)

    def along_state(self, vector: Tensor) -> Tensor:
        rows = self._rows(self.state, self.inputs, vector)
        parts = [self._along(block, of_state=True) for block in self._blocks(*rows)]
        return torch.cat(parts).view(vector.shape)

    def along_inputs(self, vector: Tensor, parameters: Parameters) -> Tensor:
        rows = self._rows(self.state, self.inputs, vector)
        parts = [self._along(block, of_state=False) for block in self._blocks(*rows)]
        return torch.cat(parts).view(*vector.shape[:-1], -1)

    def along_parameters(self, direction: Parameters) -> Tensor:
        names = [name for name in self.parameters if name in direction]  # a readout's are not the cell's
        blocks = self._blocks(*self._rows(self.state, self.inputs))
        parts = [self._along_parameters(block, {name: direction[name] for name in names}) for block in blocks]
        return torch.cat(parts).view(*self._leading(), -1)

    def pull_back(self, covector: Tensor) -> Tensor:
        rows = self._rows(self.state, self.inputs, covector)
        parts = [self._back(state, inputs)(block) for state, inputs, block in self._blocks(*rows)]
        return torch.cat(parts).view(covector.shape)

    def pull_back_rows(self, covectors: Tensor) -> Tensor:
        parts = []
        for state, inputs, block in self._blocks(self.state, self.inputs, covectors):
            points, count, size = block.shape
            passes = -(-points * count // max(points, self._together(state, inputs)))
            copies = -(-count // passes)  # of each point, which many covectors cross one after the other
            back = self._back(state.repeat_interleave(copies, 0), inputs.repeat_interleave(copies, 0))
            products = torch.empty_like(block)
            for number in range(passes):
                start = min(number * copies, count - copies)
                chunk = slice(start, start + copies)
                products[:, chunk] = back(block[:, chunk].reshape(-1, size)).view(points, copies, size)
            parts.append(products)
        return torch.cat(parts)

    def over_time(self) -> PullBack:
        sequences, time, size = self.state.shape
        state, inputs = self._rows(self.state, self.inputs)
        length = max(1, self._together(state, inputs) // max(1, sequences))
        weights = -(-time // length) * sum(
            parameter.nbytes for parameter in self.parameters.values()
        )  # a copy for each block
        if len(state) * self._bytes_of_row(state, inputs) + weights > self.block_bytes:
            return super().over_time()
        blocks = []
        for first in range(0, time, length):
            steps = slice(first, first + length)
            at, x = self._rows(self.state[:, steps], self.inputs[:, steps])
            blocks.append((first, min(first + length, time), self._back(at, x)))

        def pull_back(start: int, covector: Tensor) -> Tensor:
            stop, result = start + covector.shape[1], torch.empty_like(covector)
            for first, last, back in blocks:
                low, high = max(first, start), min(last, stop)
                if low < high:
                    block_covector = covector.new_zeros(sequences, last - first, size)
                    block_covector[:, low - first : high - first] = covector[:, low - start : high - start]
                    product = back(block_covector.view(-1, size), sequences * (high - low)).view_as(block_covector)
                    result[:, low - start : high - start] = product[:, low - first : high - first]
            return result

        return pull_back

    def pull_back_to_inputs(self, covector: Tensor, parameters: Parameters) -> Tensor:
        rows = self._rows(self.state, self.inputs, covector)
        parts = [self._back(state, x, of_state=False)(block) for state, x, block in self._blocks(*rows)]
        return torch.cat(parts).view(*covector.shape[:-1], -1)

    def gradient(self, covector: Tensor) -> Parameters:
        outer_shape, time = covector.shape[:-2], covector.shape[-2]
        covectors = covector.reshape(-1, time, covector.shape[-1])
        sums = {name: p.new_zeros(len(covectors), *p.shape) for name, p in self.parameters.items()}
        if self._has_same_points:
            self._add_gradients(sums, self.state, self.inputs, covectors)
        else:
            points = [
                tensor.expand(*outer_shape, time, -1).reshape(len(covectors), time, tensor.shape[-1])
                for tensor in (self.state, self.inputs)
            ]
            for n, (state, inputs) in enumerate(zip(*points, strict=True)):
                of_one = {name: total[n : n + 1] for name, total in sums.items()}
                self._add_gradients(of_one, state, inputs, covectors[n : n + 1])
        return {name: total.view((*outer_shape, *total.shape[1:])) for name, total in sums.items()}

    @property
    def _has_same_points(self) -> bool:
        """True if all covectors of a gradient are of the same points."""
        return self.state.dim() == self.inputs.dim() == 2

    # Blocks of rows

    def _back(self, state: Tensor, inputs: Tensor, of_state: bool = True) -> Callable[..., Tensor]:
        """Function that gives vᵀ ∂s_t/∂s_{t-1}, or vᵀ ∂s_t/∂x_t, at rows; how many of v count may be said too."""
        leaf, outcome = self._traced(state, inputs, of_state)
        return partial(self._rows_back, outcome, leaf)

    def _along(self, block: Sequence[Tensor], of_state: bool) -> Tensor:
        """(∂s_t/∂s_{t-1}) v, or (∂s_t/∂x_t) v."""
        state, inputs, vector = block
        leaf, outcome = self._traced(state, inputs, of_state)
        product = self._transposed(outcome, [leaf], [vector], by_row=True)
        if product is not None:
            return product
        leaf, outcome = self._traced(state, inputs, of_state)
        units = self._by_unit(leaf, outcome)
        return torch.stack([(row * vector).sum(-1) for row in units], -1)

    def _along_parameters(self, block: Sequence[Tensor], direction: Parameters) -> Tensor:
        state, inputs = block
        names, vectors = list(direction), list(direction.values())
        leaves, outcome = self._traced_parameters(state, inputs, names)
        product = self._transposed(outcome, leaves, vectors)
        if product is not None:
            return product
        rows = []
        for index in range(len(state)):  # a gradient over parameters is a sum over rows: each by itself
            leaves, outcome = self._traced_parameters(state[index : index + 1], inputs[index : index + 1], names)
            units = [self._gradients(outcome, leaves, unit) for unit in _units(outcome)]
            rows.append(torch.stack([_inner(of_unit, vectors) for of_unit in units]))
        return torch.stack(rows)

    def _jacobian(self, state: Tensor, inputs: Tensor) -> Float[Tensor, "row state state"]:
        return torch.stack([*self._by_unit(*self._traced(state, inputs))], 1)

    def _diagonal(self, state: Tensor, inputs: Tensor) -> Float[Tensor, "row state"]:
        diagonal = torch.empty_like(state)  # a view of each unit's gradient would keep the whole Jacobian
        for unit, row in enumerate(self._by_unit(*self._traced(state, inputs))):
            diagonal[:, unit] = row[:, unit]
        return diagonal

    def _add_gradients(self, sums: Parameters, state: Tensor, inputs: Tensor, covectors: Tensor) -> None:
        """Add Σ_t v_tᵀ B_t of each covector over the same points."""
        names = list(sums)
        for state_block, inputs_block, of_rows in self._blocks(state, inputs, covectors.transpose(0, 1)):
            is_all = self._has_same_points and len(state_block) == len(state)
            at_block = self._all_traced if is_all else self._traced_parameters(state_block, inputs_block, names)
            leaves, outcome = at_block
            for n, covector in enumerate(of_rows.unbind(1)):
                size = covector.abs().amax() if self.rescales else None
                unit_covector = covector if size is None else covector / (size := size.where(size > 0, 1))
                for name, gradient in zip(names, self._gradients(outcome, leaves, unit_covector), strict=True):
                    sums[name][n] += gradient if size is None else size * gradient

    # What torch is asked for

    def _traced(self, state: Tensor, inputs: Tensor, of_state: bool = True) -> tuple[Tensor, Tensor]:
        """s_{t-1} or x_t as a leaf, and s_t."""
        with torch.enable_grad():
            leaf = (state if of_state else inputs).detach().requires_grad_()
            return leaf, self.cell.step(self.parameters, *((leaf, inputs) if of_state else (state, leaf)))

    def _traced_parameters(self, state: Tensor, inputs: Tensor, names: Sequence[str]) -> tuple[list[Tensor], Tensor]:
        """The named parameters as leaves, and s_t."""
        with torch.enable_grad():
            leaves = {name: self.parameters[name].detach().requires_grad_() for name in names}
            return list(leaves.values()), self.cell.step(self.parameters | leaves, state, inputs)

    @cached_property
    def _all_traced(self) -> tuple[list[Tensor], Tensor]:
        """All parameters as leaves, and s_t at all rows, for several covectors after each other."""
        return self._traced_parameters(self.state, self.inputs, list(self.parameters))

    def _gradients(
        self, outcome: Tensor, leaves: Sequence[Tensor], covector: Tensor, rows: int | None = None
    ) -> Sequence[Tensor]:
        """vᵀ ∂s_t/∂·, 0 for what s_t does not depend on; of so many rows that count, by default all."""
        if self.add_rows is not None:
            self.add_rows(len(outcome) if rows is None else rows)
        if not outcome.requires_grad:
            return [torch.zeros_like(leaf) for leaf in leaves]
        options: dict[str, Any] = {"retain_graph": True, "allow_unused": True, "materialize_grads": True}
        with torch.enable_grad():  # as an argument of `grad` the covector would have torch import sympy, half a second
            return torch.autograd.grad((outcome * covector).sum(), leaves, **options)

    def _rows_back(self, outcome: Tensor, leaf: Tensor, covector: Tensor, rows: int | None = None) -> Tensor:
        """vᵀ ∂s_t/∂· of a leaf with a row for each row of the outcome."""
        if not self.rescales:
            return self._gradients(outcome, [leaf], covector, rows)[0]
        size = covector.abs().amax(1, keepdim=True)
        size = size.where(size > 0, 1)
        return size * self._gradients(outcome, [leaf], covector / size, rows)[0]

    def _by_unit(self, leaf: Tensor, outcome: Tensor) -> Iterator[Tensor]:
        """∂s_t^{(q)}/∂· of all rows, unit by unit."""
        for unit in _units(outcome):
            yield self._gradients(outcome, [leaf], unit)[0]

    def _transposed(
        self, outcome: Tensor, leaves: Sequence[Tensor], vectors: Sequence[Tensor], by_row: bool = False
    ) -> Tensor | None:
        """(∂s_t/∂·) u as ∂⟨vᵀ ∂s_t/∂·, u⟩/∂v, or None where the step cannot be differentiated twice.

        As that is linear in v, it is the sum of v times its derivative: what a backward pass hides from torch shows.

        Args:
            by_row: whether each row of the one leaf is of one row of the outcome, so that each shows by itself.
        """
        if self.add_rows is not None:
            self.add_rows(2 * len(outcome))
        if not outcome.requires_grad:
            return torch.zeros_like(outcome)
        generator = torch.Generator().manual_seed(0)
        v = torch.randn(outcome.shape, generator=generator, dtype=outcome.dtype).requires_grad_()
        try:
            with torch.enable_grad():
                options: dict[str, Any] = {"allow_unused": True, "materialize_grads": True}
                gradients = torch.autograd.grad(outcome, leaves, v, create_graph=True, **options)
                product = _inner(gradients, vectors)
                (derivative,) = torch.autograd.grad(product, v, **options) if product.requires_grad else (v * 0,)
        except Exception as error:
            _say_slower(in_one_line(error))
            return None
        derivative, parts = derivative.detach(), (derivative * v).detach()
        if not torch.isfinite(parts).all():  # nothing is hidden: whoever asked refuses it
            return derivative
        rows = (gradients[0] * vectors[0]).sum(-1) if by_row else product
        parts = parts if by_row else parts.flatten()
        if ((parts.sum(-1) - rows.detach()).abs() <= ROUNDING * parts.abs().sum(-1)).all():
            return derivative
        _say_slower("its backward pass hides how it depends on the gradient that it is given")
        return None

    def _retention(self, diagonal: Tensor) -> Tensor:
        state, inputs = self._rows(self.state, self.inputs)
        retention = self.cell.retained(self.parameters, state, inputs)
        return diagonal if retention is None else retention.view(diagonal.shape)

    # Points and rows

    def _leading(self) -> tuple[int, ...]:
        return np.broadcast_shapes(self.state.shape[:-1], self.inputs.shape[:-1])

    def _blocks(self, *rows: Tensor) -> Iterator[Any]:
        """Rows that are differentiated together, a tuple of tensors for each block."""
        size = max(1, self._together(*rows[:2]))  # where there are no rows
        count = -(-len(rows[0]) // size)  # of nearly the same size: none has one row that others lack
        return zip(*(tensor.tensor_split(max(1, count)) for tensor in rows), strict=True)

    def _together(self, state: Tensor, inputs: Tensor) -> int:
        """Number of rows that are differentiated together."""
        if len(state) <= FEW and not self.row_bytes:
            return len(state)
        return items_within(self._bytes_of_row(state, inputs), min(self.block_bytes, CACHED_BYTES))

    def _bytes_of_row(self, state: Tensor, inputs: Tensor) -> int:
        """Memory that a row takes while the step is differentiated; of few rows without a trial 0."""
        if self.row_bytes or len(state) < FEW:
            return self.row_bytes
        return row_bytes_of(partial(self.cell.step, self.parameters), state, inputs)

    @staticmethod
    def _rows(*tensors: Tensor) -> list[Tensor]:
        """Points as rows, as a step takes them; where one has more points than another, the latter is repeated."""
        outer_shape = np.broadcast_shapes(*(tensor.shape[:-1] for tensor in tensors))  # torch's imports sympy
        points = math.prod(outer_shape)
        return [tensor.expand(*outer_shape, -1).reshape(points, tensor.shape[-1]) for tensor in tensors]


def row_bytes_of(function: Callable[..., Tensor], *rows: Tensor) -> int:
    """Memory per row while a function of rows is differentiated: tensors that are kept, and tensors that pass back.

    Args:
        rows: arguments, four rows at least; trials with two and with four rows find the memory that a row adds.
    """

    def kept_bytes(count: int) -> int:
        tensors: dict[int, Tensor] = {}

        def keep(tensor: Tensor) -> Tensor:
            tensors.setdefault(tensor.untyped_storage().data_ptr(), tensor.detach())
            return tensor.detach()  # of an output the tensor itself would keep its graph, and that the tensor, for ever

        with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            outcome = function(*(tensor[:count].detach().requires_grad_() for tensor in rows))
        return sum(tensor.untyped_storage().nbytes() for tensor in tensors.values()) + outcome.nbytes

    input_bytes = sum(tensor[0].nbytes for tensor in rows)
    return 4 * input_bytes + 3 * max(0, kept_bytes(FEW) - kept_bytes(FEW // 2)) // (FEW - FEW // 2)


def _units(outcome: Tensor) -> Iterator[Tensor]:
    """The unit vector of each unit, for all rows."""
    for unit in range(outcome.shape[-1]):
        vector = torch.zeros_like(outcome)
        vector[:, unit] = 1
        yield vector


def _inner(first: Sequence[Tensor], second: Sequence[Tensor]) -> Tensor:
    """⟨·, ·⟩ over all entries of all tensors."""
    return torch.stack([(a * b).sum() for a, b in zip(first, second, strict=True)]).sum()


_SAID: set[str] = set()


def _say_slower(reason: str) -> None:
    """Say once for each reason that a slower way is taken."""
    if reason not in _SAID:
        _SAID.add(reason)
        log.warning("Derivatives along directions are taken unit by unit, which is slower: %s.", reason.rstrip("."))
