"""Requests for statistics of a network: options, lags and random directions w."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.core.streams import numpy_generator
from learnability.windows.readings import StatisticOptions


def direction(cell: Cell, root_seed: int, number: int = 0) -> Parameters:
    """w: a random unit vector over the cell's parameters, the same realisation for all models of a root seed.

    Each parameter's entries come from a stream keyed by its name, so architectures share the entries of the
    parameters they share; the norm is over those that the cell has. Another `number` is another direction.
    """
    parts = {
        name: torch.from_numpy(
            np.asarray(numpy_generator(root_seed, number, "direction", name).standard_normal(tuple(like.shape)))
        )
        for name, like in cell.initial_parameters(0, 0).items()
    }
    norm = torch.stack([part.square().sum() for part in parts.values()]).sum().sqrt()
    return {name: part / norm for name, part in parts.items()}


class Request(NamedTuple):
    """A statistic that is wanted of a network.

    Args:
        options: options of a reading.
        lags: ℓ, increasing.
        shift_errors: take e_t from the next sequence of the fold, always with its mean removed: a null control from end
            to end. Sequences are independent, so S has the mean 0.
        targets: y_t, if not the targets of the frozen network.
        numbers: which directions w; by default the first `options.directions`.
        product: whether m̄(ℓ) f̂(ℓ) is wanted.
    """

    options: StatisticOptions
    lags: Sequence[int]
    shift_errors: bool = False
    targets: Float[Tensor, "sequence time"] | None = None
    numbers: Sequence[int] | None = None
    product: bool = True

    @property
    def directions(self) -> Sequence[int]:
        """Numbers of the directions w."""
        return range(self.options.directions) if self.numbers is None else self.numbers

    @property
    def per_unit(self) -> bool:
        """True if each unit has its own sign, which must be known before the sum over units."""
        return self.options.orientation == "per_unit"

    def times(self, duration: int) -> range:
        """t of the statistic, counted from 1; lag ℓ has those beyond ℓ."""
        options = self.options
        if options.sampling == "last":
            return range(duration, duration + 1)
        # T is among all t, so that every lag has one.
        first = (duration - 1) % options.time_stride + 1 if options.time_range == "all" else self.lags[-1] + 1
        return range(first, duration + 1, options.time_stride)

    @property
    def error_key(self) -> tuple[object, ...]:
        """Key of the error signal; requests with equal keys share one."""
        options = self.options
        removes_mean = self.shift_errors or options.error_mean == "removed"
        common = self.lags[-1] if options.time_range == "common" else 0
        sampling = options.sampling == "last", common, options.time_stride
        return options.error_signal, removes_mean and options.folds, self.shift_errors, id(self.targets), sampling
