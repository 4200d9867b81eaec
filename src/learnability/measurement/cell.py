"""A cell given as a function, linearised by automatic differentiation or, as far as they are given, by formulas."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from learnability.cells import AutomaticLinearization, Cell, Linearization, Parameters
from learnability.cells.automatic import FEW, row_bytes_of
from learnability.core.errors import InputError, in_one_line
from learnability.core.memory import BLOCK_BYTES
from learnability.measurement.formulas import Formulas, StepDerivatives
from learnability.measurement.place import PROCESSOR, Place

BLOCK_ROWS = 2048
"""Points whose gradients of parameters are summed in one matrix product."""

Step = Callable[[Parameters, Tensor, Tensor], Tensor]
"""s_t from θ, s_{t-1} (sequence, state) and x_t (sequence, input), each row on its own."""
Retention = Callable[[Parameters, Tensor, Tensor], Tensor]
"""a_t (sequence, state), from the same arguments."""


@dataclass(frozen=True)
class FunctionCell(Cell):
    """A cell given as a function; the whole state counts as hidden units.

    Args:
        block_bytes, add_rows: of `AutomaticLinearization`.
        place, diagonal: of `measure_step`.
        row_bytes: of `AutomaticLinearization`; 0 while the cell is on trial.
    """

    function: Step
    retention: Retention | None
    parameters: Parameters
    block_bytes: int = BLOCK_BYTES
    place: Place = PROCESSOR
    diagonal: Retention | None = None
    row_bytes: int = 0
    add_rows: Callable[[int], None] | None = None

    @property
    def formulas(self) -> Formulas | None:
        """All derivatives by formula, if they are given in place of the diagonal."""
        return self.diagonal if isinstance(self.diagonal, Formulas) else None

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        return self.parameters

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        try:
            after = self.place.call(self.function, parameters, state, inputs)
            return after.reshape(state.shape)  # lest one row be squeezed
        except (Exception, SystemExit) as error:
            if not self.row_bytes:
                raise
            shape = tuple(state.shape)
            raise InputError(
                f"'step' must take states of {shape}, as it took others. Got {in_one_line(error)}"
            ) from error

    def retained(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None:
        if self.retention is None:
            return None
        return self.place.call(self.retention, parameters, state, inputs).detach()

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Linearization:
        kind: type[AutomaticLinearization] = AutomaticLinearization
        if self.diagonal is not None:
            kind = KnownDiagonal if self.formulas is None else ByFormula
        rescales = self.place.dtype != torch.float64
        return kind(self, parameters, state, inputs, self.block_bytes, self.row_bytes, self.add_rows, rescales)

    def tried_bytes(self, state: Tensor, inputs: Tensor) -> int:
        """Memory that a row takes while the step is differentiated."""
        return tried_bytes(lambda s, x: self.step(self.parameters, s, x), state, inputs)


class KnownDiagonal(AutomaticLinearization):
    """A step whose Jacobian has a diagonal by formula, and all else by automatic differentiation."""

    cell: FunctionCell

    def _diagonal(self, state: Tensor, inputs: Tensor) -> Tensor:
        assert self.cell.diagonal is not None
        return self.cell.place.call(self.cell.diagonal, self.parameters, state, inputs).detach()


class ByFormula(KnownDiagonal):
    """A step of which vᵀ ∂s_t/∂s_{t-1} and vᵀ ∂s_t/∂θ are known by formula too."""

    def pull_back_rows(self, covectors: Tensor) -> Tensor:
        together = max(1, self._together(self.state, self.inputs) // covectors.shape[1])
        parts = zip(*(tensor.split(together) for tensor in (self.state, self.inputs, covectors)), strict=True)
        return torch.cat([self._pulled_back(self._at(state, x), block) for state, x, block in parts])

    def _back(self, state: Tensor, inputs: Tensor, of_state: bool = True) -> Callable[..., Tensor]:
        if not of_state:
            return super()._back(state, inputs, of_state)
        derivatives = self._at(state, inputs)
        return lambda covector, rows=None: self._pulled_back(derivatives, covector[:, None], rows)[:, 0]

    def _pulled_back(self, derivatives: StepDerivatives, covectors: Tensor, rows: int | None = None) -> Tensor:
        """vᵀ ∂s_t/∂s_{t-1} of several covectors at each point."""
        self._count(covectors.shape[0] * covectors.shape[1] if rows is None else rows)
        if not self.rescales:
            return derivatives.pull_back(covectors)
        size = covectors.abs().amax(-1, keepdim=True)
        size = size.where(size > 0, 1)
        return size * derivatives.pull_back(self.cell.place.take(covectors / size)).to("cpu", torch.float64)

    def write_gradients(self, covectors: Tensor, names: Sequence[str], result: Tensor) -> None:
        sums, size = result, torch.ones(())
        if self.rescales:
            size = torch.linalg.vector_norm(covectors, torch.inf, (1, 2), keepdim=True)
            size = size.where(size > 0, 1)
            covectors, sums = covectors / size, self.cell.place.take(torch.empty_like(result))
        points = zip(*(tensor.split(BLOCK_ROWS) for tensor in (self.state, self.inputs)), strict=True)
        for number, (state, inputs) in enumerate(points):
            start = number * BLOCK_ROWS
            part = self.cell.place.take(covectors[:, start : start + len(state)])
            derivatives = self._all_derivatives if len(state) == len(self.state) else self._at(state, inputs)
            derivatives.add_gradient(part, sums, number == 0)
            self._count(part.shape[0] * part.shape[1])
        if self.rescales:
            result.copy_(sums).mul_(size[..., 0])

    @cached_property
    def _all_derivatives(self) -> StepDerivatives:
        return self._at(self.state, self.inputs)

    def _at(self, state: Tensor, inputs: Tensor) -> StepDerivatives:
        assert self.cell.formulas is not None
        take = self.cell.place.take
        return self.cell.formulas.at(take(self.parameters), take(state), take(inputs))

    def _count(self, rows: int) -> None:
        if self.add_rows is not None:
            self.add_rows(rows)


def tried_bytes(function: Callable[..., Tensor], *rows: Tensor) -> int:
    """Memory that a row takes while a function of rows is differentiated; of fewer rows than a trial takes 1."""
    return row_bytes_of(function, *(tensor[:FEW] for tensor in rows)) if len(rows[0]) >= FEW else 1
