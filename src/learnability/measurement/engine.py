"""Engine for a cell that is given as a function: what takes long to make is kept, and what is not finite is refused."""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Cell, Linearization, Parameters
from learnability.core.errors import InputError
from learnability.core.memory import items_within
from learnability.measurement.cell import FunctionCell
from learnability.transport import SequenceGradient, TorchEngine, Trajectory
from learnability.transport.torch_engine import CROSSING_SEQUENCES, SEQUENCES

TRACED_BYTES = 2**30
"""Most bytes of states and diagonals of Jacobians that are kept rather than made again."""


class CachingEngine(TorchEngine):
    """Keeps states and diagonals of Jacobians, which everything starts from, and refuses what is not finite.

    Args:
        cell: the one cell that is measured, with the memory of a row.
        inputs: all sequences that it is measured on.
    """

    kept_bytes = 3 * 2**29

    def __init__(self, cell: FunctionCell, inputs: Float[Tensor, "sequence time input"]) -> None:
        super().__init__(cell.block_bytes)
        sequences, time, _ = inputs.shape
        self._sequence_bytes = time * cell.row_bytes  # of all steps of a sequence while they are differentiated
        self._keeps_wholes = self.keeps_wholes(sequences * time * cell.state_size)
        self._trajectories: list[Trajectory] = []
        self._gradient_space = torch.empty(0)
        self._wholes: dict[str, Tensor] = {}

    @classmethod
    def kept(cls, double_bytes: int, count: int) -> tuple[torch.dtype, int]:
        precisions = torch.float64, torch.float32, torch.float16
        numbers = [min(count, (cls.kept_bytes << halvings) // double_bytes) for halvings in range(len(precisions))]
        best = numbers.index(count) if count in numbers else -1
        return precisions[best], numbers[best]

    @classmethod
    def keeps_wholes(cls, states: int) -> bool:
        """True if whole gradients by so many numbers in states of all sequences are kept."""
        return 8 * states <= cls.kept_bytes // 6

    def _whole(self, steps: Linearization, error_signal: Tensor) -> Tensor:
        """The whole gradient is exact whichever the transport, so that it is made once for all passes."""
        if not self._keeps_wholes:
            return super()._whole(steps, error_signal)
        digest = blake2b(error_signal.contiguous().numpy().data).hexdigest()
        if digest not in self._wholes:
            self._wholes[digest] = super()._whole(steps, error_signal)
        return self._wholes[digest]

    def _space(self, like: Tensor, sizes: tuple[int, ...]) -> Tensor:
        """The same for each sequence: to fill memory for the first time takes longer than to fill it again."""
        if self._gradient_space.shape != sizes:
            self._gradient_space = super()._space(like, sizes)
        return self._gradient_space

    def _together(self, sequence_bytes: int) -> int:
        return min(CROSSING_SEQUENCES, items_within(2 * sequence_bytes + self._sequence_bytes, self.block_bytes))

    def trace(
        self,
        cell: Cell,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        directions: Sequence[Parameters] = (),
        kind: str = "immediate",
        diagonals: bool = True,
    ) -> Iterator[Trajectory]:
        if not directions and len(inputs) == sum(len(part.inputs) for part in self._trajectories):
            yield from self._trajectories
            return
        size = inputs.shape[1] * cell.state_size * 8
        keeps = diagonals and not directions and 3 * size * len(inputs) <= TRACED_BYTES
        trajectories = []
        together = min(SEQUENCES, items_within(size if keeps else 3 * size, self.block_bytes))
        for start in range(0, len(inputs), together):
            x = inputs[start : start + together]
            for part in super().trace(cell, parameters, x, directions, kind, diagonals):
                if diagonals:
                    _require_finite(part.diagonals.mixing[:, 1:] + part.diagonals.retention[:, 1:], "state", 2)
                for projection in part.projected:
                    _require_finite(projection, "state and its parameters", 1)
                trajectory = part._replace(rows=slice(start, start + len(x)))
                if keeps:
                    trajectory = _without_zeros(trajectory)
                    trajectories.append(trajectory)
                yield trajectory
        if keeps:
            self._trajectories = trajectories

    def gradients(self, *arguments: Any) -> Iterator[SequenceGradient]:
        lags = arguments[4]
        for gradient in super().gradients(*arguments):
            norms = torch.linalg.vector_norm(gradient.by_lag, dim=-1)  # not finite if squares are not
            if not torch.isfinite(torch.linalg.vector_norm(gradient.whole) + norms.sum()):
                ends = torch.isfinite(norms).all(0)
                at = f"at lag {lags[int(ends.int().argmin())]}" if not ends.all() else "over all lags"
                raise InputError(f"'lags' and 'targets' must keep squares of gradients within float64. Got more {at}.")
            yield gradient


def _without_zeros(trajectory: Trajectory) -> Trajectory:
    """A trajectory with one number in place of a mixing that is 0 everywhere, as without a retention."""
    mixing = trajectory.diagonals.mixing
    if mixing.any():
        return trajectory
    zeros = mixing.new_zeros(()).expand_as(mixing)
    return trajectory._replace(diagonals=trajectory.diagonals._replace(mixing=zeros))


def _require_finite(derivative: Float[Tensor, "sequence time state"], of: str, first: int) -> None:
    """Raise `InputError` for derivatives at t = `first`, `first` + 1, … that are not finite."""
    finite = torch.isfinite(derivative).all(-1).all(0)
    if not finite.all():
        at = first + int(finite.int().argmin())
        raise InputError(f"'step' must be differentiable in its {of}. Got a derivative that is not finite at t = {at}.")
