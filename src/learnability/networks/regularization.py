"""Regularization in training: dropout of the recurrence, and penalties on hidden units.

    dropout                  U (m_t ⊙ h_{t-1}), m_t drawn at each step
    variational dropout      U (m ⊙ h_{t-1}), m drawn once a sequence        Gal and Ghahramani 2016, arXiv 1512.05287
    DropConnect              (M ∘ U) h_{t-1}, M drawn once a batch           Merity et al. 2018, arXiv 1708.02182
    activity and temporal    α ⟨‖M_t ⊙ h_t‖²⟩ + β ⟨‖h_t - h_{t+1}‖²⟩         Merity et al. 2017, arXiv 1708.01009

Entries of m_t, m and M are 1/(1 - p) with probability 1 - p, and else 0, so that their mean is 1 and measuring needs no
other scale. Dropout acts on h_{t-1} where recurrent matrices multiply it, and nowhere else: a state that a cell
carries on without them, such as c_{t-1} of an LSTM, is kept, because a share of it would be lost at each step
(Semeniuta et al. 2016, arXiv 1603.05118). M_t is 1 for the units that dropout leaves at step t, and else 0; ⟨·⟩ is the
mean over sequences and t.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.core.errors import require
from learnability.core.streams import numpy_generator

RATES = ("dropout", "variational_dropout", "drop_connect")


@dataclass(frozen=True, kw_only=True)
class Regularization:
    """Dropout and penalties of a network in training; by default none.

    Args:
        dropout: p of each hidden unit and step.
        variational_dropout: p of each hidden unit, the same at all steps of a sequence.
        drop_connect: p of each recurrent weight, the same for all sequences and steps of a batch.
        activity_regularization: α.
        temporal_regularization: β.

    Raises:
        InputError: for a rate outside [0, 1), or a negative α or β.
    """

    dropout: float = 0.0
    variational_dropout: float = 0.0
    drop_connect: float = 0.0
    activity_regularization: float = 0.0
    temporal_regularization: float = 0.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if name in RATES:
                require(0 <= value < 1, name, "in [0, 1)", value)
            else:
                require(value >= 0 and isfinite(value), name, "at least 0, and finite", value)

    def __bool__(self) -> bool:
        return any(asdict(self).values())

    @property
    def is_random(self) -> bool:
        """True if units or weights are dropped."""
        return any(getattr(self, name) for name in RATES)

    @property
    def penalises(self) -> bool:
        """True if a penalty is added to the loss."""
        return self.activity_regularization > 0 or self.temporal_regularization > 0

    def check(self, cell: Cell) -> None:
        """Raise `InputError` unless dropout has something to act on."""
        for name in RATES:
            requirement = "0 for a cell without recurrent matrices (Cell.recurrent_matrices)"
            require(bool(cell.recurrent_matrices) or not getattr(self, name), name, requirement, getattr(self, name))

    def of_sequences(self, cell: Cell, parameters: Parameters, count: int, generator: torch.Generator) -> Parameters:
        """Parameters with M ∘ U for U and, beside them, m of each sequence.

        Args:
            parameters: as `Cell.prepared` leaves them.
            count: how many sequences.
            generator: only its seed is read, so that masks do not depend on earlier draws and segments of a sequence
                share their masks.
        """
        weights = {name: parameters[name].shape for name in cell.recurrent_matrices if self.drop_connect}
        weight_masks = self._draw_masks(weights, self.drop_connect, _fixed(generator, "weights"), parameters)
        masked_weights = {name: parameters[name] * mask for name, mask in weight_masks.items()}
        units = {name: (count, size) for name, size in cell.masks.items() if self.variational_dropout}
        unit_masks = self._draw_masks(units, self.variational_dropout, _fixed(generator, "units"), parameters)
        return parameters | masked_weights | unit_masks

    def of_step(self, cell: Cell, parameters: Parameters, count: int, generator: torch.Generator) -> Parameters:
        """Parameters of `of_sequences` with m_t ⊙ m for m."""
        if not self.dropout:
            return parameters
        shapes = {name: (count, size) for name, size in cell.masks.items()}
        masks = self._draw_masks(shapes, self.dropout, generator, parameters)
        return parameters | {name: mask * parameters.get(name, 1) for name, mask in masks.items()}

    def penalty(
        self, hidden: Float[Tensor, "sequence time hidden"], active: Float[Tensor, "sequence time hidden"] | None = None
    ) -> Float[Tensor, ""]:
        """α ⟨‖M_t ⊙ h_t‖²⟩ + β ⟨‖h_t - h_{t+1}‖²⟩.

        Args:
            active: what dropout leaves, 0 where M_t is; by default M_t = 1.
        """
        active_units = hidden if active is None else hidden * (active != 0)
        steps = hidden.diff(dim=1).square().sum(-1)
        temporal = steps.mean() if steps.numel() else hidden.new_zeros(())
        activity = active_units.square().sum(-1).mean()
        return self.activity_regularization * activity + self.temporal_regularization * temporal

    @staticmethod
    def _draw_masks(
        shapes: Mapping[str, tuple[int, ...]], rate: float, generator: torch.Generator, like: Parameters
    ) -> Parameters:
        """Masks of mean 1."""
        kind = next(iter(like.values()))
        masks = {name: torch.rand(shape, generator=generator) >= rate for name, shape in shapes.items()}
        return {name: mask.to(kind) / (1 - rate) for name, mask in masks.items()}


SETTINGS = tuple(field.name for field in fields(Regularization))
"""Settings of an architecture that belong to `Regularization`."""


def _fixed(generator: torch.Generator, name: str) -> torch.Generator:
    """Generator with the same draws at every call, from a name and the seed of `generator`."""
    seed = numpy_generator(generator.initial_seed(), 0, "dropout", name).integers(2**63)
    return torch.Generator().manual_seed(int(seed))
