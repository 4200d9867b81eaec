"""A network given as functions: a cell and a readout."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.cells.automatic import FEW
from learnability.core.memory import items_within
from learnability.measurement.cell import FunctionCell, tried_bytes
from learnability.networks.network import Network

Readout = Callable[[Tensor], Tensor]
"""ŷ_t (sequence,) or (sequence, output) from s_t (sequence, state), each row on its own."""


@dataclass(frozen=True)
class FunctionNetwork(Network):
    """A cell with a readout given as a function.

    Args:
        row_bytes: memory of a row while the readout is differentiated; 0: as a trial finds each time.
    """

    cell: FunctionCell
    readout: Readout = field(kw_only=True)
    row_bytes: int = 0

    def with_known_memory(self, states: Tensor, inputs: Tensor) -> "FunctionNetwork":
        """The same network, with the memory that a row takes as a trial at these rows finds it."""
        cell = replace(self.cell, row_bytes=self.cell.tried_bytes(states, inputs))
        return replace(self, cell=cell, row_bytes=tried_bytes(self.call_readout, states))

    def counting_rows(self, add_rows: Callable[[int], None]) -> "FunctionNetwork":
        """The same network, which tells a function how many rows have gone backward through the step."""
        return replace(self, cell=replace(self.cell, add_rows=add_rows))

    def call_readout(self, states: Tensor) -> Any:
        """Outcome of the readout as it gives it."""
        return self.cell.place.call(self.readout, states)

    def predict(self, parameters: Parameters, states: Tensor) -> Tensor:
        predictions = torch.cat([self._predictions(rows) for rows in self._blocks(states)])
        return predictions.view(*states.shape[:-1], *self._outputs)

    def readout_gradient(self, parameters: Parameters, states: Tensor, signal: Tensor | None = None) -> Tensor:
        parts, start = [], 0
        for rows in self._blocks(states):
            with torch.enable_grad():
                leaf = rows.detach().requires_grad_()
                predictions = self._predictions(leaf)
            covector = torch.ones_like(predictions)
            if signal is not None:
                covector = signal.reshape(-1, *self._outputs)[start : start + len(rows)]
            start += len(rows)
            gradient = torch.zeros_like(leaf)
            if predictions.requires_grad:
                options: dict[str, Any] = {"allow_unused": True, "materialize_grads": True}
                with torch.enable_grad():
                    (gradient,) = torch.autograd.grad((predictions * covector).sum(), leaf, **options)
            parts.append(gradient.detach())
        return torch.cat(parts).view(states.shape)

    def _predictions(self, rows: Tensor) -> Tensor:
        return self.call_readout(rows).reshape(len(rows), *self._outputs)

    @property
    def _outputs(self) -> tuple[int, ...]:
        return (self.outputs,) if self.outputs else ()

    def _blocks(self, states: Tensor) -> Sequence[Tensor]:
        """States whose predictions are made together."""
        rows = states.reshape(-1, states.shape[-1])
        row_bytes = (self.row_bytes or tried_bytes(self.call_readout, rows)) if len(rows) >= FEW else 1
        return rows.tensor_split(max(1, -(-len(rows) // items_within(row_bytes, self.cell.block_bytes))))
