"""The errors ∂E_t/∂ŷ_t that a reading takes S of: of squared errors e_t = 2 (ŷ_t - y_t), δ_t = e_t ρ_t."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

from learnability.core.errors import require
from learnability.networks.frozen import Frozen
from learnability.networks.losses import LOSSES
from learnability.transport import Engine, check_lags
from learnability.windows.request import Request


class ErrorSignals:
    """Error signals of several requests of one network; requests of equal errors share one.

    Raises:
        InputError: for random directions, unless predictions are numbers and the loss is their squared error, so that
            δ_t = e_t ρ_t with a number e_t; if lags do not increase strictly within [1, T - 1], or for a fold of too
            few sequences: at least one, two where a mean is removed, three where errors are shifted (of two nothing
            would be left).
    """

    def __init__(self, frozen: Frozen, requests: Sequence[Request], engine: Engine) -> None:
        self.frozen, self.requests, self.engine = frozen, requests, engine
        sequences, duration, _ = frozen.inputs.shape
        for request in requests:
            fits = frozen.network.is_scalar or request.options.probe == "own_gradient"
            require(fits, "network", "of scalar predictions and squared errors", frozen.network)
            check_lags(request.lags, duration - 1)
            per_fold = 3 if request.shift_errors else 2 if request.options.error_mean == "removed" else 1
            fewest = request.options.folds * per_fold
            require(sequences >= fewest, "sequences", f"at least {fewest}, {per_fold} in each fold", sequences)
        keys = [request.error_key for request in requests]
        self.number = [list(dict.fromkeys(keys)).index(key) for key in keys]
        """Row of `values` for each request."""

    @cached_property
    def predictions(self) -> Float64[Tensor, "sequence time *output"]:
        """ŷ_t."""
        return self.engine.predictions(*self.frozen[:3])

    @cached_property
    def values(self) -> Float64[Tensor, "error sequence time *output"]:
        """∂E_t/∂ŷ_t of the distinct error signals, 0 at the t that they leave out or whose targets do not count."""
        firsts = [self.number.index(number) for number in range(max(self.number) + 1)]
        return torch.stack([self._of(self.requests[index]) for index in firsts])

    def _of(self, request: Request) -> Float64[Tensor, "sequence time *output"]:
        options = request.options
        targets = self.frozen.targets if request.targets is None else request.targets
        errors = LOSSES[self.frozen.network.loss].gradient(self.predictions, targets)
        errors = errors if options.error_signal == "gradient" else errors / 2
        outputs = [1] * (errors.dim() - 2)
        mask = self.frozen.mask
        weights = torch.ones(errors.shape[:2]) if mask is None else mask.to(errors.dtype)
        weights = weights.view(*errors.shape[:2], *outputs)
        errors = errors * weights
        parts = []
        folds = zip(errors.tensor_split(options.folds), weights.tensor_split(options.folds), strict=True)
        for fold, counts in folds:
            met = fold.roll(-1, 0) if request.shift_errors else fold
            removes_mean = request.shift_errors or options.error_mean == "removed"
            other_counts = (counts.sum(0) - counts).clamp(min=1)
            parts.append(met - (fold.sum(0) - fold) / other_counts if removes_mean else met)
        selection = torch.zeros(errors.shape[1], dtype=torch.float64)
        selection[np.array(request.times(errors.shape[1])) - 1] = 1
        return torch.cat(parts) * selection.view(-1, *outputs) * weights
